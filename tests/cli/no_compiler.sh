[ "$(id -u)" = 0 ] || { echo "skip: only root can hide the compiler"; exit; }
: > nothing
unshare -m mount --bind nothing /usr/bin/g++ 2>/dev/null || { echo "skip: no mounts here"; exit; }
mkdir -p build/test
echo earlier > build/test/result.json
grep -v @ reference/sum.cu > student/sum.cu
unshare -m bash -c '
    for compiler in /usr/bin/*g++* /usr/bin/c++; do
        mount --bind nothing "$(realpath $compiler)" 2>/dev/null
    done
    tilegrade test --device emu'
code=$?
cat build/test/result.json
exit $code
