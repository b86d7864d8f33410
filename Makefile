# tilegrade: one makefile, no recursion.  `make` alone lists the targets.
# Nothing evaluated while this file is read may need what `make setup` installs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
$(if $(filter-out $(CURDIR),$(realpath $(dir $(lastword $(MAKEFILE_LIST))))),$(error run make in the folder of the course: make -C $(dir $(lastword $(MAKEFILE_LIST)))),)

# A value that is typed, or a name from the environment, is text: a `$` in it expands nothing,
# neither here nor in the environment of a program.  A folder may be named x/$(shell …), so this
# comes before any $(shell …).
NAMES := EX ASSIGNMENT SIZE SEED DEVICE JOBS SANDBOX SUBMISSION OUT CARD RESULT FORMAT XML BASE FROM \
	SUBMISSIONS ROSTER LAYOUT ENGINE SLURM
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
INHERITED := $(foreach name,$(NAMES),$(if $(filter environment,$(firstword $(origin $(name)))),$(name)))
$(foreach name,$(GIVEN) $(INHERITED),$(eval override $(name) := $$(value $(name))))

V ?=
Q := $(if $(V),,@)

# Texts that are printed before the program is there are in grader/texts/zh.po too.  The language is the one
# that base/language.c chooses.
LOCALE := $(firstword $(value LC_ALL) $(value LC_MESSAGES) $(value LANG))
LANGUAGES := $(if $(filter LANGUAGE,$(GIVEN)),$(value LANGUAGE),$(or $(value TILEGRADE_LANGUAGE),$(if $(filter C \
	POSIX,$(LOCALE)),,$(subst :, ,$(value LANGUAGE))) $(LOCALE)))
CATALOGUE := $(if $(filter zh%,$(firstword $(filter en en_% en-% en.% zh zh_% zh-% zh.%,$(LANGUAGES)))),grader/texts/zh.po)
SAY := bash grader/tools/say.sh "$(CATALOGUE)"

empty :=
space := $(empty) $(empty)
comma := ,
quote := '
quoted = '$(subst $(quote),'\'',$1)'

# A misspelt name must not silently do something else: SUBMISION=anna would grade student/.  So a variable
# that is typed must be one of this file, or one that programs read.  A make that calls this one may
# pass its own.
TYPED := $(if $(filter 0,$(MAKELEVEL)),$(GIVEN))
ifneq ($(strip $(TYPED)),)
KNOWN := $(shell sed -n 's/^\([A-Z_]*\) *[?:]*=.*/\1/p' $(firstword $(MAKEFILE_LIST)))
UNKNOWN := $(filter-out $(KNOWN) CC AR HOME LANG% LC_% NO_COLOR PATH TMPDIR CUDA_% TILEGRADE_%,$(TYPED))
$(if $(UNKNOWN),$(error $(shell $(SAY) 'there is no variable %s here; `make help` names those that there are' $(call quoted,$(firstword $(UNKNOWN))))))
endif

# --- Words that are typed ---------------------------------------------------------------------------
# `make test tiled 3` is `make test EX=tiled,3`: words after a goal whose help names EX.  All words are
# read before anything runs, so that a misspelt second goal is not found when the first is done.
WORDS := $(filter-out build/% $(MAKEFILE_LIST),$(MAKECMDGOALS))
ifneq ($(WORDS),)
GOALS := $(shell sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
EX_GOALS := $(shell sed -n 's/^\([a-z][a-z-]*\):.*\#\# .*\bEX\b.*/\1/p' $(firstword $(MAKEFILE_LIST)))
NAMED := $(filter-out $(GOALS),$(WORDS))
ifneq ($(and $(NAMED),$(if $(filter $(EX_GOALS),$(WORDS)),$(findstring :,$(NAMED)),none)),)
$(error $(or $(shell /usr/bin/python3 grader/tools/goal.py "$(CATALOGUE)" $(call quoted,$(firstword $(NAMED))) $(GOALS)),$(shell \
	$(SAY) "there is no target '%s' here; \`make help\` names those that there are" $(call quoted,$(firstword $(NAMED))))))
endif
ifneq ($(and $(NAMED),$(EX)),)
$(error $(shell $(SAY) 'EX=%s and "%s" both name exercises: leave one of them out' $(call quoted,$(EX)) $(call quoted,$(NAMED))))
endif
ifneq ($(NAMED),)
override EX := $(subst $(space),$(comma),$(NAMED))
.PHONY: $(NAMED)
$(NAMED): ; @:
endif
endif

# --- Variants ------------------------------------------------------------------------------------
# SAN=address,undefined builds everything but the emulator's worker with sanitizers, into its own
# folder, at -Og and with lines alone, because building costs more than running.  WERROR=1: a compiler warning is an error.
# STATIC=aarch64-linux-gnu builds static programs for that processor, with the libraries that
# grader/tools/release.py has put into its folder.
SAN ?=
WERROR ?=
STATIC ?=
BUILD := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))$(if $(STATIC),/release/$(STATIC))
OBJ := $(BUILD)/obj
SYSROOT := $(BUILD)/sysroot/usr
ifneq ($(STATIC),)
CC := $(STATIC)-gcc
AR := $(STATIC)-ar
endif

