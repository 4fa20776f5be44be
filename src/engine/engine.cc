#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"

namespace levelfield {
namespace {

std::vector<lf_setting> ToTable(const SettingList& settings) {
  std::vector<lf_setting> table;
  table.reserve(settings.size());
  for (const auto& [name, value] : settings) table.push_back({name.c_str(), value.c_str()});
  return table;
}

Status Absent(const Engine& engine, std::string_view operation) {
  return Status::Usage(engine.spec().text + ": " + std::string(operation) +
                       ": this engine offers no such thing");
}

// A null `data` is an open end, so an empty key needs a `data` that is none.
lf_bytes End(std::optional<std::string_view> key) {
  if (!key) return {nullptr, 0};
  return {key->data() != nullptr ? key->data() : "", key->size()};
}

constexpr size_t kLongestName = 64;
constexpr size_t kLongestVersion = 64;
constexpr size_t kLongestPath = 4095;  // PATH_MAX without its NUL.

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsVersionCharacter(char c) {
  return IsNameCharacter(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
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
  const std::vector<lf_setting> texts = ToTable(settings);
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
  if (table().destroy == nullptr) return Absent(*this, "destroy");
  return StatusOf(table().destroy(path.c_str()), "destroy");
}

Status Engine::Repair(const std::filesystem::path& path, const SettingList& settings) const {
  if (table().repair == nullptr) return Absent(*this, "repair");
  const std::vector<lf_setting> texts = ToTable(settings);
  return StatusOf(table().repair(path.c_str(), texts.data(), texts.size()), "repair");
}

Status Engine::Restore(const std::filesystem::path& backup,
                       const std::filesystem::path& directory) const {
  if (table().restore == nullptr) return Absent(*this, "restore");
  return StatusOf(table().restore(backup.c_str(), directory.c_str()), "restore");
}

Session& Session::operator=(Session&& other) noexcept {
  if (this != &other) {
    End();
    engine_ = other.engine_;
    session_ = std::exchange(other.session_, nullptr);
  }
  return *this;
}

void Session::End() {
  if (session_ != nullptr) engine_.table().end_session(std::exchange(session_, nullptr));
}

StatusOr<Store> Store::Open(const Engine& engine, const std::filesystem::path& directory,
                            const SettingList& settings) {
  const std::vector<lf_setting> texts = ToTable(settings);
  lf_store* store = nullptr;
  const lf_code code = engine.table().open(directory.c_str(), texts.data(), texts.size(), &store);
  RETURN_IF_ERROR(engine.StatusOf(code, "open"));
  if (code != LF_OK || store == nullptr) {
    return Status::Failed(engine.spec().text + ": open: gave no store for " + directory.string());
  }
  return Store(engine, store);
}

Store& Store::operator=(Store&& other) noexcept {
  if (this != &other) {
    (void)Close();
    engine_ = other.engine_;
    store_ = std::exchange(other.store_, nullptr);
  }
  return *this;
}

StatusOr<Session> Store::BeginSession() {
  lf_session* session = nullptr;
  const lf_code code = engine_.table().begin_session(store_, &session);
  RETURN_IF_ERROR(engine_.StatusOf(code, "begin_session"));
  if (code != LF_OK || session == nullptr) {
    return Status::Failed(engine_.spec().text + ": begin_session: gave no session");
  }
  return Session(engine_, session);
}

Status Store::Sync() { return engine_.StatusOf(engine_.table().sync(store_), "sync"); }

Status Store::Compact() { return engine_.StatusOf(engine_.table().compact(store_), "compact"); }

StatusOr<std::string> Store::Property(const std::string& name) {
  if (engine_.table().property == nullptr) return Absent(engine_, "property " + name);
  const char* text = nullptr;
  const lf_code code = engine_.table().property(store_, name.c_str(), &text);
  RETURN_IF_ERROR(engine_.StatusOf(code, "property " + name));
  if (code != LF_OK || text == nullptr) {
    return Status::Usage(fmt::format("{}: has no property {}", engine_.spec().text, name));
  }
  return std::string(text);
}

std::vector<std::pair<std::string, uint64_t>> Store::Counters() const {
  std::vector<std::pair<std::string, uint64_t>> counters;
  if (engine_.table().counters == nullptr) return counters;
  engine_.table().counters(store_, &counters, [](void* context, const char* name, uint64_t count) {
    static_cast<decltype(counters)*>(context)->emplace_back(Printable(name), count);
  });
  return counters;
}

std::vector<std::string> Store::Activities() const {
  std::vector<std::string> names;
  if (!TellsActivities()) return names;
  engine_.table().activities(store_, &names, [](void* context, const char* name) {
    constexpr size_t kLongestName = 32;
    static_cast<decltype(names)*>(context)->push_back(
        Printable(std::string_view(name).substr(0, kLongestName)));
  });
  return names;
}

std::vector<OverriddenDefault> Store::Overridden() const {
  std::vector<OverriddenDefault> all;
  if (engine_.table().overridden == nullptr) return all;
  engine_.table().overridden(
      store_, &all, [](void* context, const char* name, const char* value, const char* by) {
        static_cast<decltype(all)*>(context)->push_back(
            {Printable(name), Printable(value), Printable(by)});
      });
  return all;
}

Status Store::CompactRange(std::optional<std::string_view> from,
                           std::optional<std::string_view> to) {
  if (engine_.table().compact_range == nullptr) return Absent(engine_, "compact_range");
  return engine_.StatusOf(engine_.table().compact_range(store_, End(from), End(to)),
                          "compact_range");
}

StatusOr<uint64_t> Store::ApproximateBytes(std::optional<std::string_view> from,
                                           std::optional<std::string_view> to) {
  if (engine_.table().approximate_bytes == nullptr) return Absent(engine_, "approximate_bytes");
  uint64_t bytes = 0;
  const lf_code code = engine_.table().approximate_bytes(store_, End(from), End(to), &bytes);
  RETURN_IF_ERROR(engine_.StatusOf(code, "approximate_bytes"));
  return bytes;
}

Status Store::Flush() {
  if (engine_.table().flush == nullptr) return Absent(engine_, "flush");
  return engine_.StatusOf(engine_.table().flush(store_), "flush");
}

Status Store::WaitForBackground() {
  if (engine_.table().wait_for_background == nullptr) return Absent(engine_, "wait_for_background");
  return engine_.StatusOf(engine_.table().wait_for_background(store_), "wait_for_background");
}

Status Store::Backup(const std::filesystem::path& directory) {
  if (engine_.table().backup == nullptr) return Absent(engine_, "backup");
  return engine_.StatusOf(engine_.table().backup(store_, directory.c_str()), "backup");
}

Status Store::VerifyChecksums() {
  if (engine_.table().verify_checksums == nullptr) return Absent(engine_, "verify_checksums");
  return engine_.StatusOf(engine_.table().verify_checksums(store_), "verify_checksums");
}

Status Store::Close() {
  if (store_ == nullptr) return Status::Ok();
  return engine_.StatusOf(engine_.table().close(std::exchange(store_, nullptr)), "close");
}

StatusOr<EngineSpec> ParseEngineSpec(std::string_view text) {
  EngineSpec spec;
  const size_t separator = text.find_first_of("@:");
  const std::string_view name = text.substr(0, separator);
  if (name.empty()) return Refuse(text, "the name is missing");
  if (name.size() > kLongestName) return Refuse(text, "a name has at most 64 characters");
  if (!std::ranges::all_of(name, IsNameCharacter)) {
    return Refuse(text, "a name is made of a-z, 0-9 and _");
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
