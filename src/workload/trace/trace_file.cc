#include "workload/trace/trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/quote.h"
#include "base/random.h"

namespace levelfield {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

namespace trace_format {
namespace {

constexpr std::string_view kMagic = "lftrace\n";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kSpread = 1;  // Flags.
constexpr uint32_t kNoTimes = 2;
constexpr size_t kFlagsAt = 12;
constexpr size_t kRecordsAt = 16;
constexpr size_t kKeysAt = 24;
constexpr size_t kLeftOutAt = 32;
constexpr size_t kChecksumAt = 40;
constexpr size_t kSourceAt = 48;
constexpr size_t kHeaderChecksumAt = 248;
static_assert(kSourceAt + kMostSourceBytes == kHeaderChecksumAt);

template <class Number>
Number Get(const char* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

template <class Number>
void Put(Number number, char* to) {
  std::memcpy(to, &number, sizeof(number));
}

uint64_t HeaderChecksum(const char* header) { return Checksum(0, header, kHeaderChecksumAt); }

}  // namespace

uint64_t Checksum(uint64_t so_far, const char* records, size_t bytes) {
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    so_far = Mix64(so_far ^ Get<uint64_t>(records + i)) + 0x9e3779b97f4a7c15;
  }
  return so_far;
}

HeaderBytes Encode(const TraceHeader& header) {
  HeaderBytes bytes = {};
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  Put(kVersion, bytes.data() + kMagic.size());
  Put((header.is_spread ? kSpread : 0) | (header.has_no_times ? kNoTimes : 0),
      bytes.data() + kFlagsAt);
  Put(header.records, bytes.data() + kRecordsAt);
  Put(header.keys, bytes.data() + kKeysAt);
  Put(header.left_out, bytes.data() + kLeftOutAt);
  Put(header.checksum, bytes.data() + kChecksumAt);
  std::memcpy(bytes.data() + kSourceAt, header.source.data(),
              std::min(header.source.size(), kMostSourceBytes));
  Put(HeaderChecksum(bytes.data()), bytes.data() + kHeaderChecksumAt);
  return bytes;
}

void Encode(const TraceRecord& record, char* out) {
  Put(record.time_ns, out);
  Put(record.key, out + 8);
  Put(record.value_size, out + 16);
  const bool seeks = record.operation == TraceOperation::kSeek;
  Put(seeks ? record.entries : record.ttl_seconds, out + 20);
  Put(record.client, out + 24);
  Put(record.key_size, out + 28);
  Put(static_cast<uint8_t>(record.operation), out + 30);
  Put(static_cast<uint8_t>(record.is_miss), out + 31);
}

TraceRecord Decode(const char* in) {
  const auto operation = static_cast<TraceOperation>(in[30]);
  const auto number = Get<uint32_t>(in + 20);
  const bool seeks = operation == TraceOperation::kSeek;
  return {.time_ns = Get<uint64_t>(in),
          .key = Get<uint64_t>(in + 8),
          .value_size = Get<uint32_t>(in + 16),
          .ttl_seconds = seeks ? 0 : number,
          .entries = seeks ? number : 0,
          .client = Get<uint32_t>(in + 24),
          .key_size = Get<uint16_t>(in + 28),
          .operation = operation,
          .is_miss = in[31] != 0};
}

}  // namespace trace_format

namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
static_assert(kBufferBytes % trace_format::kRecordBytes == 0);

// Reads as many bytes as there are, up to `size`; -1: an error.
ssize_t ReadAll(int fd, char* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, to + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

std::string_view TraceOperationName(TraceOperation operation) {
  constexpr std::string_view kNames[] = {"get", "put", "erase", "modify", "seek"};
  static_assert(std::size(kNames) == kTraceOperations);
  return kNames[static_cast<size_t>(operation)];
}

Status TraceReader::Error(uint64_t offset, const std::string& what) const {
  return Status::Usage(fmt::format("trace {}, byte {}: {}", Printable(path_), offset, what));
}

StatusOr<TraceReader> TraceReader::Open(const std::string& path) {
  // Without O_NONBLOCK, a pipe that nobody writes to would hang.
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.ok()) {
    return Status::Usage(
        fmt::format("trace {}: cannot be opened: {}", Printable(path), std::strerror(errno)));
  }
  TraceReader reader(path, std::move(fd));
  RETURN_IF_ERROR(reader.ReadHeader());
  reader.buffer_.resize(kBufferBytes);
  return reader;
}

Status TraceReader::ReadHeader() {
  using namespace trace_format;
  struct stat file {};
  if (fstat(fd_.get(), &file) != 0 || !S_ISREG(file.st_mode)) return Error(0, "is no file");
  HeaderBytes bytes;
  const ssize_t there = ReadAll(fd_.get(), bytes.data(), bytes.size());
  if (there < 0) return Error(0, std::strerror(errno));
  const auto size = static_cast<size_t>(there);
  if (size < kMagic.size() || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return Error(0, "is no trace of ours; `levelfield trace convert` makes one of a recording");
  }
  if (size < kHeaderBytes) {
    return Error(size, fmt::format("ends within its header of {} bytes", kHeaderBytes));
  }
  const auto version = Get<uint32_t>(bytes.data() + kMagic.size());
  if (version != kVersion) {
    return Error(kMagic.size(), fmt::format("is of version {} of the format, and {} is known here; "
                                            "convert its source again",
                                            version, kVersion));
  }
  if (Get<uint64_t>(bytes.data() + kHeaderChecksumAt) != HeaderChecksum(bytes.data())) {
    return Error(kHeaderChecksumAt, "the header's checksum is not that of the header");
  }
  const auto flags = Get<uint32_t>(bytes.data() + kFlagsAt);
  if ((flags & ~(kSpread | kNoTimes)) != 0) {
    return Error(kFlagsAt, "has flags that are not known here");
  }
  header_.is_spread = (flags & kSpread) != 0;
  header_.has_no_times = (flags & kNoTimes) != 0;
  header_.records = Get<uint64_t>(bytes.data() + kRecordsAt);
  header_.keys = Get<uint64_t>(bytes.data() + kKeysAt);
  header_.left_out = Get<uint64_t>(bytes.data() + kLeftOutAt);
  header_.checksum = Get<uint64_t>(bytes.data() + kChecksumAt);
  const std::string_view source(bytes.data() + kSourceAt, kMostSourceBytes);
  header_.source = Printable(source.substr(0, source.find('\0')));
  const auto body = static_cast<uint64_t>(file.st_size) - kHeaderBytes;
  if (header_.records != body / kRecordBytes || body % kRecordBytes != 0) {
    return Error(kRecordsAt,
                 fmt::format("says that there are {} records of {} bytes, and {} bytes follow the "
                             "header",
                             header_.records, kRecordBytes, body));
  }
  if (header_.records == 0) return Error(kRecordsAt, "has no records");
  return Status::Ok();
}

bool TraceReader::Fill() {
  const uint64_t left = (header_.records - read_) * trace_format::kRecordBytes;
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(left, buffer_.size()));
  const ssize_t there = ReadAll(fd_.get(), buffer_.data(), wanted);
  const uint64_t offset = trace_format::kHeaderBytes + read_ * trace_format::kRecordBytes;
  if (there < 0) {
    status_ = Error(offset, std::strerror(errno));
  } else if (static_cast<size_t>(there) != wanted) {
    status_ = Error(offset + static_cast<uint64_t>(there), "ended while it was read");
  }
  if (!status_.ok()) return false;
  at_ = 0;
  end_ = wanted;
  checksum_ = trace_format::Checksum(checksum_, buffer_.data(), wanted);
  return true;
}