CPPFLAGS := -D_GNU_SOURCE -Igrader $(if $(STATIC),-isystem $(SYSROOT)/include -isystem $(SYSROOT)/include/$(STATIC))
WARNINGS := -Wall -Wextra -Wno-missing-braces -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror=implicit $(if $(WERROR),-Werror)
# The first error that a sanitizer finds ends the program: undefined behaviour that is only reported fails no test.
CFLAGS := -std=c11 $(if $(SAN),-g1 -Og,-g -O2) $(WARNINGS) -fstack-protector-strong -fPIE $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS := $(if $(STATIC),-static-pie -s -L$(SYSROOT)/lib/$(STATIC),-pie) -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
LDLIBS := -ljansson -linih -lmd -lseccomp -ldl -lm -pthread
# What these need themselves.
STATIC_LIBS := $(if $(STATIC),-lnettle -lacl -llz4 -lzstd -lbz2 -llzma -lz)
# The worker of the CPU device is linked statically with the student's object; see grader/README.md.
# Each build of a kernel reads and hashes it, so it has no debug information.
EMU_CFLAGS := -std=c11 -O2 $(WARNINGS) -fno-pie -fno-stack-protector -fcf-protection=none

# --- Sources, found by listing -------------------------------------------------------------------
# The C files of folders of grader/, and of folders in them.
sources = $(foreach folder,$1,$(wildcard grader/$(folder)/*.c grader/$(folder)/*/*.c))
assembly = $(foreach folder,$1,$(wildcard grader/$(folder)/*.S grader/$(folder)/*/*.S))

# What all programs share.  Only the worker contains the CPU device, and the worker's end of the
# channel.
LIB_SRC := $(filter-out grader/device/emu/%,$(call sources,base emu/wire exercise sandbox device measure judge)) build/texts/zh.c
APP_SRC := $(filter-out grader/app/programs/%,$(call sources,app))
EMU_SRC := $(call sources,base emu device/emu device/channel) $(call assembly,emu) grader/app/programs/worker.c
# What an expected.c is linked with.
EXPECTED_SRC := $(call sources,expected)
LADDER_SRC := $(call sources,tools/ladder)
# The checkers and the counter are pure, so unit tests link them, even with sanitizers.
EMU_PURE_SRC := $(call sources,emu/memory emu/check emu/count emu/tensor)

objects = $(patsubst %,$(OBJ)/%.o,$(basename $1))
PROGRAMS := $(addprefix $(BUILD)/,tilegrade tilegrade-inspect tilegrade-nvrtc tilegrade-gpu-worker \
	tilegrade-bench tilegrade-unpack emu-worker.o libemu-worker.a libexpected.a)

# `make setup all` runs setup first, also under -j.
FIRST := $(filter setup clean,$(MAKECMDGOALS))

# The program is built on all cores, unless another number is asked for: students do not know of -j.
# More goals than one run one after the other, so that their output stays in order.
ifneq ($(and $(filter 0,$(MAKELEVEL)),$(filter 0 1,$(words $(filter-out $(FIRST),$(filter $(or $(GOALS),%),$(MAKECMDGOALS)))))),)
MAKEFLAGS += $(if $(shell tr '\0' '\n' </proc/$$PPID/cmdline | grep -E '^(-[a-zA-Z]*j|--jobs)' | head -n 1),,-j$(shell nproc))
endif

# What a handout has besides the students' targets.  It lacks references and tests of the grader.
HANDOUT_HELP := , grade report clean ,

##@ First
setup: ## install what is needed, or say the line to run (DEV=1: more)
	$(Q)DEV=$(DEV) CATALOGUE=$(CATALOGUE) bash grader/tools/setup.sh

help: ## this list
	@awk -v alone="$(if $(wildcard reference),,$(HANDOUT_HELP))" 'BEGIN {FS = ":.*## "} \
		/^##@/ {title = substr($$0, 5); late = title ~ /Instructors|Developers/} \
		/^[a-z][a-z-]*:.*## / && !(alone && late && !index(alone, " " $$1 " ")) { \
			if (title) printf "\n\t%s\n", title; \
			title = ""; \
			printf "  %-13s \t%s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST)) | $(SAY) -

