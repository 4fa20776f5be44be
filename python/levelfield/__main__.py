"""The commands of the wheel: each becomes the program or the script that came with it, by its name. No Python is left
when that runs."""
import os
import sys

from levelfield import program


def main():
    name = os.path.basename(sys.argv[0])
    path = program()
    if name.startswith("levelfield-"):
        path = os.path.join(os.path.dirname(path), name)
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
