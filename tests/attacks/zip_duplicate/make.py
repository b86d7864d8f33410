# Makes the submission: two files of one name.
import os
import zipfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
with zipfile.ZipFile("package.zip", "w", zipfile.ZIP_DEFLATED) as package:
    package.writestr("sum.cu", "wrong")
    package.writestr("sum.cu", kernel)
