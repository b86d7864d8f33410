// Runs one kernel on the CPU device without judge, worker or sandbox: for tests of the machine
// itself.
//
// Linked with a kernel's object and the library of the worker.  Usage: exe MxNxK [check] [count]
// [junk] [sample=D] [repeat=R] [budget=B] [cpu_ms=T] [processes=P] [order=O].  Prints one line for
// the end, the product's state, each finding and each count; tests/emu/run reads them.
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/random.h"
#include "device/channel/launcher.h"
#include "emu/machine/emu.h"
#include "emu/memory/block_order.h"

#define POISON 0x7fc00badu  // a NaN that no shuffle and no fresh memory gives

struct options {
    struct size size;
    uint32_t observe;
    uint64_t sample_draw;
    int repeat;
    uint64_t budget;
    uint64_t cpu_ms;
    bool show;    // A, B and C, element by element
    bool places;  // the counted work, place by place
    uint32_t processes;
    uint64_t order;
};

// The __shared__ arrays, from this program's own symbols.  (In the product the inspector reads
// them.)
static void table_read(const char *program, struct shared_array_table *table) {
    FILE *file = fopen(program, "rb");  // under an emulator, /proc/self/exe is the emulator
    static char image[64 << 20];
    size_t bytes = file ? fread(image, 1, sizeof image, file) : 0;
    const Elf64_Ehdr *header = (const void *)image;
    const Elf64_Shdr *section = (const void *)(image + header->e_shoff);
    if (file) {
        (void)fclose(file);
    }
    for (int s = 0; bytes > 0 && s < header->e_shnum; s++) {
        if (section[s].sh_type != SHT_SYMTAB) {
            continue;
        }
        const Elf64_Sym *symbol = (const void *)(image + section[s].sh_offset);
        const char *names = image + section[section[s].sh_link].sh_offset;
        for (size_t i = 0; i < section[s].sh_size / sizeof *symbol; i++) {
            const char *name = names + symbol[i].st_name;
            bool dynamic = symbol[i].st_size == 0 && ELF64_ST_BIND(symbol[i].st_info) == STB_GLOBAL;
            bool array = ELF64_ST_TYPE(symbol[i].st_info) == STT_TLS &&
                         symbol[i].st_shndx != SHN_UNDEF && strncmp(name, "_ZGV", 4) != 0 &&
                         (dynamic ? name[0] != '$' && name[0] != '.' : strncmp(name, "_Z", 2) == 0);
            if (array && table->count < SHARED_ARRAYS_MAX) {
                struct shared_array *entry = &table->array[table->count++];
                entry->offset = symbol[i].st_value;
                entry->bytes = dynamic ? 0 : symbol[i].st_size;
                entry->is_dynamic = dynamic;
                (void)snprintf(entry->name, sizeof entry->name, "%s", name);
            }
        }
    }
}

static bool options_read(int count, char **argument, struct options *ret_options) {
    struct options options = {.repeat = 1, .budget = 1u << 30, .cpu_ms = 5000};
    if (count < 2 || size_parse(argument[1], &options.size, NULL)) {
        return false;
    }
    for (int i = 2; i < count; i++) {
        const char *equals = strchr(argument[i], '=');
        unsigned long long value = equals ? strtoull(equals + 1, NULL, 10) : 0;
        if (strcmp(argument[i], "check") == 0) {
            options.observe |= EMU_CHECK;
        } else if (strcmp(argument[i], "count") == 0) {
            options.observe |= EMU_COUNT;
        } else if (strcmp(argument[i], "junk") == 0) {
            options.observe |= EMU_JUNK;
        } else if (strcmp(argument[i], "lanes") == 0) {
            options.observe |= EMU_LANES;
        } else if (strcmp(argument[i], "olds") == 0) {
            options.observe |= EMU_OLDS;
        } else if (strncmp(argument[i], "sample=", 7) == 0) {
            options.observe |= EMU_SAMPLE;
            options.sample_draw = value;
        } else if (strcmp(argument[i], "places") == 0) {
            options.places = true;
        } else if (strcmp(argument[i], "show") == 0) {
            options.show = true;
        } else if (strncmp(argument[i], "repeat=", 7) == 0) {
            options.repeat = (int)value;
        } else if (strncmp(argument[i], "budget=", 7) == 0) {
            options.budget = value;
        } else if (strncmp(argument[i], "cpu_ms=", 7) == 0) {
            options.cpu_ms = value;
        } else if (strncmp(argument[i], "order=", 6) == 0) {
            options.order = value;
        } else if (strncmp(argument[i], "processes=", 10) == 0) {
            options.processes = (uint32_t)value;
        } else {
            return false;
        }
    }
    *ret_options = options;
    return true;
}

static const char *const global_name[GLOBAL_ARRAY_COUNT] = {
    [ARRAY_A] = "A", [ARRAY_B] = "B", [ARRAY_C] = "C", [ARRAY_WORKSPACE] = "workspace"};

