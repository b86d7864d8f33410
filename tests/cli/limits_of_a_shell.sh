# If the shell allows too few open files, the message gives the remedy; if it allows enough, there
# is none.  A strict umask is no trouble, though a compiler may run as another user.
(ulimit -n 16 && tilegrade test)
echo "exit $?"
(ulimit -n 256 && tilegrade test --size=1x1x1 >/dev/null)
echo "exit $?"
(umask 077 && cp reference/sum.cu student/sum.cu && tilegrade test --size=1x1x1 >/dev/null)
echo "exit $?"
