// How the operations of the machine run, and their rows.
#include "operations/machine.h"

#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/file/role_lines.h"

namespace levelfield {
namespace {

template <class Operation>
void Measure(const ThreadTask& task, ThreadResult& result, Operation& operation) {
  const ThreadRun run(task, result);
  ThreadLane& lane = result.lanes.emplace_back();
  lane.operation = task.role->operation->result_name;
  KeyBlock block = run.Block(task.keys);
  result.start_ns = MonotonicNs();
  result.code = RunWithTimer(operation, task, block, {&lane.latency_ns, 1});
  result.end_ns = MonotonicNs();
  if constexpr (requires { operation.Error(); }) {
    if (result.code != LF_OK) result.error = operation.Error();
  }
  lane.tally = operation.tally(run.Operations());
  result.note = operation.Note();
  result.detail = operation.Detail();
}

// Of one that works on a block.
template <class Operation>
void MeasureBlocks(const ThreadTask& task, ThreadResult& result, Operation operation) {
  Measure(task, result, operation);
  result.lanes.front().entry_bytes = task.role->value_size.most();
}

std::string_view BlockOf(const ThreadTask& task) {
  return task.values->pool().substr(0, task.role->value_size.most());
}

void RunAcquireLoad(const ThreadTask& task, ThreadResult& result) {
  AcquireLoadOperation operation;
  Measure(task, result, operation);
}

void RunCrc32c(const ThreadTask& task, ThreadResult& result) {
  const StatusOr<Checksum> checksum = Checksum::Load();
  if (!checksum.ok()) return ThreadRun(task, result).Refuse(checksum.status().message());
  MeasureBlocks(task, result, Crc32cOperation(*checksum, task.role->value_size.most()));
}

void RunXxHash(const ThreadTask& task, ThreadResult& result) {
  const StatusOr<XxHash> hash = XxHash::Load(task.role->operation->name);
  if (!hash.ok()) return ThreadRun(task, result).Refuse(hash.status().message());
  MeasureBlocks(task, result, XxHashOperation(*hash, BlockOf(task)));
}

template <class Make>
void RunCodec(const ThreadTask& task, ThreadResult& result, Make make) {
  const StatusOr<std::unique_ptr<Codec>> codec = LoadCodec(task.role->codec);
  if (!codec.ok()) return ThreadRun(task, result).Refuse(codec.status().message());
  MeasureBlocks(task, result, make(**codec, BlockOf(task)));
}

void RunCompress(const ThreadTask& task, ThreadResult& result) {
  RunCodec(task, result, [](Codec& codec, std::string_view block) {
    return CodecOperation(codec, block, false);
  });
}

void RunUncompress(const ThreadTask& task, ThreadResult& result) {
  RunCodec(task, result,
           [](Codec& codec, std::string_view block) { return CodecOperation(codec, block, true); });
}

void RunCompressReject(const ThreadTask& task, ThreadResult& result) {
  RunCodec(task, result, [](Codec& codec, std::string_view block) {
    return CompressRejectOperation(codec, block);
  });
}

constexpr Operation RowNamed(std::string_view name, void (*run)(const ThreadTask&, ThreadResult&)) {
  return {.name = name, .scope = OperationScope::kMachine, .run = run};
}

constexpr Operation RowOfXxHash(std::string_view name) {
  Operation row = RowNamed(name, RunXxHash);
  row.result_name = "xxhash";
  return row;
}

constexpr RoleLine kCodecLines[] = {
    {"codec",
     [](ParsedWorkload& parsed, const FileNumbers&, std::string_view text) -> std::string {
       parsed.role().codec = text;
       const bool is_known = text == "snappy" || text == "zstd" || text == "lz4";
       return is_known ? "" : "snappy, zstd or lz4";
     },
     "names a codec, but only compress, compress_reject and uncompress have one",
     "needs `codec =`: snappy, zstd or lz4"}};

constexpr Operation RowOfCodec(std::string_view name,
                               void (*run)(const ThreadTask&, ThreadResult&)) {
  Operation row = RowNamed(name, run);
  row.lines = kCodecLines;
  return row;
}

}  // namespace

constinit const Operation operations::kCrc32c = RowNamed("crc32c", RunCrc32c);
constinit const Operation operations::kXxHash = RowOfXxHash("xxhash");
constinit const Operation operations::kXxHash64 = RowOfXxHash("xxhash64");
constinit const Operation operations::kXxh3 = RowOfXxHash("xxh3");
constinit const Operation operations::kAcquireLoad = RowNamed("acquireload", RunAcquireLoad);
constinit const Operation operations::kCompress = RowOfCodec("compress", RunCompress);
constinit const Operation operations::kCompressReject =
    RowOfCodec("compress_reject", RunCompressReject);
constinit const Operation operations::kUncompress = RowOfCodec("uncompress", RunUncompress);

}  // namespace levelfield
