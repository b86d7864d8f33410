tilegrade test --fast
