#include "engine/engine.h"

#include <fmt/format.h>

#include "base/quote.h"

namespace levelfield {
namespace {

std::vector<lf_setting> ToTable(const SettingList& settings) {
  std::vector<lf_setting> table;
  table.reserve(settings.size());
  for (const auto& [name, value] : settings) table.push_back({name.c_str(), value.c_str()});
  return table;
}

}  // namespace

Status Engine::StatusOf(lf_code code, std::string_view operation) const {
  if (code == LF_OK || code == LF_NOT_FOUND) return Status::Ok();
  const std::string what = spec().text + ": " + std::string(operation) + ": ";
  if (code != LF_UNSUPPORTED && code != LF_FAILED) {
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
  const Status status = engine.StatusOf(code, "open");
  if (!status.ok()) return status;
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
  const Status status = engine_.StatusOf(code, "begin_session");
  if (!status.ok()) return status;
  if (code != LF_OK || session == nullptr) {
    return Status::Failed(engine_.spec().text + ": begin_session: gave no session");
  }
  return Session(engine_, session);
}

Status Store::Sync() { return engine_.StatusOf(engine_.table().sync(store_), "sync"); }

Status Store::Compact() { return engine_.StatusOf(engine_.table().compact(store_), "compact"); }

StatusOr<std::string> Store::Property(const std::string& name) {
  const auto property = engine_.table().property;
  if (property == nullptr) return Status::Usage(engine_.spec().text + ": has no properties");
  const char* text = nullptr;
  const lf_code code = property(store_, name.c_str(), &text);
  const Status status = engine_.StatusOf(code, "property " + name);
  if (!status.ok()) return status;
  if (code != LF_OK || text == nullptr) {
    return Status::Usage(fmt::format("{}: has no property {}", engine_.spec().text, name));
  }
  return std::string(text);
}

Status Store::Close() {
  if (store_ == nullptr) return Status::Ok();
  return engine_.StatusOf(engine_.table().close(std::exchange(store_, nullptr)), "close");
}

}  // namespace levelfield
