// loop_probe ENGINE_DIRECTORY OPERATION TIMED N: runs the loop once over the null engine, for a
// tool that counts instructions (benchmarks/instructions.sh) or for a profiler.
#include <cinttypes>

#include "null_loop.h"

int main(int argc, char** argv) {
  const auto role = argc == 5 ? levelfield::RoleNamed(argv[2]) : std::nullopt;
  if (!role) {
    fprintf(stderr, "usage: %s ENGINE_DIRECTORY readrandom|fillrandom|fillseq|readseq 0|1 N\n",
            argv[0]);
    return 2;
  }
  const uint64_t operations = strtoull(argv[4], nullptr, 10);
  levelfield::NullLoop loop(argv[1], *role, std::string_view(argv[3]) == "1");
  printf("%s timed=%s n=%" PRIu64 ": %.2f ns\n", argv[2], argv[3], operations,
         loop.Run(operations));
  return 0;
}
