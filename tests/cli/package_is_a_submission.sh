# A package is graded like its folder: zip or tar.gz, with or without a folder around the files.
mkdir pack && cp reference/sum.cu pack && echo text >pack/report.txt
tar czf one.tar.gz pack
/usr/bin/python3 - <<'PYTHON'
import zipfile

with zipfile.ZipFile("two.zip", "w") as package:
    package.write("reference/sum.cu", "sum.cu")
    package.writestr("__MACOSX/._sum.cu", "x")
    package.writestr("$(touch canary)\n;'\".cu", "x")
    package.writestr("-rf.cu", "x")
PYTHON
for package in pack one.tar.gz two.zip; do
    tilegrade test --submission $package | head -1
done
ls canary 2>&1
