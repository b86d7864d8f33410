// prints: 3 lines, no other
// prints: Files that the program wrote and that are not kept: 2.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

// The student's files are there, and cannot be changed.
static bool source_is_kept() {
    FILE *read = fopen("writes_files.cu", "r");
    FILE *changed = fopen("writes_files.cu", "w");
    if (read) {
        fclose(read);
    }
    return read && !changed;
}

int main() {
    int lines = 0;
    std::ofstream("lines.txt") << "one\ntwo\nthree\n";
    std::ifstream in("lines.txt");
    for (std::string line; std::getline(in, line);) {
        lines++;
    }
    if (mkdir("results", 0777) != 0 || !std::ofstream("results/empty.txt") || !source_is_kept()) {
        return 1;
    }
    FILE *outside = fopen("../outside.txt", "w");
    printf("%d lines, %s other\n", lines, outside ? "an" : "no");
    return 0;
}
