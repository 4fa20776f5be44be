#include "plan/find_stores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "plan/engine_requests.h"
#include "store/store_marker.h"

namespace levelfield {
namespace {

// "--db=<path>: <why>", a mistake on the command line.
Status MistakeInDb(const Settings& settings, const std::string& why) {
  return Status::Usage(fmt::format("--db={}: {}", Printable(settings.db), why));
}

// One of our stores. Empty if there is none.
StatusOr<std::optional<ExistingStore>> FindOurs(const std::string& engine, const std::string& path,
                                                Settings& settings, Known& known) {
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(path));
  const std::optional<StoreContent>& content = place.ours;
  if (!content) return std::optional<ExistingStore>();
  if (!content->engine.empty() && content->engine != EngineName(engine)) {
    return MistakeInDb(settings, fmt::format("{} holds a store of {}, not of {}; say --engine={}",
                                             path, content->engine, engine, content->engine));
  }
  RETURN_IF_ERROR(TakeOver(path, *content, settings));
  RETURN_IF_ERROR(known.Found(MachineCheck::kNotUsed, path));
  return std::optional(ExistingStore{
      .engine = engine, .path = path, .is_ours = true, .filled_by = content->library});
}

std::string FillFirst(const Settings& settings) {
  return fmt::format("fill one first, with --benchmarks=fillrandom{} in place of --use_existing_db",
                     settings.single_db ? "" : " --keep");
}

Status NoStore(const std::string& engine, const std::vector<std::string>& plugins,
               const Settings& settings, Known& known) {
  ASSIGN_OR_RETURN(const std::vector<std::string> others, known.Recognizing(settings.db, plugins));
  if (!others.empty()) {
    return MistakeInDb(settings, fmt::format("it holds a store of {}, not of {}; say --engine={}",
                                             fmt::join(others, " or "), engine, others.front()));
  }
  return MistakeInDb(settings, fmt::format("there is no store of {} at {}; {}", engine,
                                           Printable(settings.db), FillFirst(settings)));
}

Status CheckIsThere(const Settings& settings, Known& known) {
  if (settings.db.empty()) {
    return Status::Usage("--use_existing_db: which one? Say --db=<the store's path>");
  }
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(settings.db));
  if (place.is_missing) {
    return MistakeInDb(settings, fmt::format("there is no store at {}; {}", Printable(settings.db),
                                             FillFirst(settings)));
  }
  if (!place.why_not_seen.empty()) {
    return MistakeInDb(settings, "cannot look at it: " + place.why_not_seen);
  }
  if (place.why_not_readable.empty()) return Status::Ok();
  return MistakeInDb(settings, "cannot read it: " + place.why_not_readable);
}

// The directory that a path without symlinks lies in, and its name there.
std::pair<std::string, std::string> Parted(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return {"", path};
  return {path.substr(0, std::max<size_t>(slash, 1)), path.substr(slash + 1)};
}

// The one store at --db for that engine.
StatusOr<ExistingStore> FindOne(const std::string& engine, const std::vector<std::string>& plugins,
                                Settings& settings, Known& known) {
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(settings.db));
  if (!place.why_no_real_path.empty()) {
    return MistakeInDb(settings, "cannot find it: " + place.why_no_real_path);
  }
  // For our own store, the database directory means the same as the directory above it.
  std::string path = settings.db;
  const auto [parent, name] = Parted(place.real_path);
  if (!place.ours && name == kStoreDatabase) {
    ASSIGN_OR_RETURN(const PlaceFacts above, known.Place(parent));
    if (above.ours) path = parent;
  }
  ASSIGN_OR_RETURN(std::optional<ExistingStore> ours, FindOurs(engine, path, settings, known));
  if (ours) return std::move(*ours);
  ASSIGN_OR_RETURN(const std::vector<std::string> its, known.Recognizing(settings.db, {engine}));
  if (its.empty()) return NoStore(engine, plugins, settings, known);
  RETURN_IF_ERROR(known.Found(MachineCheck::kNotUsed, place.real_path));
  return ExistingStore{.engine = engine, .path = place.real_path};
}

// Both without symlinks.
bool IsAtOrBelow(const std::string& path, const std::string& directory) {
  return path == directory ||
         path.starts_with(directory.ends_with('/') ? directory : directory + "/");
}

}  // namespace

StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings, Known& known) {
  RETURN_IF_ERROR(CheckIsThere(settings, known));
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(settings.db));
  std::vector<ExistingStore> stores;
  // A directory of our stores.
  const bool is_directory_of_stores = !settings.single_db && !place.ours;
  for (const std::string& engine : engines) {
    if (!is_directory_of_stores) break;
    ASSIGN_OR_RETURN(std::optional<ExistingStore> ours,
                     FindOurs(engine, StorePathOf(settings, engine, ""), settings, known));
    if (ours) stores.push_back(std::move(*ours));
  }
  if (stores.size() == engines.size()) return stores;
  if (!stores.empty()) {
    std::string names;
    for (const ExistingStore& store : stores) names += (names.empty() ? "" : ",") + store.engine;
    return MistakeInDb(settings,
                       fmt::format("of the engines that were asked for only {} has a store in it; "
                                   "say --engine={}",
                                   names, names));
  }
  if (engines.size() > 1) {
    return MistakeInDb(
        settings,
        fmt::format("this is not a directory with a store for each of the {} engines that were "
                    "asked for; name one engine, like --engine={}",
                    engines.size(), engines.front()));
  }
  ASSIGN_OR_RETURN(ExistingStore one, FindOne(engines.front(), plugins, settings, known));
  return std::vector{std::move(one)};
}

Status DecideAccessTo(const Settings& settings, const std::vector<PlannedPhase>& phases,
                      ExistingStore& store, ProbeReply& engine, Known& known) {
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(store.path));
  ASSIGN_OR_RETURN(const PlaceFacts results, known.Place(settings.results));
  ProbedStore probed{.has_results = place.why_no_real_path.empty() &&
                                    IsAtOrBelow(results.real_path, place.real_path)};
  if (!place.why_not_writable.empty()) {
    probed.why_not_writable = fmt::format("it cannot be written to ({})", place.why_not_writable);
  }
  const auto decide = [&] {
    return DecideAccess(settings, phases, store, engine.description, probed);
  };
  StatusOr<StoreDecision> decision = decide();
  // Ask the engine only in this case: otherwise it would write to the store.
  if (decision.ok() && decision->access == StoreAccess::kReadOnly) {
    ASSIGN_OR_RETURN(
        probed.why_not_read_only,
        known.WhyNotReadOnly(RequestOf(store.engine, settings),
                             store.is_ours ? store.path + "/" + kStoreDatabase : store.path));
    decision = decide();
  }
  if (!decision.ok()) return decision.status();
  store.decision = std::move(*decision);
  if (!store.decision.note.empty()) engine.options.notes.push_back(store.decision.note);
  return Status::Ok();
}

Status CheckPlaceOfNewStores(const Settings& settings, const std::vector<std::string>& engines,
                             const std::vector<std::string>& plugins, Known& known) {
  if (settings.single_db && settings.db.empty()) {
    return Status::Usage("--single_db: which directory? Say --db=<the store's path>");
  }
  if (settings.single_db && engines.size() != 1) {
    return Status::Usage(
        fmt::format("--single_db: {} is one store, for one engine; say --engine=<which>",
                    Printable(settings.db)));
  }
  if (settings.db.empty()) return Status::Ok();
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(settings.db));
  if (place.ours && !settings.single_db) {
    return MistakeInDb(settings,
                       "this is a store, and no directory that stores are made in; say "
                       "--use_existing_db to measure it, or name another directory");
  }
  if (!place.ours && (place.is_file || place.has_files)) {
    ASSIGN_OR_RETURN(const std::vector<std::string> owners,
                     known.Recognizing(settings.db, plugins));
    if (!owners.empty()) {
      return MistakeInDb(settings,
                         fmt::format("there is a store of {} that Levelfield did not make; say "
                                     "--use_existing_db --engine={} to measure it, or name another "
                                     "directory",
                                     owners.front(), owners.front()));
    }
  }
  if (!place.why_nothing_new.empty()) {
    return MistakeInDb(settings, fmt::format("no store can be made in {}: {}; name a directory "
                                             "that you may write to",
                                             Printable(place.nearest), place.why_nothing_new));
  }
  Status refused = Status::Ok();
  for (const std::string& engine : engines) {
    const Status status = known.Found(MachineCheck::kNewStore, StorePathOf(settings, engine, ""));
    if (status.ok()) return Status::Ok();
    if (refused.ok()) refused = status;
  }
  return refused;
}

Status CheckOutsideStores(std::string_view what, const std::string& path, bool may_be_one,
                          Known& known) {
  ASSIGN_OR_RETURN(const EnclosingStore around, known.Enclosing(path, may_be_one));
  if (around.store.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "{}={}: lies in the store {}{}, where only what its engine writes belongs; name another "
      "directory",
      what, Printable(path), Printable(around.store),
      around.engine.empty() ? "" : " of " + around.engine));
}

}  // namespace levelfield
