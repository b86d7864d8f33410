# A program in a folder that other users cannot enter, with a header of its own, is built and run
# whatever layers the sandbox has.
mkdir -m 700 own
cd own
echo 'static int seven() { return 7; }' > seven.h
cat > program.cu <<'END'
#include <cstdio>

#include "seven.h"

int main() {
    printf("%d\n", seven());
    return 0;
}
END
for without in '' own-root own-root,namespaces own-user; do
    TILEGRADE_SANDBOX_WITHOUT=$without tilegrade run program.cu FLAGS=-I.
done
