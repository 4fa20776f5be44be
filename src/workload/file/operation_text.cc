#include "workload/file/operation_text.h"

#include <algorithm>
#include <map>

#include "base/trim.h"
#include "workload/file/words.h"
#include "workload/workload_settings.h"
#include "workload/ycsb_text.h"

namespace levelfield {
namespace {

const std::map<std::string_view, OperationKind>& Operations() {
  static const std::map<std::string_view, OperationKind> operations = {
      {"get", OperationKind::kGet},
      {"put", OperationKind::kPut},
      {"erase", OperationKind::kErase},
      {"seek", OperationKind::kSeek},
      {"next", OperationKind::kNext},
      {"prev", OperationKind::kPrev},
      {"compact", OperationKind::kCompact},
      {"open", OperationKind::kOpen},
      {"property", OperationKind::kProperty},
      {"heapprofile", OperationKind::kHeapProfile},
      {"crc32c", OperationKind::kCrc32c},
      {"acquireload", OperationKind::kAcquireLoad},
      {"compress", OperationKind::kCompress},
      {"compress_reject", OperationKind::kCompressReject},
      {"uncompress", OperationKind::kUncompress},
      {"merge", OperationKind::kMerge},
      {"multi_get", OperationKind::kMultiGet},
      {"update", OperationKind::kUpdate},
      {"transaction", OperationKind::kTransaction},
      {"new_iterator", OperationKind::kNewIterator},
      {"append", OperationKind::kAppend},
      {"triple", OperationKind::kTriple},
      {"replace", OperationKind::kReplace},
      {"dispose", OperationKind::kDispose},
      {"series put", OperationKind::kSeriesPut},
      {"series read", OperationKind::kSeriesRead},
      {"series expire", OperationKind::kSeriesExpire},
      {"xor", OperationKind::kXor},
      {"graph", OperationKind::kGraph},
      {"graph of one number", OperationKind::kGraph},
      {"flush", OperationKind::kFlush},
      {"wait_for_background", OperationKind::kWaitForBackground},
      {"verify_checksums", OperationKind::kVerifyChecksums},
      {"backup", OperationKind::kBackup},
      {"restore", OperationKind::kRestore},
      {"xxhash", OperationKind::kXxHash},
      {"xxhash64", OperationKind::kXxHash},
      {"xxh3", OperationKind::kXxHash}};
  return operations;
}

// `N% get, N% seek, N% put`, in any order; what is written is put or merged.
std::string ReadMix(std::string_view text, const FileNumbers& numbers, Role& role) {
  constexpr const char* kAccepted =
      "`N% get, N% seek, N% put` (or merge), each at most once, of together 100%";
  std::map<std::string_view, uint64_t> percents;
  unsigned __int128 sum = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t sign = part.find('%');
    if (sign == std::string_view::npos) return kAccepted;
    const std::optional<uint64_t> percent = numbers.Evaluate(Trim(part.substr(0, sign)));
    if (!percent || !percents.emplace(Trim(part.substr(sign + 1)), *percent).second) {
      return kAccepted;
    }
    sum += *percent;
  }
  for (const auto& [name, percent] : percents) {
    if (name != "get" && name != "seek" && name != "put" && name != "merge") return kAccepted;
  }
  role.merges = percents.contains("merge");
  const bool writes_once = role.merges != percents.contains("put");
  if (sum != 100 || !writes_once) return kAccepted;
  role.operation = OperationKind::kMix;
  role.get_percent = percents["get"];
  role.seek_percent = percents["seek"];
  return "";
}

}  // namespace

std::string ReadOperation(std::string_view text, const FileNumbers& numbers, Role& role) {
  if (text == "seek again") {
    role.operation = OperationKind::kSeek;
    role.again = true;
    return "";
  }
  if (const auto it = Operations().find(text); it != Operations().end()) {
    role.operation = it->second;
    role.merges = it->second == OperationKind::kMerge;
    role.as_batch =
        it->second == OperationKind::kTransaction && numbers.settings().transaction_batches;
    if (it->second == OperationKind::kXxHash) role.codec = text;
    if (it->second == OperationKind::kGraph) {
      role.graph = GraphPlanOf(numbers.settings());
      role.graph.one_number = text.ends_with("number");
    }
    return "";
  }
  if (text == "trace" || text == "trace load") {
    role.operation = OperationKind::kTrace;
    role.trace.loads = text != "trace";
    return "";
  }
  constexpr std::string_view kYcsb = "ycsb ";
  if (text.starts_with(kYcsb)) {
    role.operation = OperationKind::kYcsb;
    return ReadYcsbMix(text.substr(kYcsb.size()), role.ycsb);
  }
  for (const std::string_view mix : {"% get, else put", "% get, else merge", "% merge, else get"}) {
    if (!text.ends_with(mix)) continue;
    const auto percent = numbers.Evaluate(text.substr(0, text.size() - mix.size()));
    if (percent && *percent <= 100) {
      role.operation = OperationKind::kMix;
      role.merges = mix.find("merge") != std::string_view::npos;
      role.get_percent = mix.ends_with("get") ? 100 - *percent : *percent;
      return "";
    }
  }
  if (text.find("%") != std::string_view::npos && text.find("else") == std::string_view::npos) {
    return ReadMix(text, numbers, role);
  }
  return "get, put, erase, merge, multi_get, update, transaction, new_iterator, append, xor, "
         "triple, replace, dispose, series put, series read, series expire, graph, graph of one "
         "number, seek, seek again, ycsb ..., trace, trace load, "
         "next, prev, compact, "
         "open, "
         "flush, wait_for_background, verify_checksums, backup, restore, property, heapprofile, "
         "crc32c, xxhash, "
         "xxhash64, xxh3, acquireload, compress, compress_reject, uncompress, `N% get, else "
         "put`, `N% get, else "
         "merge` or `N% merge, else get`";
}

}  // namespace levelfield
