[ "$(id -u)" = 0 ] || { echo "skip: only root can make a small disk"; exit; }
mkdir small
unshare -m mount -t tmpfs none small 2>/dev/null || { echo "skip: no mounts here"; exit; }
grep -v @ reference/sum.cu > student/sum.cu
unshare -m bash -c '
    mount -t tmpfs -o size=16k none small
    TMPDIR=$PWD/small tilegrade test --device emu'
