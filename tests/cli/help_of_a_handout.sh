# Without references, help lists only what works there; in the whole course it lists everything.
cp "$REPOSITORY/Makefile" .
mkdir -p grader/tools && cp "$REPOSITORY/grader/tools/"{say.sh,pack.py} grader/tools
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
echo "and without references"
rm -r reference
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
# Packages for grading contain references, so none is made here.
python3 grader/tools/pack.py gradescope out
