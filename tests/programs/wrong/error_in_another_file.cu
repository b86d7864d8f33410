// expect: build_error 3
// files: parts/lacks_a_name.cu
int one(void);

int main() {
    return one() - 1;
}
