void whole_program(const number *x, const number *y, number *z, int N) {
    EACH(i, N) {
        z[i] = x[i] + y[i];
    }
}
