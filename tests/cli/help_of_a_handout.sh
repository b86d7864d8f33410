# Without references, help lists only what works there; in the whole course it lists everything.
cp "$REPOSITORY/Makefile" .
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
echo "and without references"
rm -r reference
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
# Packages for grading contain references, so none is made here.
mkdir -p grader/tools && cp "$REPOSITORY/grader/tools/pack.py" grader/tools
python3 grader/tools/pack.py gradescope out
