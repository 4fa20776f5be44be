#include "worker/call_recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/unique_fd.h"
#include "workload/trace/trace_binary.h"
#include "workload/trace/trace_file.h"
#include "workload/trace/trace_writer.h"

namespace levelfield {
namespace {

// As it stands in memory and in the file, with the key behind it.
struct CallNote {
  uint64_t begin_ns = 0;  // MonotonicNs.
  uint32_t value_size = 0;
  uint32_t entries = 0;  // Of a seek.
  uint16_t key_size = 0;
  TraceOperation operation = TraceOperation::kGet;
  bool is_miss = false;
  uint32_t unused = 0;
};
static_assert(sizeof(CallNote) == 24);

constexpr size_t kLogBufferBytes = size_t{1} << 20;
constexpr size_t kNoSeek = ~size_t{0};

}  // namespace

class CallLog {
 public:
  CallLog(const lf_engine& engine, const std::string& directory, uint32_t its_client)
      : table(engine),
        client(its_client),
        fd_(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
    if (!fd_.ok()) error_ = errno;
    buffer_.reserve(kLogBufferBytes);
  }

  void Note(TraceOperation operation, lf_bytes key, uint64_t begin_ns, size_t value_size,
            bool is_miss = false) {
    constexpr size_t kMost16 = 0xffff;
    constexpr size_t kMost32 = 0xffffffff;
    const CallNote note{.begin_ns = begin_ns,
                        .value_size = static_cast<uint32_t>(std::min(value_size, kMost32)),
                        .key_size = static_cast<uint16_t>(std::min(key.size, kMost16)),
                        .operation = operation,
                        .is_miss = is_miss};
    seek_ = kNoSeek;
    if (buffer_.size() + sizeof(note) + note.key_size > kLogBufferBytes) Flush();
    const size_t at = buffer_.size();
    buffer_.resize(at + sizeof(note) + note.key_size);
    std::memcpy(buffer_.data() + at, &note, sizeof(note));
    std::memcpy(buffer_.data() + at + sizeof(note), key.data, note.key_size);
    if (operation == TraceOperation::kSeek) {
      seek_ = at;
      HasRead();
    }
  }
  // The last seek has read one entry more.
  void HasRead() {
    if (seek_ == kNoSeek) return;
    CallNote note;
    std::memcpy(&note, buffer_.data() + seek_, sizeof(note));
    ++note.entries;
    std::memcpy(buffer_.data() + seek_, &note, sizeof(note));
  }
  void LeaveOut() {
    seek_ = kNoSeek;
    ++left_out;
  }

  // Writes what is left, and goes back to the begin for reading.
  Status Rewind() {
    Flush();
    if (error_ == 0 && lseek(fd_.get(), 0, SEEK_SET) != 0) error_ = errno;
    if (error_ == 0) return Status::Ok();
    return Status::Failed(
        fmt::format("--record: what was recorded cannot be kept: {}", std::strerror(error_)));
  }
  UniqueFd Take() { return std::move(fd_); }

  const lf_engine& table;
  const uint32_t client;
  uint64_t left_out = 0;

 private:
  void Flush() {
    size_t done = 0;
    while (error_ == 0 && done < buffer_.size()) {
      const ssize_t n = write(fd_.get(), buffer_.data() + done, buffer_.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) error_ = n < 0 ? errno : EIO;
      done += n > 0 ? static_cast<size_t>(n) : 0;
    }
    buffer_.clear();
  }

