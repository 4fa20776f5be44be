"""The command `levelfield` of the wheel: becomes the program that came with it. No Python is left when that runs."""
import os
import sys

from levelfield import program


def main():
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
