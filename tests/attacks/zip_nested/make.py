# Makes the submission: a package in a package.
import os
import zipfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
with zipfile.ZipFile("package.zip", "w", zipfile.ZIP_DEFLATED) as package:
    inner = zipfile.ZipFile("inner.zip", "w", zipfile.ZIP_DEFLATED)
    inner.writestr("sum.cu", kernel)
    inner.close()
    package.write("inner.zip", "sum.cu")
