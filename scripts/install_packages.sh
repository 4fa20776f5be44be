#!/bin/bash
# Installs the missing Debian packages of the given lists. Says nothing if none is missing. On a system without apt it
# says what of them is missing, as far as it can find out, by Debian's names and what each is for.
#
#   scripts/install_packages.sh [--missing] packages/debian.txt...
#
# With --missing it only prints which those are. It asks for nothing if build/packages.stamp is there.
#
# A line of a list is `<package> [| <other name>]... [unless <command>] [has <file>]  # reason`. Where a package has
# another name in another release, the first that apt can install is taken. With `unless` it is only needed where the
# command is not there. Its <file> tells other systems whether they have it: a header, a shared library or a command. It
# is the package's own name if none is given.
set -euo pipefail
only_print=
if [[ $1 == --missing ]]; then
  only_print=yes
  shift
fi
if [[ -e build/packages.stamp ]]; then exit; fi

has_apt=
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then has_apt=yes; fi

is_there() {  # A file, on a system of any kind.
  case $1 in
    *.h | *.hpp) echo "#include <$1>" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1 ;;
    lib*.so.*) [[ $("${CXX:-c++}" -print-file-name="$1" 2>/dev/null) == /* ]] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# "libfoo2t64 libfoo2" a line: what is wanted, and on a system without apt what is missing, with its file and reason.
wanted=() lacking=()
while IFS= read -r line; do
  read -ra words <<<"${line%%#*}"
  [[ ${#words[@]} == 0 ]] && continue
  names=() needed=yes file=
  for ((i = 0; i < ${#words[@]}; ++i)); do
    case ${words[i]} in
      '|') ;;
      unless) command -v "${words[++i]}" >/dev/null && needed= ;;
      has) file=${words[++i]} ;;
      *) names+=("${words[i]}") ;;
    esac
  done
  [[ -z $needed ]] && continue
  wanted+=("${names[*]}")
  if [[ -z $has_apt ]] && ! is_there "${file:-${names[0]}}"; then
    reason=${line#*#}
    [[ $reason == "$line" ]] && reason=
    lacking+=("  ${names[0]} (${file:-${names[0]}})$reason")
  fi
done < <(cat "$@")

if [[ -z $has_apt ]]; then
  ((${#lacking[@]} == 0)) && exit
  echo "this system has no apt, and lacks what these packages of Debian have:" >&2
  printf '%s\n' "${lacking[@]}" >&2
  echo "install them by other means and run this again; if they are there all the same: touch build/packages.stamp" >&2
  exit 1
fi

declare -A installed=()
while read -r status name; do
  [[ $status == installed ]] && installed[$name]=yes
done < <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' 2>/dev/null)
missing=()
for names in "${wanted[@]}"; do
  for name in $names; do [[ -n ${installed[$name]:-} ]] && continue 2; done
  missing+=("$names")
done

if ((${#missing[@]} == 0)); then exit; fi
if [[ -n $only_print ]]; then
  echo "${missing[*]%% *}"
  exit
fi
as_root=()
if (($(id -u) != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "missing packages; as root, run: apt-get install ${missing[*]%% *}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing ${missing[*]%% *}" >&2
"${as_root[@]}" apt-get -q update

# What this release calls each of them.
packages=() nowhere=()
for names in "${missing[@]}"; do
  for name in $names; do
    if apt-cache policy "$name" 2>/dev/null | grep 'Candidate: [^(]' >/dev/null; then
      packages+=("$name")
      continue 2
    fi
  done
  nowhere+=("${names// / or }")
done
if ((${#nowhere[@]})); then
  echo "apt has no package of these names, which $* ask for:" >&2
  printf '  %s\n' "${nowhere[@]}" >&2
  echo "install what has the same content by other means, then: touch build/packages.stamp" >&2
  exit 1
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install --yes \
  --no-install-recommends "${packages[@]}"
