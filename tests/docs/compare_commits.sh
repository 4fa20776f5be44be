#!/bin/bash
# scripts/compare_commits.sh, which the GitHub action runs, on a repository whose second commit sleeps in each
# put and whose third does not build.
#
#   tests/docs/compare_commits.sh LEVELFIELD JOURNAL_SOURCE DIRECTORY
set -euo pipefail
export LEVELFIELD=$1
journal=$2
work=$3
source=$(realpath "$(dirname "$0")/../..")
rm -rf "$work"
mkdir -p "$work/store"
cd "$work/store"
commit() { git add -A && git -c user.name=t -c user.email=t@example.org commit -qm "$1" && git rev-parse HEAD; }
git init -q
# What it builds from is in a submodule.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q "$work/part"
touch "$work/part/part.h"
(cd "$work/part" && commit part >/dev/null)
git submodule --quiet add "$work/part" part
cp "$journal" journal.cc
first=$(commit first)
# Slower by sleeping, whatever the machine does.
sed 's/^#include "levelfield\/engine.h"/#include <chrono>\n#include <thread>\n&/' "$journal" |
  awk '{print} /Put\(.*\{$/ && !done {print "  std::this_thread::sleep_for(std::chrono::milliseconds(2));"; done = 1}' \
    >journal.cc
grep -q sleep_for journal.cc
second=$(commit second)
echo '#error no' >journal.cc
third=$(commit third)
sed 's/entry = {key, value, 0}/entry = {key, key, 0}/' "$journal" >journal.cc
wrong=$(commit wrong)

build="${CXX:-c++} -std=c++20 -shared -fPIC -I$source/include -I$source/engines -include part/part.h journal.cc -o levelfield_journal.so"
compare() {  # BASE HEAD DIRECTORY [WORKLOAD]
  local status=0
  "$source/scripts/compare_commits.sh" . "$1" "$2" "$build" levelfield_journal.so journal "$work/$3" \
    --num=200 --benchmarks="${4:-fillrandom}" --price=0 --audit=0 >"$work/$3.log" 2>&1 || status=$?
  echo "$status"
}
fail() { echo "$1"; cat "$work"/*.log; exit 1; }
[[ $(compare "$first" "$second" slower) == 1 ]] || fail "a slower commit does not end with 1"
grep -q '^\*\*journal@.*head against journal@.*base: slower in fillrandom\.\*\*$' "$work/slower/comment.md" || fail "no verdict"
(($(sed "/^<details>/q" "$work/slower/comment.md" | wc -l) <= 25)) || fail "the comment is too long"
[[ $(compare "$second" "$first" faster) == 0 ]] || fail "a faster commit does not end with 0"
grep -q 'faster in fillrandom' "$work/faster/comment.md" || fail "no verdict of faster"
[[ $(compare "$first" "$third" broken) == 2 ]] || fail "a commit that does not build does not end with 2"
grep -q 'does not build' "$work/broken.log" || fail "it does not say what does not build"
[[ $(compare "$third" "$second" early) == 2 ]] || fail "a base that does not build does not end with 2"
grep -q 'Both commits must build it' "$work/early.log" || fail "it does not say what the base must have"
! grep -q 'Both commits' "$work/broken.log" || fail "it asks for another base where the later commit does not build"
[[ $(compare "$first" "$wrong" wrong) == 1 ]] || fail "a commit with wrong answers does not end with 1"
[[ $(compare "$wrong" "$first" mended) == 0 ]] || fail "a commit that mends wrong answers does not end with 0"
grep -q 'no verdict: the base, .* was wrong' "$work/mended.log" || fail "it does not say that the base is wrong"
[[ $(compare "$first" "$first" same) == 2 ]] || fail "a commit and itself do not end with 2"
grep -q 'there is nothing to compare' "$work/same.log" || fail "it does not say that both are one commit"
[[ $(compare "$first" nowhere unknown) == 2 ]] || fail "an unknown commit does not end with 2"
[[ $(compare "$first" "$second" mistyped nosuch) == 2 ]] || fail "a mistake on the command line does not end with 2"
grep -q "no workload is called 'nosuch'" "$work/mistyped.log" || fail "it does not say what is mistyped"
[[ $(git worktree list | wc -l) == 1 ]] || fail "work trees are left"

# What the action shows of it: a summary, and a comment where the token may write one.
show() {  # CODE_OF_THE_SERVER
  rm -f "$work"/{port,summary,posted}
  python3 -c '
import http.server, sys
class Comments(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        open(sys.argv[2] + "/posted", "wb").write(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(int(sys.argv[1]))
        self.end_headers()
    def log_message(self, *words): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Comments)
print(server.server_port, file=open(sys.argv[2] + "/port", "w"), flush=True)
server.handle_request()' "$1" "$work" &
  until [[ -s $work/port ]]; do sleep 0.05; done
  COMMENT=$work/slower/comment.md TOKEN=none URL=http://127.0.0.1:$(<"$work/port")/ GITHUB_STEP_SUMMARY=$work/summary \
    "$source/scripts/show_verdicts.sh" >"$work/show.log" 2>&1 || fail "showing the verdicts failed"
  wait
  cmp -s "$work/slower/comment.md" "$work/summary" || fail "the summary is not the comment"
}
show 201
grep -q "slower in fillrandom" "$work/posted" || fail "the comment is not posted"
[[ ! -s $work/show.log ]] || fail "a posted comment is warned of"
show 403
grep -q '^::warning::.*fork' "$work/show.log" || fail "a refused comment is not warned of"
