tilegrade check-course