static const char *array_name(const struct finding *finding,
                              const struct shared_array_table *table) {
    if (finding->space == SPACE_GLOBAL && finding->array < GLOBAL_ARRAY_COUNT) {
        return global_name[finding->array];
    }
    return finding->space == SPACE_SHARED && finding->array < table->count
               ? table->array[finding->array].name
               : "-";
}

static void result_print(const struct emu_result *result, const struct shared_array_table *table) {
    printf("end %s\n", result->end == EMU_FINISHED ? "finished" : "stopped");
    for (uint32_t i = 0; i < result->findings.count; i++) {
        const struct finding *f = &result->findings.list[i];
        printf("finding %s severity=%u detail=%u flags=%u pc=0x%llx other_pc=0x%llx array=%s "
               "offset=%lld bytes=%llu "
               "count=%llu waiting=%u absent=%u block=%u,%u,%u thread=%u,%u,%u other=%u,%u,%u "
               "space=%u access=%u other_access=%u phases=%u inits=%u init_number=%u "
               "other_offset=%lld phase_bytes=%lld\n",
               finding_kind_name(f->kind), f->severity, f->detail, f->flags,
               (unsigned long long)f->pc, (unsigned long long)f->other_pc, array_name(f, table),
               (long long)f->offset, (unsigned long long)f->array_bytes,
               (unsigned long long)f->count, f->count_waiting, f->count_absent, f->block[0],
               f->block[1], f->block[2], f->thread[0], f->thread[1], f->thread[2],
               f->other_thread[0], f->other_thread[1], f->other_thread[2], f->space, f->access,
               f->other_access, f->phases, f->inits, f->init_number, (long long)f->other_offset,
               (long long)f->phase_bytes);
    }
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct coverage_gap *gap = &result->coverage.gap[i];
        if (gap->missing > 0) {
            printf("gap %s missing=%llu box=%u,%u-%u,%u rows=%u:%u-%u columns=%u:%u-%u\n",
                   global_name[i], (unsigned long long)gap->missing, gap->first[0], gap->first[1],
                   gap->last[0], gap->last[1], gap->row_count, gap->rows[0], gap->rows[1],
                   gap->column_count, gap->columns[0], gap->columns[1]);
        }
    }
#define PRINT_COUNT(field, text)                                                                   \
    printf("count " #field " %llu\n", (unsigned long long)result->counts.field);
    COUNT_FIELDS(PRINT_COUNT)
#undef PRINT_COUNT
}

// The counted work, place by place.
static void places_print(const struct count_lines *lines) {
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct count_line *line = &lines->access[i];
        printf("place 0x%llx kind=%u requests=%llu units=%llu ideal=%llu bytes=%llu lanes=%llu\n",
               (unsigned long long)line->pc, line->kind, (unsigned long long)line->requests,
               (unsigned long long)line->units, (unsigned long long)line->ideal,
               (unsigned long long)line->bytes, (unsigned long long)line->lanes);
    }
    for (uint32_t i = 0; i < lines->flops_count; i++) {
        printf("flops %llu %llu\n", (unsigned long long)lines->flops[i].line,
               (unsigned long long)lines->flops[i].flops);
    }
}

static void fill(float *elements, size_t count, uint64_t label) {
    const struct random_key key = {{label, 7}};
    for (size_t i = 0; i < count; i++) {
        elements[i] = (float)random_below(key, i, 15) - 7.0f;
    }
}

struct matrices {
    float *a, *b, *c;
};

// Small integers: the product is exact in any order.
static bool product_right(const struct options *options, const struct matrices *matrices) {
    size_t n = (size_t)options->size.n;
    size_t depth = (size_t)options->size.k;
    for (size_t i = 0; i < size_elements_c(options->size); i++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            sum += (double)matrices->a[i / n * depth + k] * (double)matrices->b[k * n + i % n];
        }
        if (!((double)matrices->c[i] == sum)) {
            return false;
        }
    }
    return true;
}

// FNV-1a: tells whether two runs left the same bytes.
static uint64_t digest(const float *elements, size_t count) {
    const unsigned char *bytes = (const unsigned char *)elements;
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count * sizeof *elements; i++) {
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

static void matrix_print(const char *name, const float *elements, size_t count) {
    printf("%s", name);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &elements[i], sizeof bits);
        if (bits == POISON) {
            printf(" poison");
        } else {
            printf(" %.9g", (double)elements[i]);
        }
    }
    printf("\n");
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A [M][K], B [K][N], C [M][N], M, N, K.
static struct arguments arguments_make(struct size size) {
    struct arguments arguments = {.count = 6};
    const int32_t extent[3][2] = {{size.m, size.k}, {size.k, size.n}, {size.m, size.n}};
    for (uint32_t i = 0; i < 3; i++) {
        for (int d = 0; d < 2; d++) {
            arguments.extent[i][d] = (uint32_t)extent[i][d];
        }
        arguments.list[i] = (struct argument){.kind = ARGUMENT_ARRAY,
                                              .is_input = i < 2,
                                              .one_bytes = sizeof(float),
                                              .bytes = sizeof(float) * (uint64_t)extent[i][0] *
                                                       (uint64_t)extent[i][1]};
        arguments.list[3 + i] = (struct argument){
            .kind = ARGUMENT_INTEGER, .one_bytes = sizeof(int32_t), .value = (uint64_t)size.at[i]};
    }
    return arguments;
}

