"""What if the question is asked again? Running means, piles of releases, attacks and accounts."""
