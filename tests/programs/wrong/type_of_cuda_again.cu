// expect: build_error 2
struct int4 {
    int first, second, third, fourth;
};

int main() {
    int4 four = {1, 2, 3, 4};
    return four.first - 1;
}
