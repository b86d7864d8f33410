tilegrade profile sum
