#include "workload/trace/trace_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/quote.h"
#include "base/random.h"

namespace levelfield {
namespace {

using trace_format::kHeaderBytes;
using trace_format::kRecordBytes;

constexpr size_t kWriteBufferBytes = size_t{1} << 20;

uint64_t HashOf(std::string_view key) {
  uint64_t hash = Mix64(key.size());  // Mixed in: else "a\0" would be "b".
  for (size_t i = 0; i < key.size(); i += 8) {
    uint64_t part = 0;
    std::memcpy(&part, key.data() + i, std::min<size_t>(8, key.size() - i));
    hash = Mix64(hash ^ part) + 0x9e3779b97f4a7c15;
  }
  return Mix64(hash);
}

// Repeats pread or pwrite until all of it is done.
template <class Bytes, ssize_t (*kCall)(int, Bytes*, size_t, off_t)>
bool TransferAt(int fd, char* bytes, size_t size, uint64_t offset) {
  while (size > 0) {
    const ssize_t n = kCall(fd, bytes, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<size_t>(n);
    offset += static_cast<uint64_t>(n);
  }
  return true;
}
constexpr auto ReadAt = TransferAt<void, pread>;
constexpr auto WriteAt = TransferAt<const void, pwrite>;

}  // namespace

TraceWriter::TraceWriter(std::string path, UniqueFd fd, bool spreads)
    : path_(std::move(path)), part_(path_ + ".part"), fd_(std::move(fd)), spreads_(spreads) {
  buffer_.reserve(kWriteBufferBytes);
}

TraceWriter::TraceWriter(TraceWriter&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, "")),
      fd_(std::move(other.fd_)),
      spreads_(other.spreads_),
      has_no_times_(other.has_no_times_),
      buffer_(std::move(other.buffer_)),
      numbers_(std::move(other.numbers_)),
      in_second_(std::move(other.in_second_)),
      records_(other.records_),
      first_ns_(other.first_ns_),
      last_ns_(other.last_ns_),
      went_back_(other.went_back_),
      furthest_back_ns_(other.furthest_back_ns_) {}

TraceWriter::~TraceWriter() {
  if (!part_.empty()) unlink(part_.c_str());
}

Status TraceWriter::Error(const std::string& what) const {
  return Status::Failed(fmt::format("{}: {}: {}", Printable(part_), what, std::strerror(errno)));
}

StatusOr<TraceWriter> TraceWriter::Create(const std::string& path, bool spreads) {
  if (access(path.c_str(), F_OK) == 0) {
    return Status::Usage(Printable(path) + ": is there already; name another file, or remove it");
  }
  const std::string part = path + ".part";
  UniqueFd fd(open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd.ok()) {
    return Status::Usage(
        fmt::format("{}: cannot be made: {}", Printable(part), std::strerror(errno)));
  }
  TraceWriter writer(path, std::move(fd), spreads);
  // No trace has a header of zeros, so the remains of a crash are not taken for one.
  writer.buffer_.assign(kHeaderBytes, 0);
  return writer;
}

Status TraceWriter::Flush() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t n = write(fd_.get(), buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Error("cannot be written");
    done += static_cast<size_t>(n);
  }
  buffer_.clear();
  return Status::Ok();
}

Status TraceWriter::Add(std::string_view key, TraceRecord record) {
  if (records_ == 0) first_ns_ = last_ns_ = record.time_ns;
  if (record.time_ns < last_ns_) {
    ++went_back_;
    furthest_back_ns_ = std::max(furthest_back_ns_, last_ns_ - record.time_ns);
    record.time_ns = last_ns_;
  }
  if (spreads_) {
    if (records_ == 0 || record.time_ns != last_ns_) in_second_.push_back(0);
    ++in_second_.back();
  }
  last_ns_ = record.time_ns;
  record.time_ns -= first_ns_;
  record.key = numbers_.try_emplace(HashOf(key), numbers_.size()).first->second;
  buffer_.resize(buffer_.size() + kRecordBytes);
  trace_format::Encode(record, buffer_.data() + buffer_.size() - kRecordBytes);
  ++records_;
  return buffer_.size() + kRecordBytes <= kWriteBufferBytes ? Status::Ok() : Flush();
}

Status TraceWriter::Rewrite(uint64_t& checksum) {
  buffer_.resize(kWriteBufferBytes);
  size_t second = 0;
  uint64_t place = 0;  // Place within that second.
  for (uint64_t done = 0; done < records_;) {
    const size_t count =
        static_cast<size_t>(std::min<uint64_t>(records_ - done, kWriteBufferBytes / kRecordBytes));
    const uint64_t offset = kHeaderBytes + done * kRecordBytes;
    if (!ReadAt(fd_.get(), buffer_.data(), count * kRecordBytes, offset)) {
      return Error("cannot be read back");
    }
    for (size_t i = 0; spreads_ && i < count; ++i) {
      if (place == in_second_[second]) {
        ++second;
        place = 0;
      }
      char* const at = buffer_.data() + i * kRecordBytes;
      TraceRecord record = trace_format::Decode(at);
      const unsigned __int128 parts = static_cast<unsigned __int128>(place++) * kSecondNs;
      record.time_ns += static_cast<uint64_t>(parts / in_second_[second]);
      trace_format::Encode(record, at);
    }
    checksum = trace_format::Checksum(checksum, buffer_.data(), count * kRecordBytes);
    if (spreads_ && !WriteAt(fd_.get(), buffer_.data(), count * kRecordBytes, offset)) {
      return Error("cannot be written");
    }
    done += count;
  }
  return Status::Ok();
}

Status TraceWriter::Finish(const std::string& source, uint64_t left_out) {
  RETURN_IF_ERROR(Flush());
  TraceHeader header{.records = records_,
                     .keys = numbers_.size(),
                     .left_out = left_out,
                     .is_spread = spreads_,
                     .has_no_times = has_no_times_,
                     .source = source};
  RETURN_IF_ERROR(Rewrite(header.checksum));
  trace_format::HeaderBytes bytes = trace_format::Encode(header);
  if (!WriteAt(fd_.get(), bytes.data(), bytes.size(), 0) || fsync(fd_.get()) != 0) {
    return Error("cannot be written");
  }
  // Never replaces what somebody else has put there meanwhile.
  if (link(part_.c_str(), path_.c_str()) != 0) return Error("cannot be given its name");
  unlink(part_.c_str());
  part_.clear();
  return Status::Ok();
}

}  // namespace levelfield
