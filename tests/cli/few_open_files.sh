# A shell that allows too few files gets the remedy; one that allows enough is not asked.
(ulimit -n 16 && tilegrade test)
echo "exit $?"
(ulimit -n 256 && tilegrade test --size=1x1x1 >/dev/null)
echo "exit $?"
