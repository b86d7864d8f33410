int check_errors_and_time(const float *x, const float *y, const float *ms, int N) {
    for (int i = 0; i < N; ++i) {
        if (y[i] != 2 * x[i]) {
            return 1 + i;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (!(ms[i] >= 0 && ms[i] < 1e6f)) {
            say("ms[%d] is no time in milliseconds.", i);
            return -1;
        }
    }
    return 0;
}
