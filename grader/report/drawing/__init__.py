"""The drawings of the page, as numbers and texts; its templates make them visible."""
