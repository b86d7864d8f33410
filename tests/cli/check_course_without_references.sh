rm -r reference
tilegrade check-course
