# tilegrade: one makefile, no recursion.  `make` alone says what to type.
# While this file is read, nothing may need a package that `make setup` installs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += -r
$(if $(filter-out $(CURDIR),$(realpath $(dir $(lastword $(MAKEFILE_LIST))))),$(error run make in the folder of the course: make -C $(dir $(lastword $(MAKEFILE_LIST)))),)

# --- The command line ----------------------------------------------------------------------------
# A value that is typed, or a name from the environment, is text: a `$` in it expands nothing, neither
# here nor in the environment of a program.  A folder may be named x/$(shell …), so this comes first.
OWN := V ALL DEV QUICK SAN SECONDS SETS STATIC STATUS T TAP TARGET WERROR XML
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
INHERITED := $(foreach name,$(OWN),$(if $(filter environment,$(firstword $(origin $(name)))),$(name)))
$(foreach name,$(GIVEN) $(INHERITED),$(eval override $(name) := $$(value $(name))))

$(if $(filter LANGUAGE,$(GIVEN)),$(eval export TILEGRADE_LANGUAGE := $$(LANGUAGE)))
Q := $(if $(V),,@)
quote := '
quoted = '$(subst $(quote),'\'',$1)'
comma := ,

# The goals that build/tilegrade does, with the typed options: it knows them, so this file does not.
COMMANDS := test run watch hint list grade show submit doctor next reset debug practice report \
	class regrade new stubs check-course handout pack bench
GOALS := setup help all check check-gpu lint format clean
HIDDEN := packages unit format-check fuzz
# Words after a goal name exercises: `make test tiled 3`.  All are read before anything runs.
CALLED := $(filter $(COMMANDS),$(MAKECMDGOALS))
WORDS := $(filter-out build/% $(MAKEFILE_LIST) $(COMMANDS) $(GOALS) $(HIDDEN),$(MAKECMDGOALS))
ifneq ($(and $(WORDS),$(if $(CALLED),$(findstring :,$(WORDS)),none)),)
word := $(call quoted,$(firstword $(WORDS)))
$(error $(or $(if $(wildcard build/tilegrade),$(shell build/tilegrade $(word) --goals $(GOALS) 2>&1)),there is no goal $(word) here; `make help ALL=1` lists them))
endif
ifneq ($(WORDS),)
.PHONY: $(WORDS)
$(WORDS): ; @:
endif

# The program refuses a misspelt name; goals of this file take those in OWN.  A make above may pass its own.
PASSED := $(filter-out $(OWN) BUILD CC AR CFLAGS FUZZ_% HOME LC_% NO_COLOR PATH TMPDIR CUDA_% TILEGRADE_%,$(GIVEN))
ifneq ($(and $(PASSED),$(filter 0,$(MAKELEVEL)),$(if $(CALLED),,none)),)
$(if $(filter-out LANGUAGE,$(PASSED)),$(error there is no $(firstword $(PASSED)) here; `make help ALL=1` lists what there is))
endif
typed = --from-make $(foreach name,$(PASSED),$(call quoted,$(name)=$($(name)))) $(foreach word,$(WORDS),$(call quoted,$(word)))

# --- Variants ------------------------------------------------------------------------------------
# SAN=address,undefined builds everything but the emulator's worker with sanitizers, into its own
# folder, at -Og, because building costs more than running.  WERROR=1: a compiler warning is an error.
# STATIC=aarch64-linux-gnu builds static programs for that processor, with the libraries that
# grader/tools/release.py has put into its folder.
BUILD := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))$(if $(STATIC),/release/$(STATIC))
OBJ := $(BUILD)/obj
PROGRAMS := $(addprefix $(BUILD)/,tilegrade tilegrade-inspect tilegrade-nvrtc tilegrade-gpu-worker \
	tilegrade-bench tilegrade-unpack emu-worker.o libemu-worker.a program-names libexpected.a tests/course $(if $(STATIC),,precompiled/made))
