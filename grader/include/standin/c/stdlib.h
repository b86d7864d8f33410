// Stand-in: abs needs no header, and a kernel has no heap here.
