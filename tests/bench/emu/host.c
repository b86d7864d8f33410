// Runs a kernel of kernels.cl with the installed OpenCL, and prints how long each launch took.
//
// Usage: host KERNELS.cl matmul_tiled N REPEATS.  Prints the device, then one line with the seconds
// of each launch, and checks the product: the exit code is 1 if it is wrong.  Under Oclgrind the
// kernels must be built without -g, which would make it several times slower.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOURCE_BYTES 65536
#define GROUP        16

static void must(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        (void)fprintf(stderr, "%s: OpenCL error %d\n", what, code);
        exit(3);
    }
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cl_kernel kernel_build(cl_context context, cl_device_id device, const char *path,
                              const char *name) {
    static char text[SOURCE_BYTES];
    const char *source = text;
    cl_int code = CL_SUCCESS;
    FILE *file = fopen(path, "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0) {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        exit(3);
    }
    (void)fclose(file);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    must(code, "program");
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    must(code, name);
    return kernel;
}

// Small integers: the product is exact.
static int is_right(const float *a, const float *b, const float *c, size_t n) {
    for (size_t i = 0; i < n * n; i += 97) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += (double)a[i / n * n + k] * (double)b[k * n + i % n];
        }
        if ((double)c[i] != sum) {
            return 0;
        }
    }
    return 1;
}

int main(int count, char **argument) {
    if (count != 5) {
        (void)fprintf(stderr, "usage: %s KERNELS.cl NAME N REPEATS\n", argument[0]);
        return 2;
    }
    const cl_int n = atoi(argument[3]);
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *matrix[3] = {malloc(bytes), malloc(bytes), calloc(1, bytes)};
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        matrix[0][i] = (float)(i * 7 % 15) - 7.0f;
        matrix[1][i] = (float)(i * 11 % 15) - 7.0f;
    }
    cl_platform_id platform;
    cl_device_id device;
    char name[256];
    cl_int code = CL_SUCCESS;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    must(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    printf("%s\n", name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must(code, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    must(code, "queue");
    cl_kernel kernel = kernel_build(context, device, argument[1], argument[2]);
    cl_mem buffer[3];
    for (cl_uint i = 0; i < 3; i++) {
        buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                   matrix[i], &code);
        must(code, "buffer");
        must(clSetKernelArg(kernel, i, sizeof buffer[i], &buffer[i]), "argument");
        must(clSetKernelArg(kernel, i + 3, sizeof n, &n), "argument");
    }
    const size_t local[2] = {GROUP, GROUP};
    const size_t side = ((size_t)n + GROUP - 1) / GROUP * GROUP;
    const size_t global[2] = {side, side};
    for (int i = 0; i < atoi(argument[4]); i++) {
        double start = seconds_now();
        must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
             "launch");
        must(clFinish(queue), "finish");
        printf("%.6f\n", seconds_now() - start);
    }
    must(clEnqueueReadBuffer(queue, buffer[2], CL_TRUE, 0, bytes, matrix[2], 0, NULL, NULL),
         "read");
    return is_right(matrix[0], matrix[1], matrix[2], (size_t)n) ? 0 : 1;
}