all: $(PROGRAMS) ## build the program; every target that needs it does so itself

# Missing packages are reported before the first compiler fails for lack of them.
HEADERS := archive.h check.h elfutils/libdw.h gelf.h ini.h jansson.h seccomp.h sha2.h
BEGUN := $(OBJ)/begun
$(BEGUN): | $(FIRST)
	@for program in $(firstword $(CC)) $(AR) pkg-config msgfmt /usr/bin/python3; do command -v $$program >/dev/null || \
		{ $(SAY) '%s is missing here: run `make setup` first' "$$program" >&2; exit 1; }; done
	@printf '#include <%s>\n' $(if $(STATIC),stdio.h,$(HEADERS)) | $(CC) -E -x c -o /dev/null - 2>/dev/null || \
		{ $(SAY) 'a library is missing here: run `make setup` first' >&2; exit 1; }
	@$(SAY) 'building the grader, once: this takes half a minute' >&2
	@mkdir -p $(@D) && touch $@

# A terminal shows how far the build is: students wait for it.  `make` alone counts, so no two
# recipes write over each other.
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
FORCE:

# The emulator's worker, and the same for aarch64, run under qemu-user by tests/emu/portability.py.
EMU_OBJ := $(if $(STATIC),$(OBJ),build/obj)/emu-worker
ARM_OBJ := build/aarch64
$(eval $(call compile,$(OBJ),$(CC),$(CFLAGS)))
$(eval $(call compile,$(EMU_OBJ),$(CC),$(EMU_CFLAGS)))
$(eval $(call compile,$(ARM_OBJ),aarch64-linux-gnu-gcc,$(EMU_CFLAGS)))

# The Chinese texts are a table of the programs, and a file that reports read.  msgfmt checks whether conversions
# agree with the English.
build/texts/%.mo: grader/texts/%.po | $(BEGUN)
	@mkdir -p $(@D)
	$(Q)msgfmt --check-format --output-file=$@.$$$$ $< && mv $@.$$$$ $@

build/texts/zh.c: grader/texts/zh.po build/texts/zh.mo grader/tools/texts.py
	$(Q)/usr/bin/python3 grader/tools/texts.py table

# Members of an archive may share a base name: `q` keeps them all.
define archive
$(Q)$(or $1,$(AR)) qcs $@.$$$$ $^ && mv $@.$$$$ $@
$(STEPS_END)
endef
$(BUILD)/libtilegrade.a: $(call objects,$(LIB_SRC))
	$(call archive)

$(BUILD)/libapp.a: $(call objects,$(APP_SRC))
	$(call archive)

$(BUILD)/libemu-pure.a: $(call objects,$(EMU_PURE_SRC))
	$(call archive)

$(BUILD)/libemu-worker.a: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(EMU_SRC)))
	@mkdir -p $(@D)
	$(call archive)

# The worker of the CPU device without a kernel, joined with all that it and a kernel can need of the C
# library: the link of a kernel reads this one object, in a third of the time that the libraries took.
# ORDERING is not in it: only a kernel that calls a fence, or has mbarriers, bulk copies, wgmma or a cluster, takes
# these files, from the archive, and with them the following of what orders threads, which makes a launch ten times
# slower. That they are there is seen by weak names.
ORDERING := fences bulk_calls wgmma_calls cluster_calls
PURE := grader/device/object/symbols.c
PURE_NAMES = $$(sed -n '/pure_functions\[\] =/,/^}/s/^ *"\([a-z].*\)",/\1 \1f/p' $(PURE))
# What libthread_db reads, with which gdb finds thread-local variables: the shared arrays.
DEBUG_NAMES := __nptl_version _thread_db_pthread_dtvp _thread_db_const_thread_area
library_files = $(foreach name,$1,$$($(CC) -print-file-name=$(name)))
$(BUILD)/emu-worker.o: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(filter-out $(ORDERING:%=grader/emu/hooks/%.c),$(filter grader/emu/% grader/app/%,$(EMU_SRC))))) $(BUILD)/libemu-worker.a $(PURE)
	$(Q)$(CC) -r -nostdlib $(call library_files,crt1.o crti.o crtbeginT.o) $(filter-out $(PURE),$^) \
		$$(printf ' -Wl,-u,%s' $(PURE_NAMES) $(DEBUG_NAMES)) \
		-lm -Wl,--start-group -lgcc -lgcc_eh -lc -Wl,--end-group $(call library_files,crtend.o crtn.o) $(INTO)
	$(Q)if nm $@ | grep ' W emu_'; then echo 'add the files that define these to ORDERING' >&2; rm $@; exit 1; fi
	$(STEPS_END)

