# A program that writes files without end is ended, and leaves nothing, however deep it hides it.
mkdir own tmp
cd own
cat > flood.cu <<'END'
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

int main() {
    for (int i = 0; i < 300; i++) {
        mkdir("a_folder_with_a_long_name", 0700);
        if (chdir("a_folder_with_a_long_name") != 0) {
            return 1;
        }
    }
    chdir(getenv("TMPDIR"));
    for (long i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%ld", i);
        FILE *file = fopen(name, "w");
        if (file) {
            fclose(file);
        }
    }
}
END
TMPDIR=$PWD/../tmp tilegrade run flood.cu
echo "code $?"
ls
ls -A ../tmp
