"""Views and ways as files that travel: one HTML file that needs no server, and packages for course platforms."""
