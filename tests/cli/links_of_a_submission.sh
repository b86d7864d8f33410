# A submission that is a link, or is reached through a link of its own, is refused under any name.
mkdir -p work/real/part mine && cp reference/sum.cu work/real/part; touch mine/readme
ln -s ../reference work/student
ln -s ../../reference work/real/reference
ln -s ../work/real work/up
(cd work/real/part && python3 -m zipfile -c ../../hw.zip sum.cu)
ln -s hw.zip work/link.zip
try() {
    echo "== $*" | sed "s|$PWD|HERE|"
    tilegrade grade --quiet --exercise sum --out out --submission "$@" 2>&1 | grep -v '^  points'
}
try work/student
try work/student/
try work/student/.
try work/up/part
try "$PWD/work/up/part"
try "$PWD/work/student"
try work/up/../../mine
try work/link.zip
rm -r student && ln -s mine student
echo "== the course's own folder" && tilegrade grade --quiet --exercise sum --out out
# Near misses: links above the working folder, on the machine, and next to the submission.
ln -s "$PWD" /tmp/cli-links.$$
try work/real/part
try ./work/../mine//
(cd mine && try .)
(cd work && try "/tmp/cli-links.$$/mine" | sed "s|$$|PID|")
rm /tmp/cli-links.$$
try work/hw.zip
