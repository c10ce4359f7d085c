"""The page about budgets."""
