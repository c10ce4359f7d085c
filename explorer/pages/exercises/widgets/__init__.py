"""The widgets of the exercises, by topic, and the link to the page that an exercise belongs to."""
