"""The reading that a report recommends: sections of the lessons, and their places."""