  UniqueFd fd_;
  int error_ = 0;  // The first one's errno.
  std::vector<char> buffer_;
  size_t seek_ = kNoSeek;  // Where the note of the scan that is open stands.
};

namespace {

// The engine's functions have no argument that could name the recorder.
thread_local CallLog* log_of_thread = nullptr;

bool IsAnswer(lf_code code) { return code == LF_OK || code == LF_NOT_FOUND; }

void NoteGet(lf_code code, lf_bytes key, const lf_bytes& value, uint64_t begin_ns) {
  if (!IsAnswer(code)) return;
  log_of_thread->Note(TraceOperation::kGet, key, begin_ns, code == LF_OK ? value.size : 0,
                      code == LF_NOT_FOUND);
}

lf_code RecordedGet(lf_session* session, lf_bytes key, lf_bytes* value) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.get(session, key, value);
  NoteGet(code, key, *value, begin_ns);
  return code;
}

lf_code RecordedGetAt(lf_session* session, lf_snapshot* snapshot, lf_bytes key, lf_bytes* value) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.get_at(session, snapshot, key, value);
  NoteGet(code, key, *value, begin_ns);
  return code;
}

lf_code RecordedGetForUpdate(lf_session* session, lf_bytes key, lf_bytes* value) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.get_for_update(session, key, value);
  NoteGet(code, key, *value, begin_ns);
  return code;
}

lf_code RecordedMultiGet(lf_session* session, const lf_bytes* keys, size_t count, lf_bytes* values,
                         lf_code* codes) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.multi_get(session, keys, count, values, codes);
  if (code != LF_OK) return code;
  for (size_t i = 0; i < count; ++i) NoteGet(codes[i], keys[i], values[i], begin_ns);
  return code;
}

lf_code RecordedPut(lf_session* session, lf_bytes key, lf_bytes value) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.put(session, key, value);
  if (code == LF_OK) log_of_thread->Note(TraceOperation::kPut, key, begin_ns, value.size);
  return code;
}

lf_code RecordedMerge(lf_session* session, lf_bytes key, lf_bytes operand) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.merge(session, key, operand);
  if (code == LF_OK) log_of_thread->Note(TraceOperation::kModify, key, begin_ns, operand.size);
  return code;
}

lf_code RecordedErase(lf_session* session, lf_bytes key) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.erase(session, key);
  if (IsAnswer(code)) log_of_thread->Note(TraceOperation::kErase, key, begin_ns, 0);
  return code;
}

lf_code RecordedWrite(lf_session* session, const lf_entry* entries, size_t count) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.write(session, entries, count);
  for (size_t i = 0; code == LF_OK && i < count; ++i) {
    const bool erases = entries[i].erase != 0;
    log_of_thread->Note(erases ? TraceOperation::kErase : TraceOperation::kPut, entries[i].key,
                        begin_ns, erases ? 0 : entries[i].value.size);
  }
  return code;
}

lf_code RecordedDeleteRange(lf_session* session, lf_bytes from, lf_bytes to) {
  const lf_code code = log_of_thread->table.delete_range(session, from, to);
  if (code == LF_OK) log_of_thread->LeaveOut();
  return code;
}

// A scan from the first entry on is one from that entry's key on. There are none backwards.
lf_code RecordedSeek(lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found,
                     lf_bytes* value) {
  const uint64_t begin_ns = MonotonicNs();
  const lf_code code = log_of_thread->table.seek(session, how, key, found, value);
  if (!IsAnswer(code)) return code;
  const bool is_first = how == LF_FIRST && code == LF_OK;
  if (!is_first && how != LF_AT_OR_AFTER) {
    log_of_thread->LeaveOut();
    return code;
  }
  const lf_bytes from = is_first ? *found : key;
  const bool is_there = code == LF_OK && found->size == from.size &&
                        std::memcmp(found->data, from.data, from.size) == 0;
  log_of_thread->Note(TraceOperation::kSeek, from, begin_ns, code == LF_OK ? value->size : 0,
                      !is_there);
  return code;
}

lf_code RecordedNext(lf_session* session, lf_bytes* key, lf_bytes* value) {
  const lf_code code = log_of_thread->table.next(session, key, value);
  if (code == LF_OK) log_of_thread->HasRead();
  return code;
}

// The notes of one thread, one after another.
class NoteReader {
 public:
  explicit NoteReader(CallLog& log) : client_(log.client), bytes_(log.Take()) { Advance(); }