FIRST := $(filter setup clean,$(MAKECMDGOALS))

# These goals need no build, or one that is up to date if nothing is newer than the stamp, which is
# made last.  Then the part of this file that builds is left out, because reading it takes longer than
# most commands.
STAMP := $(BUILD)/built
SIMPLE := setup lint format format-check packages $(if $(ALL),,help)
ifneq ($(filter-out $(WORDS) $(COMMANDS) $(SIMPLE),$(or $(MAKECMDGOALS),help)),)
BUILDS := yes
else ifneq ($(CALLED),)
BUILDS := $(if $(wildcard $(STAMP)),$(shell find Makefile grader tests/kernels -type f -newer $(STAMP) ! -name '*.pyc*' -print -quit),yes)
endif

##@ First
help: $(if $(ALL),$(STAMP)) ## what to type (ALL=1: every goal)
ifeq ($(ALL),)
	@bash grader/tools/setup.sh --start
else
	@$(BUILD)/tilegrade help
	@awk -v whole='$(wildcard reference)' 'BEGIN {FS = ":.*## "} /^##@/ {group = substr($$0, 5); title = "\n" group "\n"} \
		/^[a-z-]+:.*## / && (whole || group == "First") {printf "%s  %-13s %s\n", title, $$1, $$2; title = ""}' Makefile
endif

setup: ## install what is needed, or say the line to run (DEV=1: more)
	$(Q)DEV=$(DEV) bash grader/tools/setup.sh

all: $(STAMP) ## build the program; every goal that needs it does so itself

clean: ## remove all built files
	$(Q)rm -rf build

# --- Commands of the program ---------------------------------------------------------------------
.PHONY: $(COMMANDS) $(GOALS) $(HIDDEN)
$(COMMANDS): $(if $(BUILDS),$(STAMP))
$(filter-out test regrade check-course,$(COMMANDS)):
	$(Q)$(BUILD)/tilegrade $@ $(typed)

test:
	$(Q)V=$(call quoted,$(V)) TAP=$(call quoted,$(TAP)) XML=$(call quoted,$(XML)) $(BUILD)/tests/course $(BUILD)/tilegrade $(typed)

regrade:
	$(Q)if [ -d $(call quoted,$(value RESULT)) ]; then $(BUILD)/tilegrade class regrade $(typed); else $(BUILD)/tilegrade $@ $(typed); fi

check-course: build/wrong
	$(Q)$(BUILD)/tilegrade check-course $(typed); code=$$?; \
	/usr/bin/python3 grader/tools/links.py $(call quoted,$(or $(value EX),$(WORDS))) && exit $$code

# Wrong kernels; most are kept as patches of right kernels.
build/wrong: FORCE | $(FIRST)
	$(Q)/usr/bin/python3 grader/tools/patches.py unfold
FORCE:

doctor: packages
# Runs before the program is built, because the build needs these packages.
packages: | $(FIRST)
	$(Q)bash grader/tools/setup.sh --check

# --- Building ------------------------------------------------------------------------------------
ifneq ($(BUILDS),)
CC := $(if $(STATIC),$(STATIC)-gcc,$(CC))
AR := $(if $(STATIC),$(STATIC)-ar,$(AR))
SYSROOT := $(BUILD)/sysroot/usr
CPPFLAGS := -D_GNU_SOURCE -Igrader $(if $(STATIC),-isystem $(SYSROOT)/include -isystem $(SYSROOT)/include/$(STATIC))
WARNINGS := -Wall -Wextra -Wno-missing-braces -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror=implicit $(if $(WERROR),-Werror)
# The first error that a sanitizer finds ends the program, so that it fails a test.
CFLAGS := -std=c11 $(if $(SAN),-g1 -Og,-g -O2) $(WARNINGS) -fstack-protector-strong -fPIE $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS := $(if $(STATIC),-static-pie -s -L$(SYSROOT)/lib/$(STATIC),-pie) -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
LDLIBS := -ljansson -linih -lmd -lseccomp -ldl -lm -pthread
# The packages that these need themselves.
STATIC_LIBS := $(if $(STATIC),-lnettle -lacl -llz4 -lzstd -lbz2 -llzma -lz)
# The worker of the CPU device is linked statically with the student's object; see grader/README.md.
# Each build of a kernel reads and hashes it, so it has no debug information.
EMU_CFLAGS := -std=c11 -O2 $(WARNINGS) -fno-pie -fno-stack-protector -fcf-protection=none

