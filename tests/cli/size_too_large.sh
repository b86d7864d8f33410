tilegrade test --size 99999
