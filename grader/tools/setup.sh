#!/bin/bash
# setup.sh: installs or checks the packages that a build needs.
#
#   setup.sh            install what tilegrade is built from, with apt; without the right to
#                       install, print the one line to run (exit 3)
#   setup.sh --check    only say what is missing (exit 3 if something is)
#   setup.sh --start    say what to type
#   setup.sh --begin COMPILER ARCHIVER [HEADER…]    before a build: is anything missing?
#
# DEV=1 adds what only developers of the grader need. Texts are here in both languages, because no
# catalogue is built yet. Package names are those of Debian 12 and Ubuntu 22.04 and 24.04. The CUDA
# toolkit is never installed: on a machine with a GPU, it is searched for at run time.
set -u

# The language that base/language.c would choose.
language() {
    local locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} languages=${LANGUAGE:-} one
    case $locale in C | POSIX) languages='' ;; esac
    for one in ${TILEGRADE_LANGUAGE:-${languages//:/ } $locale}; do
        case $one in en | en[_.-]*) break ;; zh | zh[_.-]*) echo zh && break ;; esac
    done
}
zh=$(language)

# text ENGLISH CHINESE [VALUE…]
text() {
    local format=${zh:+$2}
    format=${format:-$1}
    shift 2
    # shellcheck disable=SC2059  # the format is one of ours, in either language
    printf "$format\n" "$@"
}
say() { printf 'setup: %s\n' "$(text "$@")"; }

# package: what it is for, in English and in Chinese
packages='gcc: compiles the grader: 编译评测程序
g++: compiles student kernels for the CPU device: 为 CPU 设备编译学生的核函数
make: runs all commands: 运行所有命令
libc6-dev: C headers: C 头文件
pkg-config: finds libraries: 查找库
gettext: compiles the Chinese messages: 编译中文消息
check: the test library behind make test: make test 所用的测试库
libjansson-dev: reads and writes results (JSON): 读写结果（JSON）
libinih-dev: reads exercise.ini: 读取 exercise.ini
libmd-dev: computes SHA-256 hashes: 计算 SHA-256 哈希
libarchive-dev: unpacks submissions: 解开提交的压缩包
libseccomp-dev: filters system calls, for the sandbox: 为沙箱过滤系统调用
libdw-dev: finds the source line of an address: 查找地址对应的源代码行
libelf-dev: reads compiled kernels: 读取编译好的核函数
python3: renders reports: 生成报告
python3-jinja2: renders the page of a result: 生成结果的网页
python3-yaml: reads what Gradescope exports of a class: 读取 Gradescope 导出的班级数据
python3-openpyxl: reads the roster of a class from a spreadsheet (.xlsx): 从电子表格（.xlsx）读取班级名单
python3-jsonschema: checks results against their schema: 按格式检查结果'
if [ -n "${DEV:-}" ]; then
    packages+='
clang-format: make format
python3-markdown: make pack site, the lessons as HTML
python3-matplotlib: the plot of make bench
shellcheck: checks shell scripts
g++-11: another compiler of kernels, for the tests of portability
g++-12: the same
g++-aarch64-linux-gnu: the emulator on aarch64, for the same tests
libc6-dev-arm64-cross: the same
qemu-user: runs it
oclgrind: tests/bench/emu/bench.py compares with it
pocl-opencl-icd: the same
ocl-icd-opencl-dev: builds programs for these two
opencl-headers: the same
gdb: make debug, for its tests
chromium: looks at the page, for the tests of reports
chromium-driver: the same
python3-selenium: the same
slurm-wlm: a cluster on this machine, for the tests of classes
munge: the same'
fi

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return 0
    # pkg-config is a virtual package if pkgconf has replaced it
    [ "$1" = pkg-config ] && command -v pkg-config >/dev/null
}

