# Without references, help lists only what works there; in the whole course it lists everything.
cp "$REPOSITORY/Makefile" .
mkdir -p grader/tools && cp "$REPOSITORY/grader/tools/"{setup.sh,pack.py} grader/tools
listed() {
    make -s | wc -l
    tilegrade help | grep -oE '^  (test|grade|report|new|stubs|check-course|handout|bench) '
    # The stamp says that all is built.
    mkdir -p build && touch build/built && ln -sf "$(command -v tilegrade)" build/tilegrade
    make -s -o build/built help ALL=1 | grep -oE '^  (clean|check) '
}
listed
echo "and without references"
rm -r reference
listed
# Packages for grading contain references, so none is made here.
python3 grader/tools/pack.py gradescope out
