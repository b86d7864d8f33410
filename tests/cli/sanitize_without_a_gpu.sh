tilegrade test --sanitize
