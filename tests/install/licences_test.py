#!/usr/bin/env python3
"""Installs a build, makes its Debian packages, and demands for each file the licences of all that is in it.

    licences_test.py BUILD

What is in a program or plug-in is told by the build, not by install/licences.cmake: the headers of other projects
that its objects were compiled with, and the libraries that were linked into it. RocksDB's release binary is told by
the functions that it exports. A file of a kind that is not known here fails the test, too.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOC = pathlib.Path("/usr/share/doc")
faults = []

# Files of our own, beside programs and plug-ins.
OURS = re.compile(r"bin/levelfield-(compare-commits|nightly)$|"
                  r"include/levelfield/|share/levelfield/(workloads|suites|kits)/|share/levelfield/plugin.map$|share/man/|"
                  r"share/(zsh|fish|bash-completion)/|share/doc/levelfield/(README.md|CHANGELOG.md|LICENSE)$|"
                  r"share/doc/levelfield/docs/|lib/pkgconfig/levelfield.pc$|"
                  r"lib/cmake/levelfield/levelfield-config.cmake$|"
                  r"share/doc/levelfield[-a-z0-9]*/copyright$|lib/levelfield/rocksdb/[^/]*/build.txt$")
# Their licences ask for nothing where a program is compiled with their headers (GCC's runtime exception, the C
# library's), or their headers are the kernel's interface.
FREE = re.compile(r"libstdc\+\+-\d+-dev|libgcc-\d+-dev|libc6-dev|linux-libc-dev|gcc-\d+|g\+\+-\d+")
# What functions of librocksdb.so belong to, by the packages of Debian that have the same.
FUNCTIONS = {
    "libzstd1": r"ZSTD|HUF|FSE|ZDICT|COVER|HIST|POOL|ERR_getErrorString|ZBUFF|divsufsort|divbwt",
    "liblz4-1": r"LZ4",
    "libbz2-1.0": r"BZ2_",
    "zlib1g-dev": r"(deflate|inflate|adler32|crc32|zlib|zError|z_errmsg|get_crc_table|compress|uncompress|gz)",
    "libsnappy-dev": r"_ZNK?6snappy",
    "librocksdb-dev": r"rocksdb_|ROCKSDB_|Java_org_rocksdb_|Register(Ttl|Cassandra)Objects|locktree_|treenode|"
                      r"manager_|ltm_|lock_request|toku_|JNI_",
}


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def is_program(path):
    return not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"


def files_below(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() or path.is_symlink())


class Ninja:
    """What the build knows: the edges of build.ninja, and the headers of each object."""

    def __init__(self):
        self.inputs = {}
        text = (BUILD / "build.ninja").read_text().replace("$\n", "")
        for line in re.findall(r"(?m)^build (.*)$", text):
            words = [word.replace("\0", " ") for word in line.replace("$ ", "\0").replace("$:", ":").split()]
            end = next(i for i, word in enumerate(words) if word.endswith(":"))
            words[end] = words[end][:-1]
            rest = words[end + 2:]
            if "||" in rest:  # Behind it: what only has to be built before.
                rest = rest[:rest.index("||")]
            for output in words[:end + 1]:
                self.inputs[output] = [word for word in rest if word != "|"]
        self.headers = {}
        for part in run("ninja", "-C", str(BUILD), "-t", "deps").split("\n\n"):
            lines = part.splitlines()
            if lines and ": #deps" in lines[0]:
                self.headers[lines[0].split(": #deps")[0]] = [line.strip() for line in lines[1:]]

    def content(self, target):
        """The headers and libraries from outside the tree that are in a target."""
        found, seen, left = set(), set(), [target]
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            left += self.inputs.get(name, [])
            if name.endswith((".o", ".gch")):
                if name not in self.headers:
                    faults.append(f"the build does not know the headers of {name}: build it again")
                for header in self.headers.get(name, []):
                    found.add(header)
                    if header.endswith(".gch"):
                        left.append(str(pathlib.Path(header).relative_to(BUILD)) if header[0] == "/" else header)
            elif name.startswith("/") and name.endswith(".a"):
                found.add(name)
        return {name for name in found if name.startswith("/")
                and not name.startswith((str(SOURCE) + "/", str(BUILD) + "/"))}


def owners():
    """The package of each file below /usr/include and /usr/lib."""
    found = {}
    for listing in pathlib.Path("/var/lib/dpkg/info").glob("*.list"):
        for line in listing.read_text().splitlines():
            if line.startswith(("/usr/include/", "/usr/lib/")):
                found[line] = listing.stem.split(":")[0]
    return found


def text_of_package(package):
    """Its copyright file. Of Boost's, which has 46,000 lines, the licence under which all that we use is."""
    fetched = pathlib.Path(run(SOURCE / "scripts/fetch_headers.sh", "--where").strip()) / "licences" / package
    file = DOC / package / "copyright"
    text = (file if file.exists() else fetched).read_text()
    if package.startswith("libboost"):
        text = re.search(r"\nLicense: BSL-1\.0\n .*?\n(?=\n)", text, re.DOTALL)[0].strip("\n")
    return text


