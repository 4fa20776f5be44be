#include "verbs/trace_for_replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/number.h"
#include "base/print.h"
#include "base/quote.h"
#include "process/process.h"
#include "workload/trace/trace_convert.h"

namespace levelfield {
namespace {

// A record of type 1 whose payload begins with the magic word, plain or behind its length.
bool IsRocksDbs(const std::string& path) {
  constexpr size_t kHeadBytes = 13;
  constexpr std::string_view kMagic = "feedcafedeadbeef";
  std::ifstream file(path, std::ios::binary);
  std::string head(kHeadBytes + 1 + kMagic.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!file || head[8] != 1) return false;
  const std::string_view payload = std::string_view(head).substr(kHeadBytes);
  return payload.starts_with(kMagic) || payload.substr(1) == kMagic;
}

}  // namespace

TraceForReplay::~TraceForReplay() {
  if (!made_.empty()) unlink(made_.c_str());
}

StatusOr<std::string> TraceForReplay::Of(const std::string& path, uint64_t value_size) {
  if (path.empty() || !IsRocksDbs(path)) return path;
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(error);
  if (error) return Status::Failed("no directory for temporary files: " + error.message());
  const std::string to = (directory / fmt::format("levelfield-{}.trace", getpid())).string();
  InstallInterruptHandlers();
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  ASSIGN_OR_RETURN(const ConvertedTrace converted,
                   ConvertTrace({.source = TraceSource::kRocksDb,
                                 .from = path,
                                 .to = to,
                                 .value_size = static_cast<uint32_t>(std::min(value_size, kMost))},
                                [] { return !IsInterrupted(); }));
  made_ = to;
  uint64_t left_out = 0;
  for (const auto& [what, records] : converted.left_out) left_out += records;
  Print(stderr, fmt::format("note: {} is RocksDB's own: {} operations are replayed{}\n",
                            Printable(path), Grouped(converted.records),
                            left_out == 0 ? std::string()
                                          : fmt::format(", and {} left out", Grouped(left_out))));
  return to;
}

}  // namespace levelfield