sources = $(foreach folder,$1,$(wildcard grader/$(folder)/*.c grader/$(folder)/*/*.c))
assembly = $(foreach folder,$1,$(wildcard grader/$(folder)/*.S grader/$(folder)/*/*.S))

# The sources that all programs share.  Only the worker contains the CPU device, and the worker's end of the
# channel.
LIB_SRC := $(filter-out grader/device/emu/%,$(call sources,base emu/wire exercise sandbox device measure judge)) build/texts/zh.c
APP_SRC := $(filter-out grader/app/programs/%,$(call sources,app))
EMU_SRC := $(call sources,base emu device/emu device/channel) $(call assembly,emu) grader/app/programs/worker.c
EXPECTED_SRC := $(call sources,expected)
LADDER_SRC := $(call sources,tools/ladder)
# The checkers and the counter are pure, so unit tests link them, even with sanitizers.
EMU_PURE_SRC := $(call sources,emu/memory emu/check emu/count emu/tensor)

objects = $(patsubst %,$(OBJ)/%.o,$(basename $1))

# A file edited while the compiler works is newer than the stamp.  Another make may be faster.
$(shell mkdir -p $(BUILD) && touch $(STAMP).begun)
$(STAMP): $(PROGRAMS) build/texts/zh.mo
	@mv $@.begun $@ 2>/dev/null || [ -e $@ ]

# The program is built on all cores unless -j is given: students do not know of -j.
# Several goals run one after the other, so that their output stays in order.
ifneq ($(and $(filter 0,$(MAKELEVEL)),$(filter 0 1,$(words $(filter-out $(FIRST) $(WORDS),$(MAKECMDGOALS))))),)
MAKEFLAGS += $(if $(shell tr '\0' '\n' </proc/$$PPID/cmdline | grep -E '^(-[a-zA-Z]*j|--jobs)' | head -n 1),,-j$(shell nproc))
endif

HEADERS := archive.h check.h elfutils/libdw.h gelf.h ini.h jansson.h seccomp.h sha2.h
BEGUN := $(OBJ)/begun
$(BEGUN): | $(FIRST)
	@bash grader/tools/setup.sh --begin $(firstword $(CC)) $(AR) $(if $(STATIC),stdio.h,$(HEADERS))
	@mkdir -p $(@D) && touch $@

