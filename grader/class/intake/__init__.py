"""From the download of a learning platform to students and their kernel files."""
