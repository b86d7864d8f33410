# A compiler that instruments differently is refused before it can make a right kernel look wrong.
printf '#!/bin/sh\necho "Some clang version 19.1.7"\n' > clang++
printf '#!/bin/sh\n[ "$1" = --version ] && echo "g++ (Some Linux) 9.4.0" || echo 9.4.0\n' > g++-9
chmod +x clang++ g++-9
grep -v @ reference/sum.cu > student/sum.cu
TILEGRADE_CXX=./clang++ tilegrade test --device emu
echo "exit $?"
TILEGRADE_CXX=./g++-9 tilegrade test --device emu
echo "exit $?"
TILEGRADE_CXX=g++-of-nobody tilegrade test --device emu
