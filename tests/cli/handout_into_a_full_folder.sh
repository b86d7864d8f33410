tilegrade handout --out lessons
