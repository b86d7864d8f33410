tilegrade test
code=$?
tilegrade list
exit $code
