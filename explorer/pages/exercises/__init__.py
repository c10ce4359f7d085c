"""The page of exercises: settings, facts and figures by topic, and the widgets of each exercise."""
