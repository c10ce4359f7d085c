"""The noise that hides one person in a count: releases, neighbors, ratios, plans and whole tables."""
