# Makes w.workload of a role with the lines given and has a verb take it: sh role.sh VERB LINE...
# Lines before a line `--` stand above the role.
verb=$1
shift
{
  echo 'summary = s'
  for line in "$@"; do [ "$line" = "--" ] && break; done
  if [ "$line" = "--" ]; then
    while [ "$1" != "--" ]; do echo "$1"; shift; done
    shift
  else
    echo 'family = f'
    echo 'needs = loaded store'
  fi
  echo '[worker]'
  for line in "$@"; do echo "$line"; done
} >w.workload
levelfield "$verb" --engine=memory --num=500 --price=0 --benchmarks=./w.workload