bool TraceReader::Next(TraceRecord& record) {
  if (!status_.ok()) return false;
  const uint64_t offset = trace_format::kHeaderBytes + read_ * trace_format::kRecordBytes;
  if (read_ == header_.records) {
    if (keys_ != header_.keys) {
      status_ = Error(trace_format::kKeysAt,
                      fmt::format("says that there are {} keys, and {} are", header_.keys, keys_));
    } else if (checksum_ != header_.checksum) {
      status_ =
          Error(trace_format::kChecksumAt, "the records' checksum is not that of the records");
    }
    return false;
  }
  if (at_ == end_ && !Fill()) return false;
  const char* const in = buffer_.data() + at_;
  if (static_cast<uint8_t>(in[30]) >= kTraceOperations || static_cast<uint8_t>(in[31]) > 1) {
    status_ =
        Error(offset + 30, fmt::format("operation {} with answer {} is not known here",
                                       static_cast<uint8_t>(in[30]), static_cast<uint8_t>(in[31])));
    return false;
  }
  record = trace_format::Decode(in);
  if (record.time_ns < last_ns_ || (read_ == 0 && record.time_ns != 0)) {
    status_ = Error(offset, read_ == 0 ? "the first record is not at time 0"
                                       : "the time goes back, which that of a trace does not");
    return false;
  }
  if (record.key > keys_) {
    status_ = Error(offset + 8, fmt::format("key {} appears before key {}: keys are numbered in "
                                            "the order in which they appear",
                                            record.key, keys_));
    return false;
  }
  last_ns_ = record.time_ns;
  is_first_of_key_ = record.key == keys_;
  if (is_first_of_key_) ++keys_;
  at_ += trace_format::kRecordBytes;
  ++read_;
  return true;
}

}  // namespace levelfield