static void poison(float *c, struct size size) {
    static const uint32_t bits = POISON;
    for (size_t i = 0; i < size_elements_c(size); i++) {
        memcpy(&c[i], &bits, sizeof bits);
    }
}

// One launch as the worker does it.  Returns false if there is no configuration to launch.
static bool launch(struct emu_machine *machine, const struct options *options,
                   const struct matrices *matrices, struct emu_result *result, struct error *err) {
    const struct arguments arguments = arguments_make(options->size);
    struct emu_request request = {.size = options->size,
                                  .observe = options->observe,
                                  .sample_draw = options->sample_draw,
                                  .access_budget = options->budget,
                                  .cpu_ms_max = options->cpu_ms,
                                  .processes = options->processes,
                                  .order = options->order,
                                  .arguments = &arguments,
                                  .array = {matrices->a, matrices->b, matrices->c}};
    struct launch_config config;
    if (emu_configure(machine, options->size, &config, result, err)) {
        return false;
    }
    enum bad_launch bad = launch_plan_make(&config, &request.plan);
    for (uint32_t i = 0; bad == BAD_LAUNCH_NONE && i < request.plan.count; i++) {
        const struct plan_launch *one = &request.plan.launch[i];
        bad = launch_config_check(one->grid, one->block, one->shared_bytes, 0, 0);
    }
    bad = bad ? bad : launch_plan_fits(&request.plan, &arguments);
    bad = bad ? bad : launch_plan_known(&request.plan);
    if (result->end != EMU_FINISHED || bad) {
        printf("configuration: %s\n", bad_launch_text(bad));
        return false;
    }
    bool ran = true;
    if (order_is_drawn(options->order)) {  // which follows the usual one, as in the judge
        poison(matrices->c, options->size);
        request.order = ORDER_FORWARD;
        ran = emu_run(machine, &request, result, err) == STATUS_OK;
    }
    poison(matrices->c, options->size);
    request.order = options->order;
    return ran && emu_run(machine, &request, result, err) == STATUS_OK;
}

int main(int count, char **argument) {
    static struct shared_array_table table;
    static struct emu_result result;
    struct options options;
    struct error err = {.text = ""};
    struct emu_machine *machine = NULL;
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (!options_read(count, argument, &options)) {
        (void)fprintf(stderr,
                      "usage: %s MxNxK [check] [count] [junk] [sample=D] [junk] [sample=D] "
                      "[repeat=R] [budget=B] [cpu_ms=T] "
                      "[processes=P] [order=O] [show] [places]\n",
                      argument[0]);
        return 2;
    }
    struct matrices matrices = {.a = malloc(size_elements_a(options.size) * sizeof(float)),
                                .b = malloc(size_elements_b(options.size) * sizeof(float)),
                                .c = malloc(size_elements_c(options.size) * sizeof(float))};
    if (!matrices.a || !matrices.b || !matrices.c) {
        return 3;
    }
    fill(matrices.a, size_elements_a(options.size), 1);
    fill(matrices.b, size_elements_b(options.size), 2);
    table_read(argument[0], &table);
    double best = 1e30;
    bool launched = emu_open(&table, &machine, &err) == STATUS_OK;
    for (int i = 0; launched && i < options.repeat; i++) {
        double start = seconds_now();
        launched = launch(machine, &options, &matrices, &result, &err);
        double seconds = seconds_now() - start;
        best = seconds < best ? seconds : best;
    }
    result_print(&result, &table);
    if (options.places) {
        places_print(&result.counts.lines);
    }
    if (launched && options.show) {
        matrix_print("A", matrices.a, size_elements_a(options.size));
        matrix_print("B", matrices.b, size_elements_b(options.size));
        matrix_print("C", matrices.c, size_elements_c(options.size));
    }
    if (launched) {
        printf("product %s\n", product_right(&options, &matrices) ? "right" : "wrong");
        printf("bytes of C %016llx\n",
               (unsigned long long)digest(matrices.c, size_elements_c(options.size)));
        (void)fprintf(stderr, "processes %u\n", result.processes);
        (void)fprintf(stderr, "launch %.3f ms\n", 1e3 * best);
    }
    emu_close(machine);
    free(matrices.a);
    free(matrices.b);
    free(matrices.c);
    if (err.text[0] != '\0') {
        (void)fprintf(stderr, "%s\n", err.text);
    }
    return err.text[0] != '\0' ? 3 : 0;
}
