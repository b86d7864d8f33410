mkdir temporary temporary/tilegrade.99999999.abcdef temporary/other
export TMPDIR=$PWD/temporary
grep -v @ reference/sum.cu > student/sum.cu
tilegrade test --device emu --size 512 >said 2>&1 &
run=$!
# the folder of a killed run, whose process is gone, is removed at the start
until [ ! -e temporary/tilegrade.99999999.abcdef ] && ls temporary/tilegrade.* >/dev/null 2>&1 &&
        grep -q "stops it" said; do
    sleep 0.05
done
kill -TERM $run
wait $run
code=$?
cat said
echo "exit code $code"
ls temporary
ls build/test
