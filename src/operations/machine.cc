// How the operations of the machine run, and their rows.
#include "operations/machine.h"

#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/file/role_lines.h"

namespace levelfield {
namespace machine {
namespace {

template <class Operation>
void Measure(const ThreadTask& task, ThreadResult& result, Operation& operation) {
  const ThreadRun run(task, result);
  ThreadStatistics& stats = result.statistics.emplace_back();
  stats.operation = task.role->operation->result_name;
  stats.effects = task.role->operation->effects;
  KeyBlock block = run.Block(task.keys);
  result.start_ns = MonotonicNs();
  result.code = RunWithTimer(operation, task, block, {&stats.latency_ns, 1});
  result.end_ns = MonotonicNs();
  if constexpr (requires { operation.Error(); }) {
    if (result.code != LF_OK) result.error = operation.Error();
  }
  stats.counts = operation.counts(run.Operations());
  result.note = operation.Note();
  result.detail = operation.Detail();
}

// Runs an operation that works on a block.
template <class Operation>
void MeasureBlocks(const ThreadTask& task, ThreadResult& result, Operation operation) {
  Measure(task, result, operation);
  result.statistics.front().entry_bytes = task.role->value_size.most();
}

std::string_view BlockOf(const ThreadTask& task) {
  return task.values->pool().substr(0, task.role->value_size.most());
}

void RunAcquireLoad(const ThreadTask& task, ThreadResult& result) {
  AcquireLoadOperation operation;
  Measure(task, result, operation);
}

void RunCrc32c(const ThreadTask& task, ThreadResult& result) {
  const StatusOr<Checksum> checksum = LoadCrc32c();
  if (!checksum.ok()) return ThreadRun(task, result).Refuse(checksum.status().message());
  const std::string block(task.role->value_size.most(), 'x');
  MeasureBlocks(task, result,
                ChecksumOperation(*checksum, block, Crc32cBitByBit(block),
                                  "each sum is the one that was computed bit by bit"));
}

// The expected hash comes from a copy of the block.
void RunXxHash(const ThreadTask& task, ThreadResult& result) {
  const StatusOr<Checksum> hash = LoadXxHash(task.role->operation->name);
  if (!hash.ok()) return ThreadRun(task, result).Refuse(hash.status().message());
  const std::string block(BlockOf(task));
  MeasureBlocks(
      task, result,
      ChecksumOperation(*hash, block, hash->of(block),
                        "knows the published hashes of short texts, and each hash is the first's"));
}

template <class Operation, auto... kArguments>
void RunCodec(const ThreadTask& task, ThreadResult& result) {
  const StatusOr<CompressionCodec> codec = LoadCodec(task.role->codec);
  if (!codec.ok()) return ThreadRun(task, result).Refuse(codec.status().message());
  MeasureBlocks(task, result, Operation(*codec, BlockOf(task), kArguments...));
}

constexpr Operation RowNamed(std::string_view name, void (*run)(const ThreadTask&, ThreadResult&)) {
  return {.name = name,
          .scope = OperationScope::kMachine,
          .effects = Effects::None(),
          .run = run};
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
}  // namespace machine

constinit const Operation operations::kCrc32c = machine::RowNamed("crc32c", machine::RunCrc32c);
constinit const Operation operations::kXxHash = machine::RowOfXxHash("xxhash");
constinit const Operation operations::kXxHash64 = machine::RowOfXxHash("xxhash64");
constinit const Operation operations::kXxh3 = machine::RowOfXxHash("xxh3");
constinit const Operation operations::kAcquireLoad =
    machine::RowNamed("acquireload", machine::RunAcquireLoad);
constinit const Operation operations::kCompress =
    machine::RowOfCodec("compress", machine::RunCodec<CodecOperation, false>);
constinit const Operation operations::kCompressReject =
    machine::RowOfCodec("compress_reject", machine::RunCodec<CompressRejectOperation>);
constinit const Operation operations::kUncompress =
    machine::RowOfCodec("uncompress", machine::RunCodec<CodecOperation, true>);

}  // namespace levelfield