  bool is_over() const { return is_over_; }
  uint64_t begin_ns() const { return note_.begin_ns; }
  const std::string& key() const { return key_; }
  TraceRecord record() const {
    return {.time_ns = note_.begin_ns,
            .value_size = note_.value_size,
            .entries = note_.entries,
            .client = client_,
            .key_size = note_.key_size,
            .operation = note_.operation,
            .is_miss = note_.is_miss};
  }
  void Advance() {
    const std::optional<std::string_view> bytes = bytes_.Take(sizeof(note_));
    is_over_ = !bytes;
    if (is_over_) return;
    std::memcpy(&note_, bytes->data(), sizeof(note_));
    const std::optional<std::string_view> key = bytes_.Take(note_.key_size);
    is_over_ = !key;
    if (!is_over_) key_ = *key;
  }

 private:
  uint32_t client_;
  TraceBytes bytes_;
  CallNote note_;
  std::string key_;
  bool is_over_ = false;
};

template <class Function>
void Replace(Function*& member, Function* with) {
  if (member != nullptr) member = with;
}

}  // namespace

CallRecorder::CallRecorder(std::string path, const lf_engine& engine)
    : path_(std::move(path)), engine_(engine), table_{} {
  // An older plug-in has a shorter table.
  std::memcpy(&table_, &engine, std::min(sizeof(table_), engine.struct_bytes));
  Replace(table_.get, RecordedGet);
  Replace(table_.get_at, RecordedGetAt);
  Replace(table_.get_for_update, RecordedGetForUpdate);
  Replace(table_.multi_get, RecordedMultiGet);
  Replace(table_.put, RecordedPut);
  Replace(table_.merge, RecordedMerge);
  Replace(table_.erase, RecordedErase);
  Replace(table_.write, RecordedWrite);
  Replace(table_.delete_range, RecordedDeleteRange);
  Replace(table_.seek, RecordedSeek);
  Replace(table_.next, RecordedNext);
}

CallRecorder::~CallRecorder() = default;

void CallRecorder::Begin(uint32_t client) {
  std::string directory = std::filesystem::path(path_).parent_path();
  if (directory.empty()) directory = ".";
  auto log = std::make_unique<CallLog>(engine_, directory, client);
  log_of_thread = log.get();
  const std::lock_guard lock(mutex_);
  logs_.push_back(std::move(log));
}

void CallRecorder::End() { log_of_thread = nullptr; }

StatusOr<std::string> CallRecorder::Finish() {
  ASSIGN_OR_RETURN(TraceWriter writer, TraceWriter::Create(path_, false));
  std::vector<NoteReader> readers;
  uint64_t left_out = 0;
  for (const auto& log : logs_) {
    RETURN_IF_ERROR(log->Rewind());
    left_out += log->left_out;
    readers.emplace_back(*log);
  }
  for (;;) {
    std::erase_if(readers, [](const NoteReader& one) { return one.is_over(); });
    if (readers.empty()) break;
    NoteReader& next = *std::ranges::min_element(readers, {}, &NoteReader::begin_ns);
    RETURN_IF_ERROR(writer.Add(next.key(), next.record()));
    next.Advance();
  }
  if (writer.records() == 0) {
    return fmt::format(
        "--record={}: nothing was recorded: no workload has read or written by calls that a trace "
        "can hold",
        Printable(path_));
  }
  const uint64_t records = writer.records();
  const uint64_t keys = writer.keys();
  RETURN_IF_ERROR(
      writer.Finish(fmt::format("recorded by levelfield on {}", engine_.name), left_out));
  return fmt::format("recorded {} operations on {} keys to {}{}", Grouped(records), Grouped(keys),
                     Printable(path_),
                     left_out == 0 ? std::string()
                                   : fmt::format("; {} scans that begin backwards, and erasures of "
                                                 "ranges, are left out",
                                                 Grouped(left_out)));
}

}  // namespace levelfield
