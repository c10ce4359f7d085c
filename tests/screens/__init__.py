"""Every page opened without a browser: what it shows, at which settings, and that nothing breaks it."""
