"""Practice for students alongside a lesson: a prediction, questions."""
