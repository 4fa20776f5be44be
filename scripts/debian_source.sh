#!/bin/bash
# Downloads the archive of one of Debian's or Ubuntu's source packages, in the version of the release that this machine
# has, as root or as a user, and changes nothing in the system.
#
#   scripts/debian_source.sh <package> <new directory>
#
# Most machines list binary packages only. So the configured entries for this release are copied
# into a private list as deb-src (same mirrors, keys and options), and apt runs with that list and with
# private state. apt checks the signatures. The caller checks the content.
set -euo pipefail
package=$1 target=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{parts,state,cache} "$target"
# As root, apt downloads as the user _apt, who must be able to get there.
chmod 755 "$work"
if [[ $(id -u) == 0 ]] && id _apt >/dev/null 2>&1; then chown _apt "$target"; fi
target=$(realpath "$target")

release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
shopt -s nullglob

# deb822: one entry a paragraph. Ours are those that name this release and `main`, or Ubuntu's `universe`.
for file in /etc/apt/sources.list.d/*.sources; do
  awk -v release="$release" '
    BEGIN {ours = "(^|[ \t])(main|universe)([ \t]|$)"}
    function flush() {
      if (types ~ /(^|[ \t])deb([ \t]|$)/ && suites ~ "(^|[ \t])" release "([ \t]|$)" &&
          components ~ ours && enabled !~ /^[ \t]*(no|false|off|0)/) {
        names = (components ~ /main/ ? " main" : "") (components ~ /universe/ ? " universe" : "")
        printf "Types: deb-src\nSuites: %s\nComponents:%s\n%s\n", release, names, rest
      }
      types = suites = components = enabled = rest = field = ""
    }
    /^#/ {next}
    /^[ \t]*$/ {flush(); next}
    /^[^ \t:]+:/ {
      field = tolower($0); sub(/:.*/, "", field)
      value = $0; sub(/^[^:]*:/, "", value)
      if (field == "types") types = value
      else if (field == "suites") suites = value
      else if (field == "components") components = value
      else {
        if (field == "enabled") enabled = value
        rest = rest $0 "\n"
      }
      next
    }
    {  # A continued value.
      if (field == "types") types = types $0
      else if (field == "suites") suites = suites $0
      else if (field == "components") components = components $0
      else rest = rest $0 "\n"
    }
    END {flush()}' "$file" >>"$work/parts/all.sources"
done

# One line an entry: deb [options] uri suite component...
lists=(/etc/apt/sources.list.d/*.list)
[[ -r /etc/apt/sources.list ]] && lists+=(/etc/apt/sources.list)
for file in "${lists[@]}"; do
  awk -v release="$release" '
    $1 == "deb" {
      line = $0; sub(/#.*/, "", line); sub(/^[ \t]*deb[ \t]+/, "", line)
      options = ""
      if (match(line, /^\[[^]]*\][ \t]*/)) {
        options = substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 1)
      }
      count = split(line, word, /[ \t]+/)
      for (i = 3; i <= count; ++i) {
        if (word[2] == release && word[i] ~ /^(main|universe)$/) print "deb-src", options word[1], release, word[i]
      }
    }' "$file" >>"$work/parts/all.list"
done

if ! grep -q deb-src "$work"/parts/all.*; then
  echo "apt has no source of the release '${release:-unknown}' with the component main, so the source package" \
    "$package cannot be had" >&2
  exit 1
fi

# Read last, so it can also clear the hooks that packages hang onto `update`.
cat >"$work/apt.conf" <<CONF
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/parts";
Dir::State::Lists "$work/state";
Dir::Cache "$work/cache";
APT::Get::List-Cleanup "0";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
mkdir -p "$work/cache/archives/partial"
apt-get --config-file "$work/apt.conf" -q update
cd "$target"
apt-get --config-file "$work/apt.conf" -q source --download-only --only-source --tar-only "$package"
