#include "driver/existing_stores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/quote.h"
#include "base/text.h"
#include "store/store_directory.h"
#include "store/store_files.h"
#include "store/store_lock.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

bool IsOurs(const std::string& path) { return PeekAtStore(path).has_value(); }

// "--db=<path>: <why>", a mistake on the command line.
Status MistakeInDb(const Settings& settings, const std::string& why) {
  return Status::Usage(fmt::format("--db={}: {}", Printable(settings.db), why));
}

// Why this user cannot make stores there. Empty: nothing is in the way.
std::string WhyNotWritable(const std::string& path) {
  std::error_code error;
  fs::path there = fs::absolute(path, error);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, error) || access(there.c_str(), W_OK | X_OK) == 0) return "";
  return fmt::format("no store can be made in {}: {}; name a directory that you may write to",
                     Printable(there.string()), std::strerror(errno));
}

// One of our stores. Empty if there is none.
StatusOr<std::optional<ExistingStore>> FindOurs(const std::string& engine, const std::string& path,
                                                Settings& settings) {
  const std::optional<StoreContent> content = PeekAtStore(path);
  if (!content) return std::optional<ExistingStore>();
  if (!content->engine.empty() && content->engine != EngineName(engine)) {
    return MistakeInDb(settings, fmt::format("{} holds a store of {}, not of {}; say --engine={}",
                                             path, content->engine, engine, content->engine));
  }
  RETURN_IF_ERROR(TakeOver(path, *content, settings));
  // If one of ours is locked, opening it says so.
  if (const StatusOr<StoreView> store = LookIntoStore(path); store.ok()) {
    RETURN_IF_ERROR(CheckNobodyUses(store->database));
  }
  return std::optional(ExistingStore{
      .engine = engine, .path = path, .is_ours = true, .filled_by = content->library});
}

std::string FillFirst(const Settings& settings) {
  return fmt::format("fill one first, with --benchmarks=fillrandom{} in place of --use_existing_db",
                     settings.single_db ? "" : " --keep");
}

Status NoStore(const std::string& engine, const std::vector<std::string>& plugins,
               const Settings& settings) {
  const std::vector<std::string> others = EnginesThatRecognize(settings.db, plugins);
  if (!others.empty()) {
    return MistakeInDb(settings, fmt::format("it holds a store of {}, not of {}; say --engine={}",
                                             fmt::join(others, " or "), engine, others.front()));
  }
  return MistakeInDb(settings, fmt::format("there is no store of {} at {}; {}", engine,
                                           Printable(settings.db), FillFirst(settings)));
}

Status CheckIsThere(const Settings& settings) {
  if (settings.db.empty()) {
    return Status::Usage("--use_existing_db: which one? Say --db=<the store's path>");
  }
  struct stat status;
  if (stat(settings.db.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return MistakeInDb(settings, fmt::format("there is no store at {}; {}",
                                               Printable(settings.db), FillFirst(settings)));
    }
    return MistakeInDb(settings, fmt::format("cannot look at it: {}", std::strerror(errno)));
  }
  if (access(settings.db.c_str(), S_ISDIR(status.st_mode) ? R_OK | X_OK : R_OK) == 0) {
    return Status::Ok();
  }
  return MistakeInDb(settings, fmt::format("cannot read it: {}", std::strerror(errno)));
}

// The one store at --db for that engine.
StatusOr<ExistingStore> FindOne(const std::string& engine, const std::vector<std::string>& plugins,
                                Settings& settings) {
  std::error_code error;
  const fs::path path = fs::canonical(settings.db, error);
  if (error) return MistakeInDb(settings, fmt::format("cannot find it: {}", error.message()));
  // For our own store, the database directory means the same as the directory above it.
  const bool is_database =
      !IsOurs(settings.db) && path.filename() == kStoreDatabase && IsOurs(path.parent_path());
  ASSIGN_OR_RETURN(
      std::optional<ExistingStore> ours,
      FindOurs(engine, is_database ? path.parent_path().string() : settings.db, settings));
  if (ours) return std::move(*ours);
  if (EnginesThatRecognize(settings.db, {engine}).empty()) {
    return NoStore(engine, plugins, settings);
  }
  RETURN_IF_ERROR(CheckNobodyUses(path));
  return ExistingStore{.engine = engine, .path = path};
}

// Works for a place that does not exist yet, too.
bool IsBelow(const std::string& place, const std::string& directory) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(place, error);
  const fs::path above = fs::canonical(directory, error);
  if (error) return false;
  return std::ranges::mismatch(above, real).in1 == above.end();
}

