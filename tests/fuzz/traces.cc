#include <filesystem>

#include "targets.h"
#include "workload/trace/trace_convert.h"
#include "workload/trace/trace_file.h"
#include "workload/trace/trace_plan.h"

namespace levelfield::fuzz {
namespace {

void ReadTrace(const std::string& path) {
  StatusOr<TraceReader> reader = TraceReader::Open(path);
  if (!reader.ok()) return;
  TraceRecord record;
  while (reader->Next(record)) (void)TraceOperationName(record.operation);
  TracePlan plan{.path = path};
  if (!DescribeTrace(plan).ok()) return;
  (void)plan.Rate();
  for (const bool loads : {false, true}) {
    plan.loads = loads;
    (void)TraceSteps::Make(plan, 3, 1, 1);
  }
}

// So that what is behind the checksums is reached.
std::string WithHeader(std::string_view bytes) {
  const uint64_t records = bytes.size() / trace_format::kRecordBytes;
  const std::string_view whole = bytes.substr(0, records * trace_format::kRecordBytes);
  TraceHeader header{.records = records, .source = "fuzzed"};
  for (uint64_t i = 0; i < records; ++i) {
    const uint64_t key = trace_format::Decode(&whole[i * trace_format::kRecordBytes]).key;
    header.keys += key == header.keys ? 1 : 0;
  }
  header.checksum = trace_format::Checksum(0, whole.data(), whole.size());
  const trace_format::HeaderBytes encoded = trace_format::Encode(header);
  return std::string(encoded.data(), encoded.size()).append(whole);
}

void Convert(TraceSource source, std::string_view lines) {
  const std::string from = ScratchPath("lines");
  const std::string to = ScratchPath("converted");
  std::filesystem::remove(to);
  WriteScratch(from, lines);
  const TraceConversion asked{.source = source, .from = from, .to = to};
  if (ConvertTrace(asked, [] { return true; }).ok()) ReadTrace(to);
}

}  // namespace

void Traces(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::string_view rest = bytes.substr(1);
  switch (bytes.front()) {
    case 'T':
      return Convert(TraceSource::kTwitter, rest);
    case 'M':
      return Convert(TraceSource::kMeta, rest);
    case 'C':
      return Convert(TraceSource::kCsv, rest);
    case 'Q':
      return Convert(TraceSource::kRocksDb, rest);
    case 'A':
      return Convert(TraceSource::kRocksDbText, rest);
    case 'O':
      return Convert(TraceSource::kOracleGeneral, rest);
    default:
      break;
  }
  const std::string path = ScratchPath("trace");
  WriteScratch(path, bytes.front() == 'R' ? WithHeader(rest) : rest);
  ReadTrace(path);
}

}  // namespace levelfield::fuzz