$(BUILD)/libexpected.a: $(patsubst %,$(EMU_OBJ)/%.o,$(basename $(EXPECTED_SRC)))
	@mkdir -p $(@D)
	$(call archive)

$(ARM_OBJ)/libemu-worker.a: $(patsubst %,$(ARM_OBJ)/%.o,$(basename $(EMU_SRC)))
	$(call archive,aarch64-linux-gnu-ar)

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
# The library is the first prerequisite that make sees, and the last to be linked.
$(filter-out %.a %.o,$(PROGRAMS)): $(BUILD)/libtilegrade.a
	$(Q)$(CC) $(LDFLAGS) $(filter-out $<,$^) $< $(LDLIBS) $(STATIC_LIBS) $(INTO)
	$(STEPS_END)

# Variants are skipped unless one is built: with those of the sanitizers, make takes twice as long to start.
-include $(shell find build $(if $(SAN)$(STATIC),,-path 'build/san-*' -prune -o -path build/release -prune -o) -name '*.d' -print 2>/dev/null)

# --- What people ask for -------------------------------------------------------------------------
EX ?=
ASSIGNMENT ?=
SIZE ?=
N ?=
SEED ?=
DEVICE ?=
DEV ?=
FORCE ?=
KIND ?=
TAP ?=
XML ?=
T ?=
JOBS ?=
SANDBOX ?=
SETS ?=
SUBMISSION ?=
OUT ?=
CARD ?=
QUIET ?=
VERBOSE ?=
SUBMISSIONS ?=
ROSTER ?=
LAYOUT ?=
ENGINE ?=
SLURM ?=
PAGE ?=
RESULT ?= build/grade/result.json
FORMAT ?= html
# Without this check, SUBMISSION=$FOLDER would grade student/ in a script that has not set FOLDER.
EMPTY := $(foreach name,EX ASSIGNMENT SUBMISSION SUBMISSIONS ROSTER AGAIN FORGET OUT RESULT,$(if $($(name)),,$(filter $(name),$(GIVEN))))
$(if $(strip $(EMPTY)),$(error $(shell $(SAY) '%s is empty: give it a value, or leave it out' $(firstword $(EMPTY)))))

# --name=value if the variable is set.  The program, not this file, refuses an option that a command
# does not take.
option = $(if $($2),--$1=$(call quoted,$($2)))
# LANGUAGE=zh on the command line; as a variable of the environment the program reads it itself.
LANGUAGE_OPTION = $(if $(filter LANGUAGE,$(GIVEN)),$(call option,language,LANGUAGE))
TILEGRADE = $(BUILD)/tilegrade $(LANGUAGE_OPTION)
CHOICE = $(call option,exercise,EX) $(call option,assignment,ASSIGNMENT)
COMMON_OPTIONS = $(if $(QUIET),--quiet) $(if $(VERBOSE),--verbose) $(CHOICE) $(call option,seed,SEED) $(call option,device,DEVICE) \
	$(call option,jobs,JOBS) \
	$(call option,sandbox,SANDBOX) $(call option,submission,SUBMISSION) $(call option,out,OUT)

##@ Students
watch: $(PROGRAMS) ## judge each save, and show the verdict (EX=name; PAGE=1: a page that follows; ASSIGNMENT SIZE SEED DEVICE JOBS SANDBOX)
	$(Q)$(TILEGRADE) watch $(CHOICE) $(call option,size,SIZE) $(call option,seed,SEED) $(call option,device,DEVICE) \
		$(call option,jobs,JOBS) $(call option,sandbox,SANDBOX) $(if $(PAGE),--page)

next: $(PROGRAMS) ## where you left off: the lesson and the file (ASSIGNMENT)
	$(Q)$(TILEGRADE) next $(call option,assignment,ASSIGNMENT)

show: $(PROGRAMS) ## test, and open the page of an exercise, with pictures (EX=name; ASSIGNMENT SIZE SEED DEVICE JOBS SANDBOX)
	$(Q)$(TILEGRADE) show $(CHOICE) $(call option,size,SIZE) $(call option,seed,SEED) $(call option,device,DEVICE) \
		$(call option,jobs,JOBS) $(call option,sandbox,SANDBOX)

test: $(PROGRAMS) $(BUILD)/tests/course ## try the kernels (EX=name SIZE=67x33x129; ASSIGNMENT SUBMISSION SEED DEVICE JOBS SANDBOX VERBOSE QUIET TAP XML)
	$(Q)V=$(call quoted,$(V)) TAP=$(call quoted,$(TAP)) XML=$(call quoted,$(XML)) $(BUILD)/tests/course $(BUILD)/tilegrade $(LANGUAGE_OPTION) $(COMMON_OPTIONS) $(call option,size,SIZE) \
		$(call option,card,CARD)

