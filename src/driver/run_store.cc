#include "driver/run_store.h"

#include <fmt/format.h>

#include <utility>

#include "base/clock.h"
#include "base/path_owners.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/shell_words.h"
#include "base/utc.h"
#include "base/version.h"
#include "plan/planned_content.h"
#include "plan/preflight.h"
#include "process/process.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

uint64_t NeededBytes(const Trial& trial) {
  return NeededDiskBytes(trial.settings(), trial.phases(),
                         SpaceFactorOf(trial.engine().description));
}

StatusOr<std::unique_ptr<RunStore>> OpenToWrite(const Trial& trial, const std::string& path) {
  StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
  Status status = store.ok() ? store->LetChildrenInheritLock() : store.status();
  if (!status.ok()) return status;
  StoreContent content = store->content();
  AddValueSizes(trial.phases(), content);
  content.library = LibraryMark(trial.engine().description.Fact("version"));
  AddDurability(trial, content);
  store->SetContent(content);
  if (status = store->MarkDirty(); !status.ok()) return status;
  auto open = std::make_unique<RunStore>();
  open->spec = trial.Spec(store->path(), store->salt(), OriginOf(content));
  open->ours = std::move(*store);
  return open;
}

}  // namespace

StatusOr<std::unique_ptr<RunStore>> MakeNewStore(const Trial& trial) {
  auto open = std::make_unique<RunStore>();
  RETURN_IF_ERROR(MakeFileSystem(trial, open->file_system));
  const uint64_t salt = trial.Salt();
  ASSIGN_OR_RETURN(
      StoreDirectory store,
      StoreDirectory::Create(
          PathOfNewStore(trial, open->file_system),
          {.salt = salt, .harness = kVersion, .fresh = true, .content = PlannedContent(trial)}));
  Status status = Status::Ok();
  if (!trial.engine().description.Has(LF_FLOOR) && trial.settings().space_guard == "refuse") {
    status = CheckFreeSpace(store.path(), NeededBytes(trial), kWayOutOfTooLittleSpace);
  }
  if (status.ok()) status = store.LetChildrenInheritLock();
  if (!status.ok()) {
    (void)store.Remove();
    return status;
  }
  open->spec = trial.Spec(store.path(), salt, {});
  open->ours = std::move(store);
  return open;
}

StatusOr<std::unique_ptr<RunStore>> OpenExistingStore(const Trial& trial,
                                                      const ExistingStore& store) {
  const StoreDecision& decision = store.decision;
  if (store.is_ours && decision.kept.empty()) return OpenToWrite(trial, store.path);
  auto open = std::make_unique<RunStore>();
  std::string database = store.path;
  StoreOrigin origin{.exists = true};
  // Values that no earlier run left there.
  uint64_t salt = DeriveSeed(trial.settings().seed, "salt", UtcNow(), MonotonicNs());
  if (store.is_ours) {
    ASSIGN_OR_RETURN(StoreView view, LookIntoStore(store.path));
    if (view.state == StoreState::kTainted) {
      return Status::Usage(fmt::format("{}: {}; look at it if you like (levelfield verify store {})",
                                       Printable(store.path), kWhyTainted,
                                       ShellWord(store.path)));
    }
    origin = OriginOf(view.content);
    salt = view.salt;
    database = view.database;
    open->view = std::move(view);
  }
  if (!decision.kept.empty()) {
    RETURN_IF_ERROR(CheckNobodyUses(database));
  }
  if (decision.access == StoreAccess::kCopy) {
    ASSIGN_OR_RETURN(StoreCopy copy, StoreCopy::Make(database, trial.results));
    open->copy.emplace(std::move(copy));
    database = open->copy->path();
  }
  origin.read_only = decision.access == StoreAccess::kReadOnly;
  origin.kept = decision.kept;
  open->foreign.emplace(database);
  open->spec = trial.Spec(database, salt, origin);
  return open;
}

Status MarkAtTheEnd(const RunEnd& end, Outcome outcome, StoreDirectory& store) {
  if (outcome == Outcome::kWrong) return store.MarkTainted();
  if (!end.closed || outcome == Outcome::kFailed) return Status::Ok();
  StoreContent content = store.content();
  content.entries = end.entries.value_or(content.entries);
  store.SetContent(content);
  return store.MarkClean();
}

Status MakeFileSystem(const Trial& trial, std::optional<RunFileSystem>& file_system) {
  const Settings& settings = trial.settings();
  if (settings.fs.empty()) return Status::Ok();
  const std::string images = PlaceOfImages(settings, trial.results);
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(images));
  StatusOr<RunFileSystem> made = RunFileSystem::Make(settings, NeededBytes(trial), images);
  if (!made.ok()) {
    return IsInterrupted() ? Status::Interrupted(made.status().message()) : made.status();
  }
  file_system.emplace(std::move(*made));
  return Status::Ok();
}

std::string PathOfNewStore(const Trial& trial, const std::optional<RunFileSystem>& file_system) {
  if (!file_system) return trial.StorePath();
  Settings settings = trial.settings();
  settings.db = file_system->directory();
  return StorePathOf(settings, trial.engine().engine, trial.results);
}

}  // namespace levelfield
