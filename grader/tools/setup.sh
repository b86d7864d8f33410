#!/bin/bash
# setup.sh: installs what tilegrade is built from, with apt; or says what is missing.
#
#   setup.sh            install what is missing; without the right to install, print the one line
#                       to run (exit 3)
#   setup.sh --check    only say what is missing (exit 3 if something is)
#
# DEV=1 adds what only developers of the grader need. CATALOGUE=grader/texts/zh.po gives messages
# in Chinese. Package names are those of Debian 12 and Ubuntu 22.04 and 24.04. The CUDA toolkit is
# never installed: on a machine with a GPU, it is searched for at run time.
set -u

# package, and what it is for
packages='gcc              compiles the grader
g++              compiles student kernels for the CPU device
make             runs all commands
libc6-dev        C headers
pkg-config       finds libraries
gettext          compiles the Chinese messages
check            the test library behind make test
libjansson-dev   reads and writes results (JSON)
libinih-dev      reads exercise.ini
libmd-dev        computes SHA-256 hashes
libarchive-dev   unpacks submissions
libseccomp-dev   filters system calls, for the sandbox
libdw-dev        finds the source line of an address
libelf-dev       reads compiled kernels
python3          renders reports
python3-jinja2   renders the page of a result
python3-yaml     reads what Gradescope exports of a class
python3-openpyxl  reads the roster of a class from a spreadsheet (.xlsx)
python3-jsonschema  checks results against their schema'
if [ -n "${DEV:-}" ]; then
    packages+='
clang-format     make format
python3-markdown  make site: the lessons as HTML
python3-matplotlib  the plot of make ladder and make bench
shellcheck       checks shell scripts
g++-11           another compiler of kernels, for the tests of portability
g++-12           the same
g++-aarch64-linux-gnu  the emulator on aarch64, for the same tests
libc6-dev-arm64-cross  the same
qemu-user        runs it
oclgrind         tests/bench/emu/bench.py compares with it
pocl-opencl-icd  the same
ocl-icd-opencl-dev  builds programs for these two
opencl-headers   the same
gdb              make debug, for its tests
chromium         looks at the page, for the tests of reports
chromium-driver  the same
python3-selenium  the same
slurm-wlm        a cluster on this machine, for the tests of classes
munge            the same'
fi

text() { bash "$(dirname "$0")/say.sh" "${CATALOGUE:-}" "$@"; }
say() { printf 'setup: %s\n' "$(text "$@")"; }

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return 0
    # pkg-config is a virtual package if pkgconf has replaced it
    [ "$1" = pkg-config ] && command -v pkg-config >/dev/null
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say 'no apt here; install the equivalents of: %s' \
        "$(printf '%s\n' "$packages" | awk '{printf "%s ", $1}')"
    say 'tilegrade is made for Debian 12, Ubuntu 22.04 and 24.04, also under WSL2 or in a container'
    exit 3
fi

missing=()
while read -r package purpose; do
    if ! installed "$package"; then
        missing+=("$package")
        say 'missing: %s (%s)' "$package" "$(text "$purpose")"
    fi
done <<<"$packages"

if [ ${#missing[@]} -eq 0 ]; then
    [ "${1:-}" = --check ] || say 'all packages are installed'
    exit 0
fi

line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
if [ "${1:-}" = --check ]; then
    say 'to install it: make setup'
    exit 3
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        say 'installing needs root. Run this line, or ask your administrator to:'
        printf '\n    sudo sh -c "%s"\n\n' "$line"
        say 'otherwise: what `make release` makes on another machine needs only g++ and Python'
        exit 3
    fi
fi

say 'installing: %s' "${missing[*]}"
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >"$log" 2>&1; }
# An old index still knows the packages of a stable release.
apt update || say 'apt-get update failed; continuing with the present index'
if ! apt install -y --no-install-recommends "${missing[@]}"; then
    tail -n 15 "$log"
    say 'apt-get could not install them. The line was: %s' "$line"
    exit 3
fi
for package in "${missing[@]}"; do
    if ! installed "$package"; then
        say '%s is still missing after apt-get install' "$package"
        exit 3
    fi
done
say 'done'