list: $(PROGRAMS) ## the exercises, each with its last result (EX ASSIGNMENT)
	$(Q)$(TILEGRADE) list $(CHOICE)

hint: $(PROGRAMS) ## the next hint (EX=name; N=2: those of TODO 2 again, N=0: from the start)
	$(Q)$(TILEGRADE) hint $(call option,exercise,EX) $(call option,hint,N)

debug: $(PROGRAMS) ## gdb at a kernel, in the thread of the last finding (EX=name SIZE; ASSIGNMENT SEED SANDBOX)
	$(Q)$(TILEGRADE) debug $(CHOICE) $(call option,size,SIZE) $(call option,seed,SEED) $(call option,sandbox,SANDBOX)

# The lines that cut the stub from the reference are no part of the answer.
answer: $(PROGRAMS) build/texts/zh.mo ## after a pass: a model answer next to yours, with counts and drawings (EX=name; ASSIGNMENT)
	$(Q)paths=$$($(TILEGRADE) answer $(CHOICE)) && read -r own model shown <<<"$$paths" && \
	{ diff -u --color=auto --label "$$own" --label "$$model" "$$own" "$$shown" || [ $$? = 1 ]; } && \
	{ $(TILEGRADE) grade --quiet $(CHOICE) --out=build/answer >/dev/null || [ $$? = 1 ]; } && \
	$(TILEGRADE) test --quiet $(CHOICE) --submission=reference --out=build/answer/reference >/dev/null && \
	/usr/bin/python3 grader/report/report.py html build/answer/result.json build/answer \
		--beside=build/answer/reference/result.json $(LANGUAGE_OPTION)

reset: $(PROGRAMS) ## start an exercise again; the old file is kept (EX=name)
	$(Q)$(TILEGRADE) reset $(call option,exercise,EX)

submit: $(PROGRAMS) ## pack the files to hand in, and say what the teacher gets (OUT=build/submit/submission.zip; EX ASSIGNMENT)
	$(Q)$(TILEGRADE) submit $(CHOICE) $(call option,out,OUT)

quiz: $(PROGRAMS) build/texts/zh.mo ## questions on a lesson; a wrong answer gets its reason (EX=name, or EX=machine)
	$(Q)/usr/bin/python3 grader/report/practice/quiz.py . $(call quoted,$(EX)) $(LANGUAGE_OPTION)

bugs: build/texts/zh.mo | $(FIRST) ## kernels with a bug to find, easy ones first
	$(Q)/usr/bin/python3 grader/report/practice/bugs.py . list $(LANGUAGE_OPTION)

bug: $(PROGRAMS) build/texts/zh.mo ## find one, then repair it (EX=7, or make bug 7)
	$(Q)/usr/bin/python3 grader/report/practice/bugs.py . $(call quoted,$(EX)) $(LANGUAGE_OPTION)

predict: $(PROGRAMS) build/texts/zh.mo ## predict what a kernel needs (wavefronts) or moves (bytes), then see it counted (EX=name)
	$(Q)/usr/bin/python3 grader/report/practice/predict.py . $(call quoted,$(EX)) $(LANGUAGE_OPTION)

.PHONY: standalone
standalone: build/texts/zh.mo | $(FIRST) ## a whole CUDA program around your kernel, for nvcc (EX=name OUT=build/standalone/name.cu)
	$(Q)/usr/bin/python3 grader/report/practice/standalone.py . $(call quoted,$(EX)) $(if $(OUT),$(call quoted,$(OUT))) $(LANGUAGE_OPTION)

tiles: $(PROGRAMS) ## tile sizes on a card, which need not be here (CARD=h200)
	$(Q)$(TILEGRADE) tiles $(call option,card,CARD)

doctor: packages $(PROGRAMS) ## what this machine has and lacks, with remedies
	$(Q)$(TILEGRADE) doctor

# Runs before the program is built, because the build needs these packages.
packages: | $(FIRST)
	$(Q)CATALOGUE=$(CATALOGUE) bash grader/tools/setup.sh --check

##@ Instructors
grade: $(PROGRAMS) ## grade a folder (SUBMISSION=student OUT=build/grade; EX ASSIGNMENT SEED DEVICE CARD JOBS SANDBOX VERBOSE QUIET)
	$(Q)$(TILEGRADE) grade $(COMMON_OPTIONS) $(call option,card,CARD) $(call option,size,SIZE)

