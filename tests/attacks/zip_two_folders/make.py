# Makes the submission: one name in two folders.
import os
import zipfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
with zipfile.ZipFile("package.zip", "w", zipfile.ZIP_DEFLATED) as package:
    package.writestr("a/sum.cu", "wrong")
    package.writestr("b/sum.cu", kernel)
