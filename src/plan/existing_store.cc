#include "plan/existing_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "store/store_marker.h"

namespace levelfield {
namespace {

// Questions about the engine itself need no store that can be written to.
bool NeedsWholeStore(const Workload& workload) {
  return workload.roles.front().operation->needs_whole_store;
}

// Workloads that use the existing store. The others are skipped, or need none.
bool MeetsStore(const Workload& workload) {
  return workload.need != StoreNeed::kEmpty && workload.need != StoreNeed::kNone &&
         workload.loader.empty();
}

// Why this program, with this version of the library, may not write to the store.
std::string WhyForeign(const ExistingStore& store, const EngineDescription& engine) {
  if (!store.is_ours) return "it is not Levelfield's";
  const std::string mark = LibraryMark(engine.Fact("version"));
  if (store.filled_by == mark) return "";
  return fmt::format("{} has filled it, and this is {}",
                     store.filled_by.empty() ? "a version of the library that it does not name"
                                             : "version " + Printable(store.filled_by),
                     mark);
}

// The requested workloads.
struct Asked {
  std::vector<std::string> writers;  // Names of those that write to the existing store.
  size_t readers = 0;                // The number of those that leave it unchanged.
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

// Why a copy is needed. Empty if the engine opens the store itself read-only.
std::string WhyCopy(const std::vector<PlannedPhase>& phases, const ExistingStore& store,
                    const EngineDescription& engine, const ProbedStore& probed) {
  if (engine.Fact("read_only").empty()) {
    return fmt::format("{} opens no store without writing to it", store.engine);
  }
  for (const PlannedPhase& phase : phases) {
    if (MeetsStore(phase.workload) && NeedsWholeStore(phase.workload)) {
      return phase.workload.name + " is nothing for a store that is opened read-only";
    }
  }
  return probed.why_not_read_only;
}

// What owners have to know if their store is written to nevertheless.
std::string NoteOfWrites(const ExistingStore& store, const std::string& what,
                         const std::string& foreign) {
  if (foreign.empty()) return "";
  return fmt::format(
      "{}: {} itself, although {}; its owner's version may be unable to open it afterwards, and "
      "settings that it keeps, like a journal mode, may change",
      store.engine, what, foreign);
}

}  // namespace

Status TakeOver(const std::string& path, const StoreContent& content, Settings& settings) {
  if (content.engine.empty()) return Status::Ok();
  Settings wanted = settings;
  wanted.key_format = NameOf(content.keys.kind);
  wanted.key_prefix = content.keys.prefix;
  wanted.key_size = content.keys.size - content.keys.prefix;
  wanted.key_size_max = content.keys.vary() ? content.keys.most - content.keys.prefix : 0;
  if (content.describes_itself) wanted.compression_ratio = content.compression_ratio;
  for (const Flag& flag : Flags()) {
    const std::string text = TextOf(flag, wanted);
    if (text == TextOf(flag, settings) || !settings.IsGiven(flag.name)) {
      continue;
    }
    return Status::Usage(
        fmt::format("--{}={}: the store at {} was filled with {}; leave the flag out, or fill "
                    "another store",
                    flag.name, TextOf(flag, settings), path, text));
  }
  settings = std::move(wanted);
  // Further stores must have the same.
  for (const char* name : {"key_format", "key_prefix", "key_size", "key_size_max"}) {
    settings.given.emplace(name);
  }
  if (content.describes_itself) settings.given.emplace("compression_ratio");
  return Status::Ok();
}

bool ChangesStore(const Workload& workload) {
  return std::ranges::any_of(workload.roles, [](const Role& role) {
    return role.changes_store() || role.operation->writes_files;
  });
}

StatusOr<StoreDecision> DecideAccess(const Settings& settings,
                                     const std::vector<PlannedPhase>& phases,
                                     const ExistingStore& store, const EngineDescription& engine,
                                     const ProbedStore& probed) {
  const Asked asked = AskedOf(phases);
  const std::string writers = fmt::format("{}", fmt::join(asked.writers, ", "));
  const std::string foreign = WhyForeign(store, engine);
  const std::string path = Printable(store.path);
  const bool may_write =
      !settings.read_only && (foreign.empty() || settings.allow_writes_to_foreign_store);
  if (may_write && !asked.writers.empty()) {
    const std::string what = fmt::format("{} {} to the store {}", writers,
                                         asked.writers.size() == 1 ? "writes" : "write", path);
    if (probed.why_not_writable.empty()) {
      return StoreDecision{.note = NoteOfWrites(store, what, foreign)};
    }
    return Status::Failed(fmt::format("--db: {}, and {}; copy it to where you may write", what,
                                      probed.why_not_writable));
  }
  StoreDecision decision{.kept = settings.read_only ? "--read_only"
                                 : foreign.empty()  ? probed.why_not_writable
                                                    : foreign};
  if (decision.kept.empty()) return decision;
  if (probed.has_results) {
    return Status::Usage(
        fmt::format("--results={}: lies in the store {}, which stays as it is; "
                    "name another directory",
                    Printable(settings.results), path));
  }
  const std::string lets = settings.read_only || foreign.empty()
                               ? ""
                               : "; --allow_writes_to_foreign_store lets them write to it";
  if (asked.readers == 0 && !asked.writers.empty()) {
    return Status::Usage(fmt::format(
        "--use_existing_db: all that was asked for writes ({}), and nothing is written to the "
        "store {}: {}{}",
        writers, path, decision.kept, lets));
  }
  const std::string why_copy = WhyCopy(phases, store, engine, probed);
  decision.access = why_copy.empty() ? StoreAccess::kReadOnly : StoreAccess::kCopy;
  decision.note = fmt::format(
      "{}: the store {} stays byte for byte as it is ({}): {}{}", store.engine, path, decision.kept,
      why_copy.empty() ? fmt::format("it is opened read-only ({})", engine.Fact("read_only"))
                       : fmt::format("a copy of it is measured ({})", why_copy),
      asked.writers.empty() ? "" : fmt::format("; skipped: {}{}", writers, lets));
  return decision;
}

}  // namespace levelfield
