# Makes the submission: write to a place of the machine.
import os
import zipfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
with zipfile.ZipFile("package.zip", "w", zipfile.ZIP_DEFLATED) as package:
    package.writestr("/tmp/" + os.environ["MARK"], kernel)
