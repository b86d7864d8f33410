// What the second file of two_files.cu offers.
#pragma once

int count_threads(int blocks, int threads);
