#!/bin/bash
# The last step of action.yml: puts the verdicts into the summary of the job, and into a comment of the pull request if
# URL names its comments. The token of a fork's pull request may not comment, which is a warning and no failure.
# PAGE is the address of report.html, if there is one.
#   COMMENT=FILE PAGE=ADDRESS TOKEN=TOKEN URL=ADDRESS GITHUB_STEP_SUMMARY=FILE scripts/show_verdicts.sh
set -euo pipefail
if [[ ! -s ${COMMENT:-} ]]; then exit 0; fi
if [[ -n ${PAGE:-} ]]; then printf '\n[report.html](%s): charts and all figures\n' "$PAGE" >>"$COMMENT"; fi
cat "$COMMENT" >>"$GITHUB_STEP_SUMMARY"
if [[ -z ${URL:-} ]]; then exit 0; fi
python3 -c 'import json, sys; print(json.dumps({"body": sys.stdin.read()}))' <"$COMMENT" |
  curl --silent --show-error --fail --output /dev/null --data @- --header "Authorization: Bearer $TOKEN" \
    --header 'Accept: application/vnd.github+json' "$URL" ||
  echo "::warning::Levelfield could not comment on the pull request: its token needs pull-requests: write, which" \
    "that of a fork cannot have. The summary of the job has the verdicts."
