"""The reports of a whole class: gradebook, files for learning platforms, page, feedback."""
