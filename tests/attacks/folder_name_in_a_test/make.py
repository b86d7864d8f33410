# Makes the submission: an empty folder whose name is a command of GitHub.
import os

os.mkdir(b"a\n::error::b\n##[group]\x1b[2J\xff\xe2\x80\xae")
