tilegrade test --exercise som
