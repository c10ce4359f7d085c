"""Foreign files, links and typed texts, made by chance: a slice in every test run, all of them by `make fuzz`."""
