# No kernel loses points because the disk is full, however little room is left.
[ "$(id -u)" = 0 ] || { echo "skip: only root can make a small disk"; exit; }
mkdir small
unshare -m mount -t tmpfs none small 2>/dev/null || { echo "skip: no mounts here"; exit; }
grep -v @ reference/sum.cu > student/sum.cu
for size in 12k 32k 64k 128k 512k; do
    SIZE=$size unshare -m bash -c '
        mount -t tmpfs -o size=$SIZE none small
        TMPDIR=$PWD/small tilegrade grade --device emu --out out > log 2>&1'
    code=$?
    why=$(grep -cE "^tilegrade: .*(no disk space|No space left)" log)
    echo "$size: exit $code; $why line says why; $(ls out 2>/dev/null | wc -l) results"
done
exit 0
