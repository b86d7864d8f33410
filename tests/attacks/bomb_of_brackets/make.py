# Makes the submission: brackets 100000 deep.
import os

text = open(os.environ["REFERENCE"] + "/sum.cu", encoding="utf-8").read()
depth = 100000
open("sum.cu", "w", encoding="utf-8").write(
    text + "constexpr int deep = " + "(" * depth + "1" + ")" * depth + ";\n"
)
