tilegrade hint sums
tilegrade hint product
tilegrade handout
tilegrade new
