#include "engine/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/clock.h"
#include "base/quote.h"
#include "process/process_guard.h"

namespace levelfield {
namespace {

// Without the hints of members that came after this engine was built.
std::vector<lf_setting> ToTable(const lf_engine& engine, const SettingList& settings) {
  std::vector<lf_setting> table;
  table.reserve(settings.size());
  for (const auto& [name, value] : settings) {
    const bool is_unknown = (name == kSessionsHint && engine.alternatives == nullptr) ||
                            (name == kDefaultsHint && engine.overridden == nullptr);
    if (!is_unknown) table.push_back({name.c_str(), value.c_str()});
  }
  return table;
}

Status Absent(const Engine& engine, std::string_view operation) {
  return Status::Usage(engine.spec().text + ": " + std::string(operation) +
                       ": this engine offers no such thing");
}

// Calls a member of the table, which may be absent.
template <class... Parameters, class... Arguments>
Status Ask(const Engine& engine, std::string_view operation, lf_code (*member)(Parameters...),
           Arguments... arguments) {
  if (member == nullptr) return Absent(engine, operation);
  return engine.StatusOf(member(arguments...), operation);
}

// A null `data` is an open end, so an empty key needs a `data` that is not null.
lf_bytes End(std::optional<std::string_view> key) {
  if (!key) return {nullptr, 0};
  return {key->data() != nullptr ? key->data() : "", key->size()};
}

constexpr size_t kLongestVersion = 64;
constexpr size_t kLongestPath = 4095;  // PATH_MAX without its NUL.

bool IsVersionCharacter(char c) {
  return IsEngineNameCharacter(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
}

Status Refuse(std::string_view text, std::string_view what) {
  return Status::Usage("engine " + Quote(text) + ": " + std::string(what) +
                       "; write name, name@version or name:/path/to/library.so");
}

}  // namespace

Status Engine::StatusOf(lf_code code, std::string_view operation) const {
  if (code == LF_OK || code == LF_NOT_FOUND) return Status::Ok();
  const std::string what = spec().text + ": " + std::string(operation) + ": ";
  if (code != LF_UNSUPPORTED && code != LF_FAILED && code != LF_CONFLICT) {
    return Status::Failed(what + "returned code " + std::to_string(static_cast<int>(code)) +
                          ", which is none");
  }
  const char* text = table().last_error();
  std::string reason = text != nullptr ? Printable(text) : "";
  if (reason.empty()) reason = "failed, and gave no reason";
  return code == LF_UNSUPPORTED ? Status::Usage(what + reason) : Status::Failed(what + reason);
}

Status Engine::CheckSettings(const SettingList& settings) const {
  const std::vector<lf_setting> texts = ToTable(table(), settings);
  lf_store* store = nullptr;
  return StatusOf(table().open(nullptr, texts.data(), texts.size(), &store), "open");
}

StatusOr<bool> Engine::Recognizes(const std::filesystem::path& path) const {
  if (table().recognize == nullptr) return Absent(*this, "recognize");
  const lf_code code = table().recognize(path.c_str());
  RETURN_IF_ERROR(StatusOf(code, "recognize"));
  return code == LF_OK;
}

Status Engine::Destroy(const std::filesystem::path& path) const {
  return Ask(*this, "destroy", table().destroy, path.c_str());
}

Status Engine::Repair(const std::filesystem::path& path, const SettingList& settings) const {
  const std::vector<lf_setting> texts = ToTable(table(), settings);
  return Ask(*this, "repair", table().repair, path.c_str(), texts.data(), texts.size());
}

Status Engine::Restore(const std::filesystem::path& backup,
                       const std::filesystem::path& directory) const {
  return Ask(*this, "restore", table().restore, backup.c_str(), directory.c_str());
}

StatusOr<Store> Store::Open(const Engine& engine, const std::filesystem::path& directory,
                            const SettingList& settings, double* seconds) {
  const std::vector<lf_setting> texts = ToTable(engine.table(), settings);
  lf_store* store = nullptr;
  const uint64_t start_ns = MonotonicNs();
  const lf_code code = engine.table().open(directory.c_str(), texts.data(), texts.size(), &store);
  if (seconds != nullptr) *seconds = SecondsSince(start_ns);
  RETURN_IF_ERROR(engine.StatusOf(code, "open"));
  if (code != LF_OK || store == nullptr) {
    return Status::Failed(engine.spec().text + ": open: gave no store for " + directory.string());
  }
  Store opened(engine, store);
  RETURN_IF_ERROR(opened.FindProcesses());
  RETURN_IF_ERROR(opened.CompareWith(settings));
  return opened;
}

Status Store::FindProcesses() {
  if (table().processes == nullptr) return Status::Ok();
  std::vector<pid_t> told;
  table().processes(store_.get(), &told, [](void* context, int64_t process) {
    static_cast<std::vector<pid_t>*>(context)->push_back(static_cast<pid_t>(process));
  });
  for (const pid_t pid : told) {
    const std::optional<ProcessId> process = FindProcess(pid);
    if (!process || pid == getpid()) {
      return Status::Failed(fmt::format("{}: processes: told {}, which is no other process",
                                        engine().spec().text, pid));
    }
    processes_.push_back(*process);
  }
  return GuardProcesses(told);
}

Status Store::CompareWith(const SettingList& asked) {
  ToldInForce told;
  if (table().in_force != nullptr) {
    table().in_force(store_.get(), &told.values,
                     [](void* context, const char* name, const char* value) {
                       static_cast<SettingList*>(context)->emplace_back(Printable(name),
                                                                        Printable(value));
                     });
  }
  if (table().overridden != nullptr) {
    table().overridden(store_.get(), &told.overridden,
                       [](void* context, const char* name, const char* value, const char* by) {
                         static_cast<std::vector<OverriddenDefault>*>(context)->push_back(
                             {Printable(name), Printable(value), Printable(by), ""});
                       });
  }
  StatusOr<std::vector<OverriddenDefault>> compared = CompareInForce(asked, told);
  if (!compared.ok()) {
    return Status::Usage(engine().spec().text + ": open: " + compared.status().message());
  }
  overridden_ = std::move(*compared);
  in_force_ = std::move(told.values);
  return Status::Ok();
}

StatusOr<Session> Store::BeginSession() {
  lf_session* session = nullptr;
  const lf_code code = table().begin_session(store_.get(), &session);
  RETURN_IF_ERROR(engine().StatusOf(code, "begin_session"));
  if (code != LF_OK || session == nullptr) {
    return Status::Failed(engine().spec().text + ": begin_session: gave no session");
  }
  return Session(engine(), session);
}

Status Store::Sync() { return engine().StatusOf(table().sync(store_.get()), "sync"); }

Status Store::Compact() { return engine().StatusOf(table().compact(store_.get()), "compact"); }

StatusOr<std::string> Store::Property(const std::string& name) {
  if (table().property == nullptr) return Absent(engine(), "property " + name);
  const char* text = nullptr;
  const lf_code code = table().property(store_.get(), name.c_str(), &text);
  RETURN_IF_ERROR(engine().StatusOf(code, "property " + name));
  if (code != LF_OK || text == nullptr) {
    return Status::Usage(fmt::format("{}: has no property {}", engine().spec().text, name));
  }
  return std::string(text);
}

std::vector<std::pair<std::string, uint64_t>> Store::Counters() const {
  std::vector<std::pair<std::string, uint64_t>> counters;
  if (table().counters == nullptr) return counters;
  table().counters(store_.get(), &counters, [](void* context, const char* name, uint64_t count) {
    static_cast<decltype(counters)*>(context)->emplace_back(Printable(name), count);
  });
  return counters;
}

std::vector<std::string> Store::Activities() const {
  std::vector<std::string> names;
  if (!TellsActivities()) return names;
  table().activities(store_.get(), &names, [](void* context, const char* name) {
    constexpr size_t kLongestName = 32;
    static_cast<decltype(names)*>(context)->push_back(
        Printable(std::string_view(name).substr(0, kLongestName)));
  });
  return names;
}

Status Store::CompactRange(std::optional<std::string_view> from,
                           std::optional<std::string_view> to) {
  return Ask(engine(), "compact_range", table().compact_range, store_.get(), End(from), End(to));
}

StatusOr<uint64_t> Store::ApproximateBytes(std::optional<std::string_view> from,
                                           std::optional<std::string_view> to) {
  uint64_t bytes = 0;
  RETURN_IF_ERROR(Ask(engine(), "approximate_bytes", table().approximate_bytes, store_.get(),
                      End(from), End(to), &bytes));
  return bytes;
}

Status Store::Flush() { return Ask(engine(), "flush", table().flush, store_.get()); }

Status Store::WaitForBackground() {
  return Ask(engine(), "wait_for_background", table().wait_for_background, store_.get());
}

Status Store::Backup(const std::filesystem::path& directory) {
  return Ask(engine(), "backup", table().backup, store_.get(), directory.c_str());
}

StatusOr<uint64_t> Store::RoundTripNs(uint64_t depth) {
  if (table().round_trip == nullptr) return uint64_t{0};
  constexpr uint64_t kLeastTrips = 501;
  constexpr uint64_t kForever = std::numeric_limits<uint64_t>::max();
  ASSIGN_OR_RETURN(Session session, BeginSession());
  const bool is_in_flight = depth > 1 && table().submit != nullptr;
  std::vector<uint64_t> trips_ns(std::max(kLeastTrips, 4 * depth));  // First those they began at.
  for (size_t i = 0; i < trips_ns.size(); ++i) {
    trips_ns[i] = MonotonicNs();
    const lf_code code = is_in_flight ? table().submit(session.get(), LF_NOTHING, {}, {})
                                      : table().round_trip(session.get());
    if (code != LF_OK) return engine().StatusOf(code, "round_trip");
    if (!is_in_flight) trips_ns[i] = MonotonicNs() - trips_ns[i];
    if (!is_in_flight || i + 1 < depth) continue;
    uint64_t& oldest_ns = trips_ns[i + 1 - depth];
    lf_bytes nothing;
    const lf_code answer = table().poll(session.get(), kForever, &nothing);
    if (answer != LF_OK) return engine().StatusOf(answer, "round_trip");
    oldest_ns = MonotonicNs() - oldest_ns;
  }
  if (is_in_flight) trips_ns.resize(trips_ns.size() - (depth - 1));  // The rest have no answer yet.
  std::ranges::nth_element(trips_ns,
                           trips_ns.begin() + static_cast<ptrdiff_t>(trips_ns.size() / 2));
  return trips_ns[trips_ns.size() / 2];
}

Status Store::CompactLevel(uint32_t level) {
  return Ask(engine(), "compact_level", table().compact_level, store_.get(), level);
}

Status Store::VerifyChecksums() {
  return Ask(engine(), "verify_checksums", table().verify_checksums, store_.get());
}

Status Store::Close() {
  if (store_ == nullptr) return Status::Ok();
  return engine().StatusOf(table().close(store_.release()), "close");
}

bool IsEngineNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

StatusOr<EngineSpec> ParseEngineSpec(std::string_view text) {
  EngineSpec spec;
  const size_t separator = text.find_first_of("@:");
  const std::string_view name = text.substr(0, separator);
  if (name.empty()) return Refuse(text, "the name is missing");
  if (name.size() > kLongestEngineName) return Refuse(text, "a name has at most 64 characters");
  if (!std::ranges::all_of(name, IsEngineNameCharacter)) {
    std::string small(name);
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool is_in_capitals = std::ranges::all_of(small, IsEngineNameCharacter);
    return Refuse(text, is_in_capitals
                            ? "a name is made of a-z, 0-9 and _; did you mean " + Quote(small) + "?"
                            : "a name is made of a-z, 0-9 and _");
  }
  spec.name = name;
  spec.text = text;
  if (separator == std::string_view::npos) return spec;

  const std::string_view which = text.substr(separator + 1);
  spec.which = which;
  spec.is_path = text[separator] == ':';
  if (spec.is_path) {
    if (which.empty()) return Refuse(text, "the path after ':' is missing");
    if (which.size() > kLongestPath) return Refuse(text, "a path has at most 4095 bytes");
    if (which.find('\0') != which.npos) return Refuse(text, "the path holds a NUL byte");
    return spec;
  }
  if (which.empty()) return Refuse(text, "the version after '@' is missing");
  if (which.size() > kLongestVersion) return Refuse(text, "a version has at most 64 characters");
  if (which.front() == '.' || !std::ranges::all_of(which, IsVersionCharacter)) {
    return Refuse(text, "a version is made of letters, digits, '_', '-', '+' and inner '.'");
  }
  return spec;
}

}  // namespace levelfield
