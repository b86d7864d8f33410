tilegrade test --size 16x16
