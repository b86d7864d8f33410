tilegrade new product && tilegrade check-course product && tilegrade list
