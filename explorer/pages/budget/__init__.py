"""The room of the page about budgets."""
