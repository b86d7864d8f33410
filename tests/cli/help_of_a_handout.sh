# Where there are no references, help names what works there; the whole course lists all.
cp "$REPOSITORY/Makefile" .
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
echo "and without references"
rm -r reference
make -s help | grep -oE '^  (test|grade|new|stubs|check-course|handout|check|clean) '
# What is to grade holds references: it is not packed here.
mkdir -p grader/tools && cp "$REPOSITORY/grader/tools/pack.py" grader/tools
python3 grader/tools/pack.py gradescope out
