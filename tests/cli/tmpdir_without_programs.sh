# If no program may be run from TMPDIR, the message gives the remedy.
mkdir tmp
cp reference/sum.cu student/sum.cu
if ! unshare -m mount -t tmpfs -o noexec tmpfs tmp 2>/dev/null; then
    echo "skip: no file system can be mounted here"
    exit
fi
unshare -m bash -c 'mount -t tmpfs -o noexec tmpfs tmp && TMPDIR=$PWD/tmp tilegrade test' 2>&1 |
    sed 's/tilegrade\.[^:]*:/tilegrade.X:/'
echo "exit ${PIPESTATUS[0]}"
