void two_devices(const number *x, number *sum, int N) {
    number all = 0;
    for (int i = 0; i < N; ++i) {
        all += x[i];
    }
    sum[0] = all;
}