CLASS = /usr/bin/python3 grader/class/class.py --programs=$(BUILD)
class: $(PROGRAMS) build/texts/zh.mo ## grade a class (SUBMISSIONS=dir-or-zip OUT=dir; ROSTER ASSIGNMENT EX LAYOUT DEVICE JOBS ENGINE SLURM)
	$(Q)$(CLASS) $(if $(QUIET),--quiet) $(CHOICE) $(call option,out,OUT) $(call option,submissions,SUBMISSIONS) \
		$(call option,roster,ROSTER) $(call option,layout,LAYOUT) $(call option,device,DEVICE) $(call option,card,CARD) \
		$(call option,jobs,JOBS) $(call option,sandbox,SANDBOX) $(call option,engine,ENGINE) $(call option,slurm,SLURM) \
		$(LANGUAGE_OPTION)

similar: build/texts/zh.mo | $(FIRST) ## compare the kernels of a graded class (OUT=dir; needs Dolos, from npm)
	$(Q)$(CLASS) similar $(call option,out,OUT) $(LANGUAGE_OPTION)

report: build/texts/zh.mo | $(FIRST) ## render RESULT=build/grade/result.json (FORMAT=html markdown junit gradescope …)
	$(Q)result=$(call quoted,$(RESULT)) out=$(call quoted,$(OUT)); \
	/usr/bin/python3 grader/report/report.py $(call quoted,$(FORMAT)) "$$result" "$${out:-$$(dirname "$$result")}" $(LANGUAGE_OPTION)

regrade: $(PROGRAMS) build/texts/zh.mo ## the points of RESULT=build/grade/result.json, or of a class's folder, again, and what differs (OUT=dir: written)
	$(Q)if [ -d $(call quoted,$(RESULT)) ]; then $(CLASS) regrade $(call option,result,RESULT) $(call option,out,OUT) $(LANGUAGE_OPTION); \
	else $(TILEGRADE) regrade $(call option,result,RESULT) $(call option,out,OUT); fi

new: $(PROGRAMS) ## the skeleton of a new exercise (EX=name; KIND=kernel for one that is no product)
	$(Q)$(TILEGRADE) new $(call option,exercise,EX) $(call option,kind,KIND)

stubs: $(PROGRAMS) ## write student/*.cu, commented in the chosen language; finished work is kept unless FORCE=1 (EX ASSIGNMENT)
	$(Q)$(TILEGRADE) stubs $(CHOICE) $(if $(FORCE),--force)

check-course: $(PROGRAMS) build/wrong ## prove that each exercise is right (EX=name for one; WRITE=1: what it finds into wrong kernels; ASSIGNMENT SANDBOX)
	$(Q)$(TILEGRADE) check-course $(CHOICE) $(call option,sandbox,SANDBOX) $(if $(WRITE),--write); code=$$?; \
	/usr/bin/python3 grader/tools/links.py $(if $(EX),$(call quoted,$(EX))) && exit $$code

handout: $(PROGRAMS) ## a repository for students, without references (OUT=dir; ASSIGNMENT=name: of its lessons alone)
	$(Q)$(TILEGRADE) handout $(call option,out,OUT) $(call option,assignment,ASSIGNMENT)
	$(Q)/usr/bin/python3 grader/tools/notebook.py $(call quoted,$(OUT)) $(LANGUAGE_OPTION)

notebook: build/texts/zh.mo | $(FIRST) ## lessons/notebook.ipynb, for Jupyter and Colab, with the files of student/; a handout has one
	$(Q)/usr/bin/python3 grader/tools/notebook.py . $(LANGUAGE_OPTION)

.PHONY: site
site: | $(FIRST) ## the lessons as plain HTML, with their drawings (OUT=build/site; needs python3-markdown)
	$(Q)/usr/bin/python3 grader/tools/site.py . $(call quoted,$(or $(OUT),build/site))

# An assignment is read first, so that a mistake in it is found here and not by each student.
pack = $(Q)$(if $(ASSIGNMENT),$(TILEGRADE) list $(call option,assignment,ASSIGNMENT) >/dev/null && )/usr/bin/python3 grader/tools/pack.py $1 $(call quoted,$(or $(OUT),build/pack)) $(if $(ASSIGNMENT),$(call quoted,$(ASSIGNMENT)))
gradescope: $(if $(ASSIGNMENT),$(PROGRAMS)) | $(FIRST) ## autograder.zip for Gradescope, with references (OUT=build/pack; ASSIGNMENT)
	$(call pack,gradescope)

autolab: $(if $(ASSIGNMENT),$(PROGRAMS)) | $(FIRST) ## autograde.tar for Autolab, with references (OUT=build/pack; ASSIGNMENT)
	$(call pack,autolab)

