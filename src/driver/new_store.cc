#include "driver/new_store.h"

#include <utility>

#include "base/path_owners.h"
#include "base/version.h"
#include "driver/supervisor.h"
#include "plan/planned_content.h"
#include "plan/preflight.h"
#include "process/interrupts.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

uint64_t NeededBytes(const Turn& turn) {
  return NeededDiskBytes(turn.settings(), turn.phases(), SpaceFactorOf(turn.engine().description));
}

}  // namespace

StatusOr<std::unique_ptr<NewStore>> MakeNewStore(const Turn& turn) {
  std::optional<RunFileSystem> file_system;
  if (Status made = MakeFileSystem(turn, file_system); !made.ok()) return made;
  const uint64_t salt = turn.Salt();
  StatusOr<StoreDirectory> store = StoreDirectory::Create(
      PathOfNewStore(turn, file_system),
      {.salt = salt, .harness = kVersion, .fresh = true, .content = PlannedContent(turn)});
  if (!store.ok()) return store.status();
  Status status = Status::Ok();
  if (!turn.engine().description.Has(LF_FLOOR) && turn.settings().space_guard == "refuse") {
    status = CheckFreeSpace(store->path(), NeededBytes(turn));
  }
  if (status.ok()) status = store->LetChildrenInheritLock();
  if (!status.ok()) {
    (void)store->Remove();
    return status;
  }
  WorkerSpec spec = turn.Spec(store->path(), salt, {});
  return std::make_unique<NewStore>(
      NewStore{std::move(file_system), std::move(*store), std::move(spec)});
}

Status MakeFileSystem(const Turn& turn, std::optional<RunFileSystem>& file_system) {
  const Settings& settings = turn.settings();
  if (settings.fs.empty()) return Status::Ok();
  const std::string images = PlaceOfImages(settings, turn.results);
  if (Status ours = CheckNobodyElseCanRedirect(images); !ours.ok()) return ours;
  StatusOr<RunFileSystem> made = RunFileSystem::Make(settings, NeededBytes(turn), images);
  if (!made.ok()) {
    return IsInterrupted() ? Status::Interrupted(made.status().message()) : made.status();
  }
  file_system.emplace(std::move(*made));
  return Status::Ok();
}

std::string PathOfNewStore(const Turn& turn, const std::optional<RunFileSystem>& file_system) {
  if (!file_system) return turn.StorePath();
  Settings settings = turn.settings();
  settings.db = file_system->directory();
  return StorePathOf(settings, turn.engine().engine, turn.results);
}

}  // namespace levelfield
