# Makes the submission: the same in a line that is quoted.
import os

text = open(os.environ["REFERENCE"] + "/sum.cu", "rb").read()
evil = (
    b"int x\x1b[2J\x1b]0;owned\x07 = </failure><script>alert(1)</script>|```[x](y)\xff\xc2\x9b;\n"
)
open("sum.cu", "wb").write(text + evil)
