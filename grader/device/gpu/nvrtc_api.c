// The compiler and the headers that belong to it.
#include "device/gpu/nvrtc_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "device/gpu/driver.h"

#define NVRTC_TEXT_MAX                                                                             \
    (64u << 20)  // bytes of a log, cubin or PTX; more is not plausible for one kernel file

static const char *const library_names[] = {
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
};

// The possible places of the headers, for a library in FOLDER/lib or FOLDER/lib64.
static const char *const header_folders[] = {
    "include",
    "../targets/x86_64-linux/include",
    "../cuda_runtime/include",
};

static bool api_fill(void *library, struct nvrtc_api *api) {
#define NVRTC_FIND(member, name, parameters) library_symbol(library, name, &api->member) &&
    return NVRTC_FUNCTIONS(NVRTC_FIND) true;
#undef NVRTC_FIND
}

// Fills in the path of the library and, if there are any, the headers that belong to it.
// /usr/include is never used: it would bring the host's C library into device code.
static void places_find(struct nvrtc *nvrtc) {
    void *symbol = NULL;
    Dl_info info;
    memcpy(&symbol, &nvrtc->api.version, sizeof symbol);
    if (dladdr(symbol, &info) == 0 || !info.dli_fname) {
        return;
    }
    char *real = realpath(info.dli_fname, NULL);
    (void)snprintf(nvrtc->path, sizeof nvrtc->path, "%s", real ? real : info.dli_fname);
    free(real);
    char folder[PATH_BYTES_MAX];
    (void)snprintf(folder, sizeof folder, "%s", nvrtc->path);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');
        if (!slash) {
            return;
        }
        *slash = '\0';
    }
    for (size_t i = 0; i < COUNT(header_folders); i++) {
        char probe[PATH_BYTES_MAX];
        if (path_make(probe, NULL, "%s/%s/cuda_fp16.h", folder, header_folders[i]) != STATUS_OK ||
            access(probe, R_OK) != 0) {
            continue;
        }
        *strrchr(probe, '/') = '\0';
        if (strcmp(probe, "/usr/include") != 0) {
            (void)snprintf(nvrtc->toolkit, sizeof nvrtc->toolkit, "%s", probe);
            return;
        }
    }
}

enum status nvrtc_open(struct nvrtc *ret_nvrtc, struct error *err) {
    struct nvrtc nvrtc = {.library = library_open(library_names, COUNT(library_names))};
    if (!nvrtc.library) {
        return fail(
            err, STATUS_UNAVAILABLE,
            "no NVRTC: libnvrtc.so was not found; install the CUDA toolkit (11.2 or newer), "
            "or set CUDA_HOME to the folder it is in");
    }
    if (!api_fill(nvrtc.library, &nvrtc.api) ||
        nvrtc.api.version(&nvrtc.major, &nvrtc.minor) != NVRTC_RESULT_SUCCESS) {
        (void)dlclose(nvrtc.library);
        return fail(err, STATUS_UNAVAILABLE,
                    "the NVRTC found is older than 11.2; install a newer CUDA toolkit");
    }
    places_find(&nvrtc);
    *ret_nvrtc = nvrtc;
    return STATUS_OK;
}

// A text or image that a program has.
struct nvrtc_part {
    const char *what;
    nvrtc_result (*bytes)(nvrtc_program_handle, size_t *);
    nvrtc_result (*fetch)(nvrtc_program_handle, char *);
};

// Copies one part of the program; a NUL is added after it.
static enum status part_fetch(nvrtc_program_handle program, struct nvrtc_part part, char **ret_text,
                              size_t *ret_bytes, struct error *err) {
    size_t bytes = 0;
    if (part.bytes(program, &bytes) != NVRTC_RESULT_SUCCESS || bytes > NVRTC_TEXT_MAX) {
        return fail(err, STATUS_SYSTEM, "NVRTC did not return its %s", part.what);
    }
    char *text = calloc(bytes + 1, 1);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the %s", part.what);
    }
    if (bytes > 0 && part.fetch(program, text) != NVRTC_RESULT_SUCCESS) {
        free(text);
        return fail(err, STATUS_SYSTEM, "NVRTC did not return its %s", part.what);
    }
    *ret_text = text;
    *ret_bytes = bytes;
    return STATUS_OK;
}

// The log and, if it compiled, the cubin and the PTX.
static enum status outputs_fetch(const struct nvrtc_api *api, nvrtc_program_handle program,
                                 struct nvrtc_output *output, struct error *err) {
    const struct nvrtc_part log = {"log", api->log_bytes, api->log};
    const struct nvrtc_part cubin = {"cubin", api->cubin_bytes, api->cubin};
    const struct nvrtc_part ptx = {"PTX", api->ptx_bytes, api->ptx};
    size_t unused = 0;
    enum status status = part_fetch(program, log, &output->log, &unused, err);
    if (!status && output->compiled) {
        status = part_fetch(program, cubin, &output->cubin, &output->cubin_bytes, err);
    }
    if (!status && output->compiled) {
        status = part_fetch(program, ptx, &output->ptx, &unused, err);
    }
    return status;
}

enum status nvrtc_compile(const struct nvrtc *nvrtc, const char *source, const char *name,
                          const char *const *options, struct nvrtc_output *ret_output,
                          struct error *err) {
    enum status status = STATUS_OK;
    struct nvrtc_output output = {.compiled = false};
    nvrtc_program_handle program = NULL;
    int option_count = 0;
    while (options[option_count]) {
        option_count++;
    }
    nvrtc_result result = nvrtc->api.create(&program, source, name, 0, NULL, NULL);
    if (result != NVRTC_RESULT_SUCCESS) {
        return fail(err, STATUS_SYSTEM, "NVRTC cannot start (result %d)", result);
    }
    result = nvrtc->api.compile(program, option_count, options);
    output.compiled = result == NVRTC_RESULT_SUCCESS;
    status = outputs_fetch(&nvrtc->api, program, &output, err);
    if (status) {
        goto out;
    }
    if (!output.compiled && result != NVRTC_RESULT_COMPILATION) {
        status = fail(err, STATUS_SYSTEM, "NVRTC %d.%d failed (result %d): %.400s", nvrtc->major,
                      nvrtc->minor, result, output.log);
        goto out;
    }
    *ret_output = output;
    output = (struct nvrtc_output){.compiled = false};

out:
    nvrtc_output_done(&output);
    (void)nvrtc->api.destroy(&program);
    return status;
}

void nvrtc_output_done(struct nvrtc_output *output) {
    free(output->log);
    free(output->cubin);
    free(output->ptx);
    *output = (struct nvrtc_output){.compiled = false};
}
