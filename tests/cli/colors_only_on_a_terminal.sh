command -v script > /dev/null || { echo "skip: no program script"; exit; }
unset NO_COLOR
script -qec "tilegrade list" /dev/null | grep -c $'\033'
NO_COLOR=1 script -qec "tilegrade list" /dev/null | grep -c $'\033'
tilegrade list | grep -c $'\033'
