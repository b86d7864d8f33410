// The second file of error_in_another_file.cu: line 3 uses an unknown name.
int one(void) {
    return two - 1;
}
