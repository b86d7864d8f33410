# Entries that no honest package has are refused by name, and so is a file that is not a package.
/usr/bin/python3 - <<'PYTHON'
import io, os, tarfile, zipfile

kernel = open("reference/sum.cu").read()


def packed(name, entries, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(name, "w", compression) as package:
        for path, text in entries:
            package.writestr(path, text)


def special(name, type, target=""):
    with tarfile.open(name, "w:gz") as package:
        entry = tarfile.TarInfo("sum.cu")
        entry.type, entry.linkname, entry.devmajor, entry.devminor = type, target, 1, 3
        package.addfile(entry)


packed("up.zip", [("../../sum.cu", kernel)])
packed("escapes.zip", [("../\x1b[31m$(x)\n.cu", kernel)])
packed("root.zip", [("/tmp/sum.cu", kernel)])
packed("twice.zip", [("a/sum.cu", kernel), ("b/sum.cu", kernel)])
packed("nothing.zip", [("readme.txt", "x")])
packed("bomb.zip", [("sum.cu", "\0" * (64 << 20))], zipfile.ZIP_DEFLATED)
packed("many.zip", [(f"f{i}.cu", "x") for i in range(1001)])
special("symlink.tar.gz", tarfile.SYMTYPE, "/etc/passwd")
special("hardlink.tar.gz", tarfile.LNKTYPE, "/etc/passwd")
special("device.tar.gz", tarfile.CHRTYPE)
special("pipe.tar.gz", tarfile.FIFOTYPE)
packed("whole.zip", [("sum.cu", kernel)])
data = open("whole.zip", "rb").read()
open("cut.zip", "wb").write(data[: len(data) // 2])
open("garbage.zip", "wb").write(bytes(range(256)) * 20)
open("empty.zip", "wb").close()
os.mkfifo("fifo.zip")
os.symlink("whole.zip", "link.zip")
PYTHON
for package in up escapes root twice nothing bomb many cut garbage empty fifo link; do
    tilegrade grade --submission $package.zip --out out
done
for package in symlink hardlink device pipe; do
    tilegrade grade --submission $package.tar.gz --out out
done
[ -e out ] || echo "no folder for a result"
