"""How much noise hides one person in a count? Releases, neighbors, ratios, plans and whole tables."""