# A terminal shows the progress of the build, because students wait for it.
NEW := $(if $(wildcard $(BUILD)/tilegrade),,new)
ALL_OBJECTS = $(sort $(call objects,$(LIB_SRC) $(APP_SRC) $(LADDER_SRC) $(wildcard grader/app/programs/*.c)) $(EMU_SRC) $(EXPECTED_SRC))
DRAWS = [ -t 2 ] && [ "$${TERM:-dumb}" != dumb ]
STEP = $(eval BUILT += .)@! { $(DRAWS); } || printf '\r\033[K  building the grader: %d$(if $(NEW), of %d)' $(words $(BUILT)) $(if $(NEW),$(words $(ALL_OBJECTS))) >&2
STEPS_END = @! { $(DRAWS); } || printf '\r\033[K' >&2

# A recipe makes each file under a name of its own process and renames it, so that two makes in this
# folder work twice but never read a file that the other one has half written.
INTO = -o $@.$$$$ && mv $@.$$$$ $@

# Objects in the folder $1, made by the compiler $2 with the flags $3; made again if any of these
# changes.
define compile
$1/%.o: %.c $1/flags | $(BEGUN)
	@mkdir -p $$(@D)
	$$(STEP)
	$(Q)$2 $(CPPFLAGS) $3 -MMD -MP -MF $$(@:.o=.d) -MT $$@ -c $$< -o $$@.$$$$$$$$ && mv $$@.$$$$$$$$ $$@

$1/%.o: %.S $1/flags | $(BEGUN)
	@mkdir -p $$(@D)
	$$(STEP)
	$(Q)$2 $(CPPFLAGS) -g -c $$< -o $$@.$$$$$$$$ && mv $$@.$$$$$$$$ $$@

$1/flags: FORCE
	@mkdir -p $$(@D)
	@echo '$2 $(CPPFLAGS) $3' | cmp -s - $$@ || echo '$2 $(CPPFLAGS) $3' >$$@
endef

# The emulator's worker, and the same for aarch64, run under qemu-user by tests/emu/portability.py.
EMU_OBJ := $(if $(STATIC),$(OBJ),build/obj)/emu-worker
ARM_OBJ := build/aarch64
$(eval $(call compile,$(OBJ),$(CC),$(CFLAGS)))
$(eval $(call compile,$(EMU_OBJ),$(CC),$(EMU_CFLAGS)))
$(eval $(call compile,$(ARM_OBJ),aarch64-linux-gnu-gcc,$(EMU_CFLAGS)))

# The Chinese texts are a table in the programs, and a file that reports read.
build/texts/%.mo: grader/texts/%.po | $(BEGUN)
	@mkdir -p $(@D)
	$(Q)msgfmt --check-format --output-file=$@.$$$$ $< && mv $@.$$$$ $@

build/texts/zh.c: grader/texts/zh.po build/texts/zh.mo grader/tools/texts.py
	$(Q)/usr/bin/python3 grader/tools/texts.py table

# Members of an archive may share a base name: `q` keeps them all.
$(BUILD)/libtilegrade.a: $(call objects,$(LIB_SRC))
$(BUILD)/libapp.a: $(call objects,$(APP_SRC))
$(BUILD)/libemu-pure.a: $(call objects,$(EMU_PURE_SRC))
$(BUILD)/libemu-worker.a: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(EMU_SRC)))
$(BUILD)/libexpected.a: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(EXPECTED_SRC)))
$(ARM_OBJ)/libemu-worker.a: $(patsubst %,$(ARM_OBJ)/%.o,$(basename $(EMU_SRC)))
$(ARM_OBJ)/libemu-worker.a: AR := aarch64-linux-gnu-ar
$(addprefix $(BUILD)/lib,tilegrade.a app.a emu-pure.a emu-worker.a expected.a) $(ARM_OBJ)/libemu-worker.a:
	@mkdir -p $(@D)
	$(Q)$(AR) qcs $@.$$$$ $^ && mv $@.$$$$ $@
	$(STEPS_END)

# The worker of the CPU device without a kernel, joined with every part of the C library that it or a
# kernel can need: linking a kernel reads this one object, in a third of the time that the libraries took.
# ORDERING is not in it: only a kernel that calls a fence, or has mbarriers, bulk copies, wgmma or a cluster, takes
# these files from the archive.  With them the worker follows the order of threads, which makes a launch ten times
# slower.  Weak names show whether they are linked.
ORDERING := fences bulk_calls wgmma_calls cluster_calls
PURE := grader/device/object/symbols.c
PURE_NAMES = $$(sed -n '/pure_functions\[\] =/,/^}/s/^ *"\([a-z].*\)",/\1 \1f/p' $(PURE))
# The names that libthread_db reads, so that gdb finds thread-local variables: the shared arrays.
DEBUG_NAMES := __nptl_version _thread_db_pthread_dtvp _thread_db_const_thread_area
library_files = $(foreach name,$1,$$($(CC) -print-file-name=$(name)))
$(BUILD)/emu-worker.o: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(filter-out $(ORDERING:%=grader/emu/hooks/%.c) grader/emu/host/%,$(filter grader/emu/% grader/app/%,$(EMU_SRC))))) $(BUILD)/libemu-worker.a $(PURE)
	$(Q)$(CC) -r -nostdlib $(call library_files,crt1.o crti.o crtbeginT.o) $(filter-out $(PURE),$^) \
		$$(printf ' -Wl,-u,%s' $(PURE_NAMES) $(DEBUG_NAMES)) \
		-lm -Wl,--start-group -lgcc -lgcc_eh -lc -Wl,--end-group $(call library_files,crtend.o crtn.o) $(INTO)
	$(Q)if nm $@ | grep ' W emu_'; then echo 'add the files that define these to ORDERING' >&2; rm $@; exit 1; fi
	$(STEPS_END)

# Programs: the file with main, and the other parts of each.
$(BUILD)/tilegrade: $(OBJ)/grader/app/programs/main.o $(BUILD)/libapp.a
$(BUILD)/tilegrade-inspect: $(OBJ)/grader/app/programs/inspector.o
$(BUILD)/tilegrade-nvrtc: $(OBJ)/grader/app/programs/nvrtc.o
$(BUILD)/tilegrade-gpu-worker: $(OBJ)/grader/app/programs/worker.o
$(BUILD)/tilegrade-unpack: $(OBJ)/grader/app/programs/unpack.o
$(BUILD)/tilegrade-bench: $(call objects,$(LADDER_SRC)) $(BUILD)/libapp.a
$(BUILD)/tilegrade-inspect: LDLIBS += -ldw -lelf -lsupc++
$(BUILD)/tilegrade-nvrtc $(BUILD)/tilegrade-bench: LDLIBS += -lelf -lsupc++
$(BUILD)/tilegrade-unpack: LDLIBS += -larchive
$(BUILD)/tests/course: $(OBJ)/tests/kernels/course.o
$(BUILD)/tests/course: LDLIBS += $$(pkg-config --libs check)
$(BUILD)/precompiled/made: $(BUILD)/tilegrade-inspect $(wildcard grader/emu/shim/*.h grader/include/expected/*.h)
	$(Q)bash grader/tools/precompile.sh $< $(@D)
$(BUILD)/program-names: grader/tools/program_names.sh $(BUILD)/libemu-worker.a
	$(Q)bash $^ >$@.$$$$ && mv $@.$$$$ $@
# Make sees the library as the first prerequisite; it is linked last.
$(filter-out %.a %.o %/made %/program-names,$(PROGRAMS)): $(BUILD)/libtilegrade.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(filter-out $<,$^) $< $(LDLIBS) $(STATIC_LIBS) $(INTO)
	$(STEPS_END)

# Variants are skipped unless one is built.
-include $(shell find build $(if $(SAN)$(STATIC),,-path 'build/san-*' -prune -o -path build/release -prune -o) -name '*.d' -print 2>/dev/null)

# --- Tests of the grader -------------------------------------------------------------------------
# A program for each folder of tests/unit, and one for the tests that run compilers: tests/unit/main.c.
UNIT_TESTS := $(patsubst tests/unit/%/,$(BUILD)/tests/unit-%,$(wildcard tests/unit/*/))
UNIT_LIBS := $(BUILD)/libemu-pure.a $(BUILD)/libapp.a $(BUILD)/libtilegrade.a
unit_objects = $(patsubst tests/%.c,$(BUILD)/tests/obj/%.o,$(wildcard $1/test_*.c) tests/unit/main.c)
$(BUILD)/tests/obj/%.o: tests/%.c $(OBJ)/flags | $(BEGUN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) $$(pkg-config --cflags check) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< $(INTO)

# A folder is newer when a file has left it.
$(foreach test,$(UNIT_TESTS),$(eval $(test): $(patsubst $(BUILD)/tests/unit-%,tests/unit/%,$(test)) $(call unit_objects,$(patsubst $(BUILD)/tests/unit-%,tests/unit/%,$(test)))))
$(UNIT_TESTS): $(UNIT_LIBS)
	$(Q)$(CC) $(LDFLAGS) $(filter %.o,$^) $(UNIT_LIBS) $$(pkg-config --libs check) -ldw -lelf -lsupc++ $(LDLIBS) $(INTO)

# Parsers of foreign data replay stored inputs; fuzz.py builds them with clang's fuzzer in place of replay.c.
FUZZ_MAIN := tests/fuzz/replay.c
FUZZ_REPLAYS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/tests/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c $(FUZZ_MAIN) $(BUILD)/libtilegrade.a | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests/fuzz $(CFLAGS) $(FUZZ_FLAGS) -MMD -MP $(filter %.c,$^) $(BUILD)/libtilegrade.a $(LDFLAGS) \
		-larchive -ldw -lelf -lsupc++ $(LDLIBS) -o $@

# Faults of the machine: loaded before the C library, so that the programs need no hooks.
FAULT_LIBRARY := $(BUILD)/tests/libfault.so
$(FAULT_LIBRARY): tests/faults/fault.c tests/faults/fault_calls.c tests/faults/fault.h | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -g -O2 -Wall -Wextra -fPIC -shared $(filter %.c,$^) -ldl -pthread -o $@

# The program of `make check-gpu`.  Every check builds it, so that it goes on compiling.
GPU_CHECK := $(BUILD)/gpu_check
$(GPU_CHECK): $(addprefix tests/gpu/,gpu_check.c gpu_rig.c check_agreement.c check_launches.c check_timing.c gpu_rig.h) $(BUILD)/libtilegrade.a | $(FIRST)
	$(Q)$(CC) $(CPPFLAGS) -Itests/gpu $(CFLAGS) $(filter %.c,$^) $(BUILD)/libtilegrade.a $(LDFLAGS) $(LDLIBS) -o $@

##@ Developers
check: $(if $(STATUS),,$(PROGRAMS) $(UNIT_TESTS) $(if $(QUICK),,build/wrong $(FUZZ_REPLAYS) $(if $(wildcard tests/faults),$(FAULT_LIBRARY) $(GPU_CHECK)))) ## the tests of the grader (T=suite, QUICK=1: 30 s, ALL=1: an hour, STATUS=1: how far it is)
	@[ -f tests/check.sh ] || { echo "the grader's own tests are not here; \`make test\` tries your kernels" >&2; exit 1; }
	$(Q)BUILD=$(BUILD) $(foreach name,QUICK ALL STATUS SETS,$(name)=$(call quoted,$($(name)))) bash tests/check.sh $(T)

unit: $(PROGRAMS) $(UNIT_TESTS)
	$(Q)BUILD=$(BUILD) bash tests/check.sh $(or $(T),unit)

check-gpu: $(STAMP) ## the GPU device and the attacks on it, on a machine with a GPU (minutes)
	$(Q)bash tests/gpu/check_gpu.sh pack && bash tests/gpu/check_gpu.sh

fuzz: $(STAMP)
	$(Q)/usr/bin/python3 tests/fuzz/fuzz.py $(or $(SECONDS),60) $(TARGET)
endif

lint: | $(FIRST) ## rules of style that a program can check
	$(Q)/usr/bin/python3 grader/tools/lint.py && /usr/bin/python3 grader/tools/texts.py check

FORMATTED = $(shell find grader tests -name '*.[ch]')
format: ## clang-format 14, in place
	$(Q)clang-format-14 -i $(FORMATTED)

format-check: | $(FIRST)
	$(Q)command -v clang-format-14 >/dev/null || { n=$(words $(FORMATTED)); echo "skipped $$n: needs clang-format-14 (make setup DEV=1)"; echo "0 passed, 0 failed, $$n skipped"; exit 0; }; \
	clang-format-14 --dry-run -Werror $(FORMATTED) && echo "$(words $(FORMATTED)) passed, 0 failed"