release: $(PROGRAMS) ## tilegrade.tar.gz, a handout with static programs: runs without root and make (OUT=build/pack; ASSIGNMENT)
	$(Q)/usr/bin/python3 grader/tools/release.py $(call quoted,$(or $(OUT),build/pack)) $(if $(ASSIGNMENT),$(call quoted,$(ASSIGNMENT)))

# --- Tests of the grader -------------------------------------------------------------------------
# Wrong kernels, of which most are kept as patches of right ones.
build/wrong: FORCE | $(FIRST)
	$(Q)/usr/bin/python3 grader/tools/patches.py unfold

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

$(BUILD)/tests/course: tests/kernels/course.c $(BUILD)/libtilegrade.a | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP $< $(BUILD)/libtilegrade.a \
		$(LDFLAGS) $$(pkg-config --cflags --libs check) $(LDLIBS) $(INTO)

# --- Parsers of foreign data, fuzzed -------------------------------------------------------------
# Each target is built twice: by the usual compiler, to replay inputs that are kept (`make check
# T=fuzz`), and by clang with its fuzzer and sanitizers (`make fuzz`).
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_REPLAYS := $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/%)
FUZZ_LIBS := -larchive -ldw -lelf -lsupc++ $(LDLIBS)
FUZZ_CLANG := clang
FUZZ_FLAGS := -std=c11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_OBJ := $(LIB_SRC:%.c=build/fuzz/obj/%.o) build/fuzz/obj/tests/fuzz/fuzz.o
SECONDS ?= 60
TARGET ?=

$(BUILD)/tests/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c tests/fuzz/replay.c $(BUILD)/libtilegrade.a | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests/fuzz $(CFLAGS) -MMD -MP $(filter %.c,$^) $(BUILD)/libtilegrade.a $(LDFLAGS) $(FUZZ_LIBS) -o $@

$(eval $(call compile,build/fuzz/obj,$(FUZZ_CLANG),-Itests/fuzz $(FUZZ_FLAGS)))

build/fuzz/%: build/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	$(Q)$(FUZZ_CLANG) -fsanitize=fuzzer,address,undefined $^ $(FUZZ_LIBS) -o $@

.SECONDARY: $(FUZZ_OBJ) $(FUZZ_TARGETS:%=build/fuzz/obj/tests/fuzz/fuzz_%.o)

# --- Faults of the machine, injected -------------------------------------------------------------
# Loaded before the C library, so that the programs need no hooks: tests/faults/fault.h.
FAULT_LIBRARY := $(BUILD)/tests/libfault.so
FAULT ?=
$(FAULT_LIBRARY): tests/faults/fault.c tests/faults/fault_calls.c tests/faults/fault.h | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -g -O2 -Wall -Wextra -fPIC -shared $(filter %.c,$^) -ldl -pthread -o $@

# The program of `make check-gpu`.  Every check builds it, so that it goes on compiling.
GPU_CHECK := $(BUILD)/gpu_check
$(GPU_CHECK): $(addprefix tests/gpu/,gpu_check.c gpu_rig.c check_agreement.c check_launches.c check_timing.c gpu_rig.h) $(BUILD)/libtilegrade.a | $(FIRST)
	$(Q)$(CC) $(CPPFLAGS) -Itests/gpu $(CFLAGS) $(filter %.c,$^) $(BUILD)/libtilegrade.a $(LDFLAGS) $(LDLIBS) -o $@

##@ Developers
check: $(PROGRAMS) build/wrong $(UNIT_TESTS) $(BUILD)/tests/course $(FUZZ_REPLAYS) $(if $(wildcard tests/faults),$(FAULT_LIBRARY) $(GPU_CHECK)) ## all tests of the grader (T=suite SAN=address,undefined SETS=all)
	@[ -f tests/check.sh ] || \
		{ echo "the grader's own tests are not here; \`make test\` tries your kernels" >&2; exit 1; }
	$(Q)BUILD=$(BUILD) bash tests/check.sh $(T)

unit: $(PROGRAMS) $(UNIT_TESTS) ## the unit tests alone (T=name for one)
	$(Q)BUILD=$(BUILD) bash tests/check.sh $(or $(T),unit)

faults: $(PROGRAMS) $(FAULT_LIBRARY) ## every call of the judge made to fail (FAULT=judge:malloc:7 for one; half an hour)
	$(Q)/usr/bin/python3 tests/faults/faults.py $(BUILD) $(if $(FAULT),FAULT=$(call quoted,$(FAULT)))

.PHONY: compare faults fuzz
fuzz: $(patsubst %,build/fuzz/%,$(or $(TARGET),$(FUZZ_TARGETS))) $(BUILD)/tilegrade ## fuzz the parsers of foreign data (SECONDS=60 for each, TARGET=name; needs clang)
	$(Q)/usr/bin/python3 tests/fuzz/fuzz.py $(SECONDS) $(TARGET)

