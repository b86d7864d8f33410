[ "$(id -u)" != 0 ] || { echo "skip: root reads everything"; exit; }
chmod 000 student/sum.cu
tilegrade test
