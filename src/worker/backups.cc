#include "worker/backups.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "base/version.h"
#include "store/store_lock.h"

namespace levelfield {
namespace {

// The store's path, or the given directory's; if that one serves several stores, a part of it.
std::string PathOf(const Settings& settings, const std::string& given, const std::string& database,
                   std::string_view suffix) {
  std::filesystem::path store = database;
  if (store.filename() == "db") store = store.parent_path();  // A store of ours, below its marker.
  if (given.empty()) return store.string() + std::string(suffix);
  return settings.single_db ? given : given + "/" + store.filename().string();
}

void RemoveIfThere(std::optional<StoreDirectory>& directory) {
  if (directory) (void)directory->Remove();
  directory.reset();
}

}  // namespace

Backups::Backups(const Settings& settings, const std::string& database, const std::string& engine)
    : keeps_(settings.keep),
      engine_(engine),
      backup_path_(PathOf(settings, settings.backup_dir, database, ".backup")),
      restored_path_(PathOf(settings, settings.restore_dir, database, ".restored")) {}

Backups::~Backups() {
  if (keeps_) return;
  RemoveIfThere(restored_);
  RemoveIfThere(backup_);
}

Status Backups::Make(const std::string& path, const std::string& what,
                     std::optional<StoreDirectory>& directory) const {
  RemoveIfThere(directory);
  const std::string content = EngineMark(what + " " + engine_);
  // Something of ours may be in the way. A backup that an earlier run kept is replaced, but never a
  // store.
  const std::optional<StoreContent> there = PeekAtStore(path);
  if (there && there->engine != content) {
    return Status::Usage(fmt::format(
        "{} holds another store ({}), which is not removed for a {}; name another directory with "
        "--backup_dir or --restore_dir",
        path, there->engine, content));
  }
  StoreDirectory::Options options{.harness = kVersion, .fresh = there.has_value()};
  options.content.engine = content;
  StatusOr<StoreDirectory> made = StoreDirectory::Create(path, options);
  // A directory that cannot be used is not the store's fault.
  if (!made.ok()) return Status::Usage(made.status().message());
  directory = std::move(*made);
  return Status::Ok();
}

StatusOr<Backups::Copied> Backups::Backup(Store& store, const ExpectedState& state) {
  if (store.engine().table().backup == nullptr) return store.Backup("");  // Reports it.
  RETURN_IF_ERROR(Make(backup_path_, "backup of", backup_));
  const uint64_t start_ns = MonotonicNs();
  const Status status = store.Backup(backup_->path());
  Copied copied{.took_ns = MonotonicNs() - start_ns};
  if (!status.ok()) {
    RemoveIfThere(backup_);
    return status;
  }
  state_ = state;
  ASSIGN_OR_RETURN(const uint64_t bytes, backup_->AllocatedBytes());
  copied.bytes = bytes;
  // It is never opened, so it stays as the engine's call left it.
  if (keeps_) {
    RETURN_IF_ERROR(backup_->MarkClean());
  }
  return copied;
}

Status Backups::RestoredIsClosed() { return keeps_ ? restored_->MarkClean() : Status::Ok(); }

StatusOr<Backups::Copied> Backups::Restore(const Engine& engine) {
  if (!backup_) {
    return Status::Usage("there is no backup of this run: put `backup` before `restore`");
  }
  RETURN_IF_ERROR(Make(restored_path_, "restored backup of", restored_));
  const uint64_t start_ns = MonotonicNs();
  const Status status = engine.Restore(backup_->path(), restored_->path());
  Copied copied{.took_ns = MonotonicNs() - start_ns};
  if (!status.ok()) return status;
  ASSIGN_OR_RETURN(const uint64_t bytes, restored_->AllocatedBytes());
  copied.bytes = bytes;
  return copied;
}

}  // namespace levelfield