# What `make` alone prints: ten lines, of which a handout has the students' five.
start() {
    text 'Students      make setup                  once: installs a compiler and a few libraries
              make watch                  judges each save of a file in student/; ? lists its keys
              make test tiled             the same once; also: make hint, list, grade, show, submit
              make doctor                 what this machine has and lacks
              lessons/README.md           where to begin' \
        '学生          make setup                  一次即可：安装 C++ 编译器和几个库
              make watch                  student/ 里的文件每次保存都评判；按 ? 列出按键
              make test tiled             只评判一次；另有：make hint、list、grade、show、submit
              make doctor                 这台机器有什么、缺什么
              lessons/README.zh.md        从这里开始'
    [ ! -d reference ] ||
        text 'Teachers      make grade SUBMISSION=dir   one submission; make report: its page
              make class SUBMISSIONS=zip ROSTER=csv ASSIGNMENT=name OUT=dir      a whole class
              make pack                   for students, Gradescope, Autolab …; make new: an exercise
Developers    make check                  all tests; grader/README.md shows where things are' \
            '教师          make grade SUBMISSION=dir   一份提交；make report：它的网页
              make class SUBMISSIONS=zip ROSTER=csv ASSIGNMENT=name OUT=dir      全班
              make pack                   供学生、Gradescope、Autolab 等使用；make new：新练习
开发者        make check                  全部测试；grader/README.md 说明代码在哪里'
    text 'All goals     make help ALL=1' '全部目标      make help ALL=1'
}

# Missing packages are reported before the first compiler fails for lack of them.
begin() {
    local program
    for program in "$1" "$2" pkg-config msgfmt /usr/bin/python3; do
        command -v "$program" >/dev/null && continue
        text '%s is missing here: run `make setup` first' '这里缺少 %s：请先运行 `make setup`' \
            "$program"
        exit 1
    done
    if ! printf '#include <%s>\n' "${@:3}" | "$1" -E -x c -o /dev/null - 2>/dev/null; then
        text 'a library is missing here: run `make setup` first' '这里缺少一个库：请先运行 `make setup`'
        exit 1
    fi
    text 'building the grader, once: this takes half a minute' \
        '正在编译评测程序，只需一次，大约半分钟'
}

case ${1:-} in
--start) start && exit ;;
--begin) shift && begin "$@" >&2 && exit ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say 'no apt here; install the equivalents of: %s' '这里没有 apt；请安装与下列软件包相当的软件：%s' \
        "$(printf '%s\n' "$packages" | awk -F: '{printf "%s ", $1}')"
    say 'tilegrade is for Debian 12, Ubuntu 22.04 and 24.04, also under WSL2 or in a container' \
        'tilegrade 适用于 Debian 12、Ubuntu 22.04 和 24.04，也可以在 WSL2 或容器里'
    exit 3
fi

missing=()
while IFS=: read -r package english chinese; do
    if ! installed "$package"; then
        missing+=("$package")
        purpose=${zh:+$chinese}
        purpose=${purpose:-$english}
        say 'missing: %s (%s)' '缺少：%s（%s）' "$package" "${purpose# }"
    fi
done <<<"$packages"

if [ ${#missing[@]} -eq 0 ]; then
    [ "${1:-}" = --check ] || say 'all packages are installed' '所需的软件包都已安装'
    exit 0
fi

line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
if [ "${1:-}" = --check ]; then
    say 'to install it: make setup' '安装它：make setup'
    exit 3
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        say 'installing needs root. Run this line, or ask your administrator to:' \
            '安装需要 root 权限。请运行下面这一行，或请管理员运行：'
        printf '\n    sudo sh -c "%s"\n\n' "$line"
        say 'otherwise: what `make pack release` makes elsewhere needs only g++ and Python' \
            '如果办不到：在另一台机器上用 `make pack release` 做出的文件只需要 g++ 和 Python'
        exit 3
    fi
fi

say 'installing: %s' '正在安装：%s' "${missing[*]}"
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >"$log" 2>&1; }
# An old index still knows the packages of a stable release.
apt update || say 'apt-get update failed; continuing with the present index' \
    'apt-get update 失败；继续使用现有的索引'
if ! apt install -y --no-install-recommends "${missing[@]}"; then
    tail -n 15 "$log"
    say 'apt-get could not install them. The line was: %s' \
        'apt-get 无法安装它们。所用的命令是：%s' "$line"
    exit 3
fi
for package in "${missing[@]}"; do
    if ! installed "$package"; then
        say '%s is still missing after apt-get install' 'apt-get install 之后仍然缺少 %s' "$package"
        exit 3
    fi
done
say 'done' '完成'
