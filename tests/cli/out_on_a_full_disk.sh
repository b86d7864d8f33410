[ "$(id -u)" = 0 ] || { echo "skip: only root can make a small disk"; exit; }
mkdir small
unshare -m mount -t tmpfs none small 2>/dev/null || { echo "skip: no mounts here"; exit; }
grep -v @ reference/sum.cu > student/sum.cu
unshare -m bash -c '
    mount -t tmpfs -o size=16k none small
    echo earlier > small/result.json
    head -c 100000 /dev/zero > small/filler 2>/dev/null
    tilegrade test --out small
    code=$?
    cat small/result.json
    ls small
    exit $code'
