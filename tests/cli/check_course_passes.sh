tilegrade check-course
python3 "$REPOSITORY/grader/tools/links.py"