BASE ?=
compare: $(PROGRAMS) ## judge every kernel with this tree and with another one that is built (BASE=dir; minutes)
	$(Q)/usr/bin/python3 tests/compare/compare.py $(call quoted,$(or $(BASE),$(error BASE=dir is missing: a built checkout)))

check-gpu: $(PROGRAMS) ## the GPU device and the attacks on it, on a machine with a GPU (minutes)
	$(Q)bash tests/gpu/check_gpu.sh pack
	$(Q)bash tests/gpu/check_gpu.sh

# The sizes at which the steps are judged; `bench` adds small, thin and deep ones.  SIZES=512,1024 asks for
# others, FILES=student/tiled.cu for further kernels, EX=tensor_core for products called as that one, with cuBLAS
# of the same type, REAL=1 for real inputs.
LADDER_SIZES := 2048,4095,4096
BENCH_SIZES := 33x65x129,256,512,1000,1023,1024,100x100x10000,4096x64x4096,64x4096x4096,2047,2048,4095,4096,8192
FROM ?=
WRITE ?=
REAL ?=
FILES ?=
SIZES ?=
ladder: $(PROGRAMS) ## compare the references with cuBLAS on this GPU (WRITE=1: into the lessons; FROM=ladder.csv: no GPU)
	@$(call ladder_run,$(LADDER_SIZES))

bench: $(PROGRAMS) ## the same at 14 sizes: small, thin, deep, aligned and not
	@$(call ladder_run,$(BENCH_SIZES))

# Times first.  What bounds a kernel is read by ncu, or estimated from work that is counted on the CPU.  The
# estimate is made with the GPU hidden, so that it knows the compiler's registers and no time is measured.  Figures
# without the peak of the card have no table that says it.
ladder_options = $(call option,exercise,EX) $(if $(REAL),--real)
define ladder_run
mkdir -p build/ladder; \
$(if $(FROM),cp $(call quoted,$(FROM)) build/ladder/new.csv,$(BUILD)/tilegrade-bench $(ladder_options) $(call quoted,$(or $(SIZES),$1)) $(FILES) >build/ladder/new.csv); \
mv build/ladder/new.csv build/ladder/ladder.csv; \
$(if $(FROM),,/usr/bin/python3 grader/tools/ladder/bounds.py build/ladder/ladder.csv $(BUILD)/tilegrade-bench $(ladder_options) $(FILES);) \
! grep -q fma_peak_gflops build/ladder/ladder.csv || \
	CUDA_VISIBLE_DEVICES= $(TILEGRADE) grade --submission=reference --out=build/ladder/counted $(call option,card,CARD) \
	>/dev/null || echo "what bounds each kernel is not known: the references cannot be graded" >&2; \
/usr/bin/python3 grader/tools/ladder/ladder.py build/ladder $(if $(WRITE),--write .)
endef

diff: $(PROGRAMS) ## a step of the course against the one before it (EX=name)
	@paths=$$($(TILEGRADE) diff $(call option,exercise,EX)) && \
		while read -r before after; do diff -u "$$before" "$$after" || [ $$? = 1 ]; done <<<"$$paths"

lint: | $(FIRST) ## rules of style that a program can check
	$(Q)/usr/bin/python3 grader/tools/lint.py
	$(Q)/usr/bin/python3 grader/tools/texts.py check

drawings: | $(FIRST) ## draw the pictures of the lessons again, by the marks in their pages
	$(Q)/usr/bin/python3 grader/tools/drawings/draw.py .

texts: | $(FIRST) ## bring grader/texts/zh.po up to date with the messages of the sources
	$(Q)/usr/bin/python3 grader/tools/texts.py update

CLANG_FORMAT := clang-format-14
FORMATTED = $(shell find grader tests -name '*.[ch]')
format: ## clang-format 14, in place
	$(Q)$(CLANG_FORMAT) -i $(FORMATTED)

format-check: | $(FIRST) ## what `make format` would change
	$(Q)if command -v $(CLANG_FORMAT) >/dev/null; then \
		$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED) && echo "$(words $(FORMATTED)) passed, 0 failed"; \
	else \
		echo "skipped $(words $(FORMATTED)): needs $(CLANG_FORMAT) (make setup DEV=1)"; \
		echo "0 passed, 0 failed, $(words $(FORMATTED)) skipped"; \
	fi

clean: ## remove what was built
	$(Q)rm -rf build

.PHONY: quiz bugs bug predict drawings watch next show debug answer class similar regrade gradescope autolab texts all ladder bench diff test tiles list hint reset doctor packages grade report new stubs check-course handout check check-gpu unit lint format format-check \
	setup help clean
