# Makes the submission: names with line ends, quotes, commands and escapes.
import os

text = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
open("sum.cu", "wb").write(text)
for name in (
    b"a\nb.cu",
    b"$(touch @).cu",
    b"`id`.cu",
    b"-o.cu",
    b"\x1b[2J.cu",
    b"=1+1.cu",
    b"\xff\xfe.cu",
    b"'\".cu",
    b"<script>.cu",
    b"sum.cu ",
    b"sum.cu\n",
    b"SUM.CU",
    b"%s%n.cu",
):
    open(name, "wb").write(text)
