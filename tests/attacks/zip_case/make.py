# Makes the submission: names that differ by case.
import os
import zipfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
with zipfile.ZipFile("package.zip", "w", zipfile.ZIP_DEFLATED) as package:
    package.writestr("SUM.cu", kernel)
    package.writestr("sum.cu", "int wrong")
