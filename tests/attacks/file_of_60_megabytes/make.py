# Makes the submission: a file that is too large to be one.
open("sum.cu", "wb").write(b"// " + b"x" * (60 << 20) + b"\n")
