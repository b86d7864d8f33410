# TILEGRADE_CXX names the compiler of kernels, and doctor shows it.
printf '#!/bin/sh\necho used >> "%s/log"\nexec /usr/bin/g++ "$@"\n' "$PWD" > my-g++
chmod +x my-g++
TILEGRADE_CXX=./my-g++ tilegrade doctor | tr -s "\n " " " |
    grep -o "g++ compiles.*my-g++:.*(TILEGRADE_CXX)" |
    sed "s|:[^:]*(TIL| … (TIL|"
rm -f log
grep -v @ reference/sum.cu > student/sum.cu
TILEGRADE_CXX=./my-g++ tilegrade test --device emu > /dev/null
echo "test: $?"
sort -u log
