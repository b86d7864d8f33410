"""What a report tells people to read: sections of the lessons, and where they are."""
