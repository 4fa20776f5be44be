#!/usr/bin/env python3
"""Demands of finished wheels what must be right before they are passed on.

    check_wheels.py WHEEL...

Each library that auditwheel has put into a wheel has the licence of its Debian package in the wheel; only a wheel whose
own licence is the GPL has an engine under it; no program or library names the directory of its builder; and each wheel
says that it runs on other systems.
"""
import email
import pathlib
import re
import subprocess
import sys
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
COMMON = pathlib.Path("/usr/share/common-licenses")


def licence_of(package):
    """The text of a Debian package's licence. Packages of one source have the same."""
    return pathlib.Path("/usr/share/doc", package, "copyright").resolve().read_text()


def package_of(library):
    """The Debian package that has a file of this name."""
    said = subprocess.run(["dpkg-query", "--search", f"*/{library}"], check=True, capture_output=True, text=True).stdout
    return re.split(r"[:,]", said)[0]


def is_gpl(engine):
    return re.search(r'\.license = "GPL', (SOURCE / "engines" / f"{engine}.cc").read_text()) is not None


def faults_of(path):
    wheel = zipfile.ZipFile(path)
    files = {name: wheel.read(name) for name in wheel.namelist()}
    one = {pathlib.PurePath(name).name: text for name, text in files.items() if ".dist-info/" in name}
    texts = "".join(text.decode() for name, text in files.items() if name.endswith("/copyright"))
    if "-manylinux_" not in path:
        yield "auditwheel has not repaired it"
    for library in [pathlib.PurePath(name).name for name in files if re.search(r"\.libs/.", name)]:
        package = package_of(re.sub(r"-[0-9a-f]{8}\.", ".", library, count=1))
        if licence_of(package) not in texts:
            yield f"the licence of {package} is missing, which has {library}"
    for name in set(re.findall(r"/usr/share/common-licenses/([-\w.]*\w)", texts)):
        if (COMMON / name).exists() and (COMMON / name).read_text() not in texts:
            yield f"the text of {name} is missing"
    if not re.search(r"(?m)^License-Expression: .*BSD-3-Clause", one["METADATA"].decode()):
        yield "it does not tell its licence"
    licence = email.message_from_bytes(one["METADATA"])["License-Expression"]
    for name, content in files.items():
        engine = re.search(r"/levelfield_([a-z0-9]+)\.so$", name)
        if engine and is_gpl(engine[1]) and not re.match(r"\(?GPL-", licence):
            yield f"{engine[1]} is under the GPL, and belongs into a wheel of its own"
        if content[:4] == b"\x7fELF" and str(SOURCE).encode() + b"/" in content:
            yield f"{name} names {SOURCE}"


faults = [f"{pathlib.Path(path).name}: {fault}" for path in sys.argv[1:] for fault in faults_of(path)]
sys.exit("\n".join(faults) if faults else 0)
