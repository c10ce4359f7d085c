"""Foreign files and links, made by chance from a seed: a slice in every test run, all of them by `make fuzz`."""
