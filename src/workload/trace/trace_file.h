// A recorded workload: which operation asked for which key when, whoever recorded it. A file has a
// header of 256 bytes and records of 32 bytes, all numbers little endian:
//
//   header   0 "lftrace\n"    8 u32 version, 1    12 u32 flags: 1 stamps were spread, 2 it has
//            no times: all are 0
//           16 u64 records   24 u64 keys          32 u64 operations of the source left out
//           40 u64 checksum of the records        48 source in words, 200 bytes, zeros behind it
//          248 u64 checksum of the 248 bytes before
//   record   0 u64 nanoseconds since the first    8 u64 key
//           16 u32 bytes of the value            20 u32 time to live, seconds; 0: none, or unknown;
//                                                  of a seek the entries that it reads
//           24 u32 client                        28 u16 bytes of the key
//           30 u8 operation: 0 get, 1 put, 2 erase, 3 modify (a get, and a put of the same key),
//              4 seek (the entry of the key or the first behind it, and those that follow)
//           31 u8 1: it is known to have found nothing
//
// Keys are numbered from 0 in the order in which they first appear, without gaps, so a file says
// nothing that its records do not show. Times do not go back. Both are checked, as is everything
// else: a torn, foreign or forged file is refused, with the offset of the byte.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_FILE_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_FILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

enum class TraceOperation : uint8_t { kGet, kPut, kErase, kModify, kSeek };
inline constexpr size_t kTraceOperations = 5;

// "get", "put", "erase", "modify", "seek".
std::string_view TraceOperationName(TraceOperation operation);

struct TraceRecord {
  uint64_t time_ns = 0;  // Since the first one.
  uint64_t key = 0;
  uint32_t value_size = 0;  // The value that was written or found.
  uint32_t ttl_seconds = 0;
  uint32_t entries = 0;  // Of a seek alone: those that it reads, one at the least.
  uint32_t client = 0;
  uint16_t key_size = 0;
  TraceOperation operation = TraceOperation::kGet;
  bool is_miss = false;

  bool operator==(const TraceRecord&) const = default;
};

struct TraceHeader {
  uint64_t records = 0;
  uint64_t keys = 0;
  uint64_t left_out = 0;
  bool is_spread = false;  // The source's stamps were whole seconds.
  bool has_no_times = false;
  uint64_t checksum = 0;
  std::string source;

  bool operator==(const TraceHeader&) const = default;
};

// The layout of a file, for those who read and write it.
namespace trace_format {

inline constexpr size_t kHeaderBytes = 256;
inline constexpr size_t kRecordBytes = 32;
inline constexpr size_t kMostSourceBytes = 200;

using HeaderBytes = std::array<char, kHeaderBytes>;
HeaderBytes Encode(const TraceHeader& header);
void Encode(const TraceRecord& record, char* out);
TraceRecord Decode(const char* in);
// Continues the checksum of the records so far (0 at first) with these bytes, whole records.
uint64_t Checksum(uint64_t so_far, const char* records, size_t bytes);

}  // namespace trace_format

// Reads a file from start to end, one record after another, through a buffer of 1 MiB. It holds
// nothing else, and no number in the file decides how much memory it takes. Belongs to one thread.
class TraceReader {
 public:
  // Checks the header against itself and the file's size.
  static StatusOr<TraceReader> Open(const std::string& path);

  const TraceHeader& header() const { return header_; }

  // Gives the next record. False at the end, and on an error, which status() then tells. The
  // checksum is checked after the last record.
  bool Next(TraceRecord& record);
  const Status& status() const { return status_; }
  // So far.
  uint64_t records() const { return read_; }
  uint64_t keys() const { return keys_; }
  // Whether the last record was the first of its key.
  bool is_first_of_key() const { return is_first_of_key_; }

 private:
  TraceReader(std::string path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  Status Error(uint64_t offset, const std::string& what) const;
  Status ReadHeader();
  bool Fill();

  std::string path_;
  UniqueFd fd_;
  TraceHeader header_;
  Status status_ = Status::Ok();
  std::vector<char> buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
  uint64_t read_ = 0;
  uint64_t keys_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t checksum_ = 0;
  bool is_first_of_key_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_FILE_H_
