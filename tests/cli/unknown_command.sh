tilegrade grad
