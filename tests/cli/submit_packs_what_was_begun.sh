# A stub and an old file are left out; the package holds plain names, and `make class` reads it.
cp tests/wrong/sum/no_bounds.cu student/sum.cu
cp student/sum.cu student/sum.cu.1
mkdir build
tilegrade submit --out build/submit/a.zip
tilegrade test >/dev/null
tilegrade submit | head -n 2
touch student/sum.cu && tilegrade submit --out b.zip | tail -n 1
cmp build/submit/a.zip b.zip
python3 -m zipfile -l b.zip | awk 'NR > 1 {print $1, $NF}'
mkdir class && mv b.zip "class/anna.zip"
class=$REPOSITORY/grader/class/class.py
/usr/bin/python3 "$class" --submissions class --out graded --quiet >/dev/null; echo "class $?"
grep -o '"verdict":[^,]*' graded/jobs/*/result.json | sort -u | head -n 1
tilegrade stubs --force >/dev/null
tilegrade submit
cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade submit --out here
