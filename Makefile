# tilegrade: one makefile, no recursion.  `make` alone lists the targets.
# Nothing evaluated while this file is read may need what `make setup` installs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

V ?=
Q := $(if $(V),,@)

# --- Variants -----------------------------------------------------------------------------------------------
# SAN=address,undefined builds everything but the emulator's worker with sanitizers, into its own folder.
SAN ?=
comma := ,
BUILD := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
OBJ := $(BUILD)/obj

CPPFLAGS := -D_GNU_SOURCE -Igrader
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror=implicit
CFLAGS := -std=c11 -g -O2 $(WARNINGS) -fstack-protector-strong -fPIE $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer)
LDFLAGS := -pie -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
LDLIBS := -ljansson -linih -lmd -ldl -lm
# The worker of the CPU device is linked statically with the student's object; see grader/README.md.
EMU_CFLAGS := -std=c11 -g -O2 $(WARNINGS) -fno-pie -fno-stack-protector -fcf-protection=none

# --- Sources, found by listing --------------------------------------------------------------------------------
LAYERS := base emu exercise sandbox device measure judge
MAINS := grader/app/main.c grader/app/worker.c grader/app/inspect.c grader/app/nvrtc.c
EMU_ONLY := $(wildcard grader/emu/*.c grader/emu/*.S) grader/device/emu_launcher.c
LIB_SRC := $(filter-out grader/emu/% grader/device/emu_launcher.c grader/device/gpu_launcher.c, \
	$(foreach layer,$(LAYERS),$(wildcard grader/$(layer)/*.c))) grader/emu/finding.c
APP_SRC := $(filter-out $(MAINS),$(wildcard grader/app/*.c)) grader/app/main.c
EMU_SRC := $(wildcard grader/base/*.c) $(EMU_ONLY) grader/device/protocol.c grader/app/worker.c
LIB_OBJ := $(LIB_SRC:%.c=$(OBJ)/%.o)
APP_OBJ := $(APP_SRC:%.c=$(OBJ)/%.o)
EMU_OBJ := $(patsubst %,build/obj/emu-worker/%.o,$(basename $(EMU_SRC)))
PROGRAMS := $(BUILD)/tilegrade $(BUILD)/tilegrade-inspect $(BUILD)/tilegrade-nvrtc $(BUILD)/tilegrade-gpu-worker \
	$(BUILD)/libemu-worker.a

# `make setup all` runs setup first, also under -j.
FIRST := $(filter setup clean,$(MAKECMDGOALS))

##@ Developers
all: $(PROGRAMS) ## build the program

$(OBJ)/%.o: %.c | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

build/obj/emu-worker/%.o: %.c | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(EMU_CFLAGS) -MMD -MP -c $< -o $@

build/obj/emu-worker/%.o: %.S | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -g -c $< -o $@

$(BUILD)/libtilegrade.a: $(LIB_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libemu-worker.a: $(EMU_OBJ)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/tilegrade: $(APP_OBJ) $(BUILD)/libtilegrade.a
	$(Q)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/tilegrade-inspect: $(OBJ)/grader/app/inspect.o $(BUILD)/libtilegrade.a
	$(Q)$(CC) $(LDFLAGS) $^ -ldw -lelf $(LDLIBS) -o $@

$(BUILD)/tilegrade-nvrtc: $(OBJ)/grader/app/nvrtc.o $(BUILD)/libtilegrade.a
	$(Q)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/tilegrade-gpu-worker: $(OBJ)/grader/app/worker.o $(OBJ)/grader/device/gpu_launcher.o $(BUILD)/libtilegrade.a
	$(Q)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

-include $(shell find build -name '*.d' 2>/dev/null)

# --- Unit tests -------------------------------------------------------------------------------------------------
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

# Host tests link the libraries of the program and, for the machine's checkers, those objects too.
$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libtilegrade.a $(BUILD)/libemu-parts.a | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) -MMD -MP $< $(BUILD)/libemu-parts.a $(BUILD)/libtilegrade.a \
		$(LDFLAGS) $$(pkg-config --cflags --libs check) $(LDLIBS) -o $@

# The emulator's pure parts (checkers, counter, findings), built like the rest, for unit tests under sanitizers.
EMU_PARTS := $(filter-out %/hooks.c %/machine.c %/fiber.c %/crash.c,$(wildcard grader/emu/*.c))
$(BUILD)/libemu-parts.a: $(EMU_PARTS:%.c=$(OBJ)/%.o)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

unit: $(UNIT_TESTS) ## run the unit tests (T=name for one)
	$(Q)failed=0; for t in $(if $(T),$(filter %$(T),$(UNIT_TESTS)),$(UNIT_TESTS)); do $$t || failed=1; done; exit $$failed

help: ## this list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z][a-z-]*:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

clean: ## remove what was built
	$(Q)rm -rf build

.PHONY: all unit help clean
