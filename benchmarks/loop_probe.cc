// loop_probe ENGINE_DIRECTORY WORKLOAD TIMED N [FLAG...]: runs the loop of a built-in workload once
// over the null engine, for a tool that counts instructions (benchmarks/instructions.sh) or for a
// profiler. Flags are those of `levelfield run`: --num, --key_size, --key_format, --key_dist.
#include <cinttypes>

#include "null_loop.h"

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: %s ENGINE_DIRECTORY WORKLOAD 0|1 N [FLAG...]\n", argv[0]);
    return 2;
  }
  const levelfield::LoopOf of(argv[2], {argv + 5, argv + argc});
  const uint64_t operations = strtoull(argv[4], nullptr, 10);
  levelfield::NullLoop loop({{argv[1], true}}, of, std::string_view(argv[3]) == "1");
  printf("%s timed=%s n=%" PRIu64 ": %.2f ns\n", argv[2], argv[3], operations,
         loop.Run(operations));
  return 0;
}
