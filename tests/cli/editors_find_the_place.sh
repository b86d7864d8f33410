# The first line of a finding has the form of a compiler's message, so that `vim -q` opens the file
# at the line, with the patterns it comes with.
command -v vim >/dev/null || { echo "skip: needs vim"; exit; }
places() {
    tilegrade test >messages
    vim -u NONE -es -q messages -c 'redir! > places' \
        -c 'for at in filter(getqflist(), "v:val.valid") |
            echo bufname(at.bufnr) at.lnum at.col at.text | endfor' \
        -c 'redir END' -c 'qa!' >/dev/null
    cat places
    echo
}
sed '17d' reference/sum.cu >student/sum.cu
places
cp tests/wrong/sum/no_bounds.cu student/sum.cu
places
sed 's/^ *if (row.*/for (int t; t < M; ++t) {/' reference/sum.cu >student/sum.cu
places
# A folder must not look like a command of a CI system at the start of a line.
cp -r student ::error
tilegrade test --submission ::error | head -n 1
