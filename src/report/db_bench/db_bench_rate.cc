#include "report/db_bench/db_bench_rate.h"

namespace levelfield {

std::optional<double> MegabytesPerSecond(Lines lines, const RoleResult& role) {
  if (role.lanes.size() != 1 || role.seconds <= 0) return std::nullopt;
  const LaneResult& lane = role.lanes.front();
  const bool tells_none = lane.operation == "seek" || lane.operation == "erase" ||
                          (lane.operation == "get" && lines != Lines::kRocksDb);
  if (tells_none || lane.bytes == 0) return std::nullopt;
  return static_cast<double>(lane.bytes) / 1048576 / role.seconds;
}

}  // namespace levelfield
