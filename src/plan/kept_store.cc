#include "plan/kept_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/utc.h"
#include "plan/planned_content.h"

namespace levelfield {
namespace {

// What an engine answers of a store that it has opened to read only is its own affair.
bool NeedsWholeStore(const Workload& workload) {
  const OperationKind operation = workload.roles.front().operation;
  return operation == OperationKind::kBackup || operation == OperationKind::kWaitForBackground ||
         operation == OperationKind::kVerifyChecksums;
}

// Workloads that find the store that is there; the others are skipped, or need none.
bool MeetsStore(const Workload& workload) {
  return workload.need != StoreNeed::kEmpty && workload.need != StoreNeed::kNone &&
         workload.loader.empty();
}

// Why the store is not one that this program, with this version of the library, may write to.
std::string WhyForeign(const ExistingStore& store, const EngineDescription& engine) {
  if (!store.is_ours) return "it is not Levelfield's";
  const std::string mark = LibraryMark(engine.Fact("version"));
  if (store.filled_by == mark) return "";
  return fmt::format("{} has filled it, and this is {}",
                     store.filled_by.empty() ? "a version of the library that it does not name"
                                             : "version " + Printable(store.filled_by),
                     mark);
}

std::string WhyNotWritable(const ExistingStore& store) {
  if (access(store.path.c_str(), W_OK) == 0) return "";
  return fmt::format("it cannot be written to ({})", std::strerror(errno));
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What was asked for of the store that is there, by name; and how much that leaves it as it is.
struct Asked {
  std::vector<std::string> writers;
  size_t readers = 0;
};

Asked AskedOf(const std::vector<PlannedPhase>& phases) {
  Asked asked;
  for (const PlannedPhase& phase : phases) {
    const Workload& workload = phase.workload;
    if (MeetsStore(workload) && ChangesStore(workload)) {
      asked.writers.push_back(workload.name);
    } else if (MeetsStore(workload) || workload.need == StoreNeed::kNone) {
      ++asked.readers;
    }
  }
  return asked;
}

// Of a place that may have to be made.
bool IsBelow(const std::string& place, const std::string& directory) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(place, error);
  const std::filesystem::path above = std::filesystem::canonical(directory, error);
  if (error) return false;
  return std::ranges::mismatch(above, real).in1 == above.end();
}

Status LetWrite(const Asked& asked, const std::string& foreign, const std::string& not_writable,
                ExistingStore& store, ProbeReply& engine) {
  const std::string what =
      fmt::format("{} {} to the store {}", Listed(asked.writers),
                  asked.writers.size() == 1 ? "writes" : "write", Printable(store.path));
  if (!not_writable.empty()) {
    return Status::Failed(
        fmt::format("--db: {}, and {}; copy it to where you may write", what, not_writable));
  }
  if (foreign.empty()) return Status::Ok();
  store.note = fmt::format(
      "{}: {} itself, although {}; its owner's version may be unable to open it afterwards, and "
      "settings that it keeps, like a journal mode, may change",
      engine.engine, what, foreign);
  engine.options.notes.push_back(store.note);
  return Status::Ok();
}

// Why a copy has to do; empty where the engine opens the store itself read-only.
std::string WhyCopy(const std::vector<PlannedPhase>& phases, ProbeRequest probe,
                    const ExistingStore& store, const ProbeReply& engine) {
  if (engine.description.Fact("read_only").empty()) {
    return fmt::format("{} opens no store without writing to it", engine.engine);
  }
  for (const PlannedPhase& phase : phases) {
    if (MeetsStore(phase.workload) && NeedsWholeStore(phase.workload)) {
      return phase.workload.name + " is nothing for a store that is opened read-only";
    }
  }
  probe.path = store.is_ours ? store.path + "/" + kStoreDatabase : store.path;
  probe.reads_only = true;
  const ProbeReply reply = ProbeEngines({probe}).front();
  return reply.status.message();
}

}  // namespace

bool ChangesStore(const Workload& workload) {
  return std::ranges::any_of(workload.roles, [](const Role& role) {
    return role.changes_store() || role.operation == OperationKind::kCompact ||
           role.operation == OperationKind::kFlush;
  });
}

Status KeepStore(const Settings& settings, const std::vector<PlannedPhase>& phases,
                 ProbeRequest probe, ExistingStore& store, ProbeReply& engine) {
  const Asked asked = AskedOf(phases);
  const std::string foreign = WhyForeign(store, engine.description);
  const std::string not_writable = WhyNotWritable(store);
  const bool may_write =
      !settings.read_only && (foreign.empty() || settings.allow_writes_to_foreign_store);
  if (may_write && !asked.writers.empty()) {
    return LetWrite(asked, foreign, not_writable, store, engine);
  }
  store.kept = settings.read_only ? "--read_only" : foreign.empty() ? not_writable : foreign;
  if (store.kept.empty()) return Status::Ok();
  if (IsBelow(settings.results, store.path)) {
    return Status::Usage(
        fmt::format("--results={}: lies in the store {}, which stays as it is; "
                    "name another directory",
                    Printable(settings.results), Printable(store.path)));
  }
  const std::string lets = settings.read_only || foreign.empty()
                               ? ""
                               : "; --allow_writes_to_foreign_store lets them write to it";
  if (asked.readers == 0 && !asked.writers.empty()) {
    return Status::Usage(fmt::format(
        "--use_existing_db: all that was asked for writes ({}), and nothing is written to the "
        "store {}: {}{}",
        Listed(asked.writers), Printable(store.path), store.kept, lets));
  }
  const std::string why_copy = WhyCopy(phases, std::move(probe), store, engine);
  store.access = why_copy.empty() ? StoreAccess::kReadOnly : StoreAccess::kCopy;
  const std::string how = why_copy.empty() ? fmt::format("it is opened read-only ({})",
                                                         engine.description.Fact("read_only"))
                                           : fmt::format("a copy of it is measured ({})", why_copy);
  store.note = fmt::format(
      "{}: the store {} stays byte for byte as it is ({}): {}{}", engine.engine,
      Printable(store.path), store.kept, how,
      asked.writers.empty() ? "" : fmt::format("; skipped: {}{}", Listed(asked.writers), lets));
  engine.options.notes.push_back(store.note);
  return Status::Ok();
}

StatusOr<KeptStore> OpenKeptStore(const Turn& turn, const ExistingStore& store) {
  std::string database = store.path;
  StoreOrigin origin{.exists = true};
  // Values of its own, that no earlier visit has left there.
  uint64_t salt = DeriveSeed(turn.settings().seed, "salt", UtcNow(), MonotonicNs());
  KeptStore kept;
  if (store.is_ours) {
    StatusOr<StoreView> ours = LookIntoStore(store.path);
    if (!ours.ok()) return ours.status();
    if (ours->state == StoreState::kTainted) {
      return Status::Usage(fmt::format("{}: {}; look at it if you like (levelfield verify store)",
                                       Printable(store.path), kWhyTainted));
    }
    origin = OriginOf(ours->content);
    salt = ours->salt;
    database = ours->database;
    kept.ours = std::move(*ours);
  }
  if (const Status unused = CheckNobodyUses(database); !unused.ok()) return unused;
  if (store.access == StoreAccess::kCopy) {
    StatusOr<StoreCopy> copy = StoreCopy::Make(database, turn.results);
    if (!copy.ok()) return copy.status();
    kept.copy.emplace(std::move(*copy));
    database = kept.copy->path();
  }
  origin.read_only = store.access == StoreAccess::kReadOnly;
  origin.kept = store.kept;
  kept.spec = turn.Spec(database, salt, origin);
  return kept;
}

}  // namespace levelfield
