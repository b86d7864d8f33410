tilegrade new sum; tilegrade new Sum; tilegrade new ../sum