// Whether it has files of its own, and is not just a directory of stores.
bool HasFiles(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_directory(ignored)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins) {
  std::vector<ProbeRequest> requests;
  std::error_code error;
  const fs::path absolute = fs::canonical(path, error);
  if (error) return {};
  for (const std::string& plugin : plugins) {
    requests.push_back(
        {.engine = plugin, .options = {}, .durability = "", .path = absolute.string()});
  }
  std::vector<std::string> engines;
  for (const ProbeReply& reply : ProbeEngines(requests)) {
    if (reply.status.ok() && reply.recognizes) engines.push_back(reply.engine);
  }
  // All builds of an engine share a name.
  std::erase_if(engines, [&](const std::string& engine) {
    return engine != EngineName(engine) &&
           std::ranges::find(engines, EngineName(engine)) != engines.end();
  });
  return engines;
}

std::optional<StoreAround> FindStoreAround(const std::string& path, bool may_be_one,
                                           const std::vector<std::string>& plugins) {
  constexpr int kMostToAsk = 2;
  std::error_code error;
  fs::path at = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return std::nullopt;  // Whoever makes it says what is wrong.
  if (may_be_one) at = at.parent_path();
  const std::string working = fs::current_path(error);
  for (int there = 0; at.has_relative_path(); at = at.parent_path()) {
    if (!fs::is_directory(at, error)) continue;
    if (const std::optional<StoreContent> ours = PeekAtStore(at)) {
      return StoreAround{at, ours->engine};
    }
    if (++there > kMostToAsk || IsBelow(working, at) || !HasFiles(at)) continue;
    const std::vector<std::string> owners = EnginesThatRecognize(at, plugins);
    if (!owners.empty()) return StoreAround{at, owners.front()};
  }
  return std::nullopt;
}

StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings) {
  RETURN_IF_ERROR(CheckIsThere(settings));
  std::vector<ExistingStore> stores;
  // A directory of our stores.
  const bool is_directory_of_stores = !settings.single_db && !IsOurs(settings.db);
  for (const std::string& engine : engines) {
    if (!is_directory_of_stores) break;
    ASSIGN_OR_RETURN(std::optional<ExistingStore> ours,
                     FindOurs(engine, StorePathOf(settings, engine, ""), settings));
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
  ASSIGN_OR_RETURN(ExistingStore one, FindOne(engines.front(), plugins, settings));
  return std::vector{std::move(one)};
}

Status DecideAccessTo(const Settings& settings, const std::vector<PlannedPhase>& phases,
                      ProbeRequest probe, ExistingStore& store, ProbeReply& engine) {
  ProbedStore probed{.has_results = IsBelow(settings.results, store.path)};
  if (access(store.path.c_str(), W_OK) != 0) {
    probed.why_not_writable = fmt::format("it cannot be written to ({})", std::strerror(errno));
  }
  const auto decide = [&] {
    return DecideAccess(settings, phases, store, engine.description, probed);
  };
  StatusOr<StoreDecision> decision = decide();
  // Ask the engine only in this case: otherwise it would write to the store.
  if (decision.ok() && decision->access == StoreAccess::kReadOnly) {
    probe.path = store.is_ours ? store.path + "/" + kStoreDatabase : store.path;
    probe.reads_only = true;
    probed.why_not_read_only = ProbeEngines({probe}).front().status.message();
    decision = decide();
  }
  if (!decision.ok()) return decision.status();
  store.decision = std::move(*decision);
  if (!store.decision.note.empty()) engine.options.notes.push_back(store.decision.note);
  return Status::Ok();
}

Status CheckPlaceOfNewStores(const Settings& settings, const std::vector<std::string>& engines,
                             const std::vector<std::string>& plugins) {
  if (settings.single_db && settings.db.empty()) {
    return Status::Usage("--single_db: which directory? Say --db=<the store's path>");
  }
  if (settings.single_db && engines.size() != 1) {
    return Status::Usage(
        fmt::format("--single_db: {} is one store, for one engine; say --engine=<which>",
                    Printable(settings.db)));
  }
  if (settings.db.empty()) return Status::Ok();
  const bool is_ours = IsOurs(settings.db);
  if (is_ours && !settings.single_db) {
    return MistakeInDb(settings,
                       "this is a store, and no directory that stores are made in; say "
                       "--use_existing_db to measure it, or name another directory");
  }
  std::error_code error;
  const bool is_file = fs::is_regular_file(settings.db, error);
  if (!is_ours && (is_file || HasFiles(settings.db))) {
    const std::vector<std::string> owners = EnginesThatRecognize(settings.db, plugins);
    if (!owners.empty()) {
      return MistakeInDb(settings,
                         fmt::format("there is a store of {} that Levelfield did not make; say "
                                     "--use_existing_db --engine={} to measure it, or name another "
                                     "directory",
                                     owners.front(), owners.front()));
    }
  }
  if (const std::string why = WhyNotWritable(settings.db); !why.empty()) {
    return MistakeInDb(settings, why);
  }
  Status refused = Status::Ok();
  for (const std::string& engine : engines) {
    const Status status = StoreDirectory::Check(StorePathOf(settings, engine, ""));
    if (status.ok()) return Status::Ok();
    if (refused.ok()) refused = status;
  }
  return refused;
}

}  // namespace levelfield