class Texts:
    """The licence texts that must be with what comes from outside."""

    def __init__(self):
        self.package_of = owners()
        cache = run(SOURCE / "scripts/cache_directory.sh").strip()
        boost = [path.name for path in pathlib.Path(cache).glob("headers-*/licences/libboost*-dev")]
        self.origins = [  # A path, the package or the files with its licence.
            (rf"{cache}/headers-[^/]*/boost/", boost[0] if boost else "libboost-dev"),
            (rf"{cache}/headers-[^/]*/rocksdb/", "librocksdb-dev"),
            (rf"({cache}/leveldb-[^/]*)/libcrc32c.a", ["LICENSE.crc32c"]),
            (rf"({cache}/(?:leveldb|sqlite3|lmdb|wiredtiger)-[^/]*)/", ["LICENSE"]),
            (rf"({cache}/rocksdb-caches-[^/]*)/", ["LICENSE.Apache", "LICENSE.leveldb", "LICENSE.xxhash"]),
            (rf"({cache}/report-page-[^/]*)/", ["licences.txt"]),
        ]
        self.known = {}

    def of(self, path):
        """{origin: text}; empty if there is nothing to demand."""
        for pattern, origin in self.origins:
            match = re.match(pattern, path)
            if match and isinstance(origin, str):
                return self.of_package(origin)
            if match:
                return {f"{match[1]}/{name}": (pathlib.Path(match[1]) / name).read_text() for name in origin}
        package = self.package_of.get(path) or self.package_of.get(str(pathlib.Path(path).resolve()))
        if package is None:
            faults.append(f"{path} is of no package and no origin that this test knows")
            return {}
        return {} if FREE.fullmatch(package) else self.of_package(package)

    def of_package(self, package):
        if package not in self.known:
            self.known[package] = {package: text_of_package(package)}
        return self.known[package]


def content_of_rocksdb(path):
    """The packages whose code RocksDB's library has in it."""
    found = set()
    for line in run("nm", "--dynamic", "--defined-only", path).splitlines():
        name = line.split()[-1]
        mangled = name.startswith("_Z") and not name.startswith(("_ZN6snappy", "_ZNK6snappy"))
        owner = next((package for package, names in FUNCTIONS.items() if re.match(names, name)), None)
        if owner:
            found.add(owner)
        elif not mangled:
            faults.append(f"{path} has a function of an unknown library: {name}")
    return found | {"librocksdb-dev", "libxxhash0"}  # xxHash is in RocksDB by names of RocksDB's.


def target_of(file):
    name = pathlib.Path(file).name
    if file == "lib/levelfield/conformance":
        return name
    return {"bin": name, "lib/levelfield": f"engines/{name}", "lib/levelfield/caches": f"caches/{name}"}.get(
        str(pathlib.Path(file).parent))


