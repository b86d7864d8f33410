"""What a student tries next to a lesson: a prediction, questions."""
