"""What the page draws, as numbers and texts; its templates make them visible."""