def check_links(target):
    """A library that is linked by name must be a shared one, which is not passed on."""
    for name in set(re.findall(r" -l(\S+)", run("ninja", "-C", str(BUILD), "-t", "commands", "-s", target))):
        if not pathlib.Path(run("c++", f"-print-file-name=lib{name}.so").strip()).is_absolute() and \
                name not in ("pthread", "dl", "m", "rt"):
            faults.append(f"{target}: lib{name} is linked statically; where is its licence?")


def demanded(root, files, ninja, texts):
    """{file: {origin: text}} of the programs and libraries below root; other files must be our own."""
    demands = {}
    for file in files:
        if is_program(root / file):
            target = target_of(file)
            if target in ninja.inputs:
                content = ninja.content(target)
                check_links(target)
                demands[file] = {}
                for path in content:
                    demands[file] |= texts.of(path)
            elif file.startswith("lib/levelfield/rocksdb/"):
                demands[file] = {}
                for package in content_of_rocksdb(root / file):
                    demands[file] |= texts.of_package(package)
            else:
                faults.append(f"{file}: a program or library that the build does not make")
        elif not OURS.match(file):
            faults.append(f"{file}: whose is it, and where is its licence?")
    page = pathlib.Path(run(SOURCE / "scripts/build_report_page.sh").strip())
    demands["bin/levelfield"] |= texts.of(f"{page}/program.base64")
    return demands


def main():
    ninja, texts = Ninja(), Texts()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        place = pathlib.Path(place)
        root = place / "usr"
        run("cmake", "--install", BUILD, "--prefix", root)
        tree = files_below(root)
        demands = demanded(root, tree, ninja, texts)
        # The packages: together they are the tree, but for what is compared with the distribution's builds.
        subprocess.run(["cpack", "-G", "DEB", "-B", place / "packages", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none",
                        "-D", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF"], cwd=BUILD, check=True, capture_output=True)
        package_of, descriptions = {}, {}
        for deb in (place / "packages").glob("*.deb"):
            package = deb.name.split("_")[0]
            descriptions[package] = run("dpkg-deb", "--field", deb, "Description")
            run("dpkg-deb", "--extract", deb, place / package)
            for file in files_below(place / package / "usr"):
                package_of[file] = package
            ours = pathlib.Path(f"share/doc/{package}/copyright")
            if not (place / package / "usr" / ours).exists() or not (root / ours).exists():
                faults.append(f"{package} has no {ours}")
            elif (place / package / "usr" / ours).read_bytes() != (root / ours).read_bytes():
                faults.append(f"{package}: its {ours} is another than the tree's")
        for file in set(tree) - set(package_of):
            if "@" in file or file.startswith("share/doc/levelfield-system/"):
                package_of[file] = "levelfield-system"
            else:
                faults.append(f"{file} is installed, but in no package")
        faults.extend(f"{file} is in a package, but not installed" for file in set(package_of) - set(tree))
        copyrights = {package: (root / "share/doc" / package / "copyright").read_text()
                      for package in set(package_of.values()) if (root / "share/doc" / package / "copyright").exists()}
        for file, origins in sorted(demands.items()):
            copyright = copyrights.get(package_of.get(file), "")
            print(f"{file}: {', '.join(sorted(pathlib.Path(origin).name for origin in origins)) or 'only our own'}")
            faults.extend(f"{file} has code of {origin}, whose licence is not in {package_of.get(file)}'s copyright file"
                          for origin, text in sorted(origins.items()) if text not in copyright)
        for package, copyright in copyrights.items():
            for name in set(re.findall(r"/usr/share/common-licenses/[-\w.]*\w", copyright)):
                if pathlib.Path(name).exists() and pathlib.Path(name).read_text() not in copyright:
                    faults.append(f"{package}: its copyright file names {name}, but does not have its text")
        if "GPL-3.0-or-later" not in descriptions.get("levelfield-treedb", ""):
            faults.append("the description of levelfield-treedb does not say that it is under the GPL")
    if faults:
        sys.exit("\n".join(dict.fromkeys(faults)))


main()
