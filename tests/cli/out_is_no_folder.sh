echo > file
tilegrade test --out file/deep
