"""From what a learning platform hands out to students and their kernel files."""
