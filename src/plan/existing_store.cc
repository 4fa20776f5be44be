#include "plan/existing_store.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/engine_name.h"
#include "base/quote.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "store/marked_store.h"
#include "store/store_users.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

std::string FillFirst(const Settings& settings) {
  return fmt::format("fill one first, with --benchmarks=fillrandom{} in place of --use_existing_db",
                     settings.single_db ? "" : " --keep");
}

// Takes over what the marker says about the keys and values, or says in what the flags differ.
Status TakeOver(const std::string& path, const StoreContent& content, Settings& settings) {
  if (content.engine.empty()) return Status::Ok();
  Settings wanted = settings;
  wanted.key_format = KeyKindName(content.keys.kind);
  wanted.key_prefix = content.keys.prefix;
  wanted.key_size = content.keys.size - content.keys.prefix;
  if (content.describes_itself) wanted.compression_ratio = content.compression_ratio;
  for (const Flag& flag : Flags()) {
    const std::string text = TextOf(flag, wanted);
    if (text == TextOf(flag, settings)) continue;
    if (settings.IsGiven(flag.name)) {
      return Status::Usage(
          fmt::format("--{}={}: the store at {} was filled with {}; leave the flag out, or fill "
                      "another store",
                      flag.name, TextOf(flag, settings), path, text));
    }
  }
  settings = std::move(wanted);
  // Every further store has to have the same.
  for (const char* name : {"key_format", "key_prefix", "key_size"}) settings.given.emplace(name);
  if (content.describes_itself) settings.given.emplace("compression_ratio");
  return Status::Ok();
}

// One of ours; empty where there is none.
StatusOr<std::optional<ExistingStore>> FindOurs(const std::string& engine, const std::string& path,
                                                Settings& settings) {
  const std::optional<StoreContent> content = PeekAtStore(path);
  if (!content) return std::optional<ExistingStore>();
  if (!content->engine.empty() && content->engine != EngineName(engine)) {
    return Status::Usage(fmt::format("--db={}: {} holds a store of {}, not of {}; say --engine={}",
                                     Printable(settings.db), path, content->engine, engine,
                                     content->engine));
  }
  if (const Status status = TakeOver(path, *content, settings); !status.ok()) return status;
  // Where one of ours has it, its lock says so when the store is opened.
  if (const StatusOr<MarkedStore> store = LookIntoStore(path); store.ok()) {
    if (const Status status = CheckNobodyUses(store->database); !status.ok()) return status;
  }
  return std::optional(ExistingStore{
      .engine = engine, .path = path, .is_ours = true, .filled_by = content->library});
}

Status NoStore(const std::string& engine, const std::vector<std::string>& plugins,
               const Settings& settings) {
  const std::vector<std::string> others = EnginesThatRecognize(settings.db, plugins);
  if (!others.empty()) {
    std::string names;
    for (const std::string& other : others) names += (names.empty() ? "" : " or ") + other;
    return Status::Usage(fmt::format("--db={}: it holds a store of {}, not of {}; say --engine={}",
                                     Printable(settings.db), names, engine, others.front()));
  }
  return Status::Usage(fmt::format("--db={}: there is no store of {} at {}; {}",
                                   Printable(settings.db), engine, Printable(settings.db),
                                   FillFirst(settings)));
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
  // One name for all builds of an engine.
  std::erase_if(engines, [&](const std::string& engine) {
    return engine != EngineName(engine) &&
           std::ranges::find(engines, EngineName(engine)) != engines.end();
  });
  return engines;
}

StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings) {
  if (settings.db.empty()) {
    return Status::Usage("--use_existing_db: which one? Say --db=<the store's path>");
  }
  struct stat status;
  if (stat(settings.db.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return Status::Usage(fmt::format("--db={}: there is no store at {}; {}",
                                       Printable(settings.db), Printable(settings.db),
                                       FillFirst(settings)));
    }
    return Status::Failed(fmt::format("--db={}: cannot look at it: {}", Printable(settings.db),
                                      std::strerror(errno)));
  }
  if (access(settings.db.c_str(), S_ISDIR(status.st_mode) ? R_OK | X_OK : R_OK) != 0) {
    return Status::Failed(
        fmt::format("--db={}: cannot read it: {}", Printable(settings.db), std::strerror(errno)));
  }
  std::vector<ExistingStore> stores;
  const auto is_ours = [](const std::string& path) { return PeekAtStore(path).has_value(); };
  // Ours, in a directory of stores.
  const bool is_store = is_ours(settings.db);
  for (const std::string& engine : engines) {
    if (is_store || settings.single_db) break;
    StatusOr<std::optional<ExistingStore>> ours =
        FindOurs(engine, StorePathOf(settings, engine, ""), settings);
    if (!ours.ok()) return ours.status();
    if (*ours) stores.push_back(std::move(**ours));
  }
  if (stores.size() == engines.size()) return stores;
  if (!stores.empty()) {
    std::string names;
    for (const ExistingStore& store : stores) names += (names.empty() ? "" : ",") + store.engine;
    return Status::Usage(
        fmt::format("--db={}: of the engines that were asked for only {} has a "
                    "store in it; say --engine={}",
                    Printable(settings.db), names, names));
  }
  if (engines.size() > 1) {
    return Status::Usage(fmt::format(
        "--db={}: this is not a directory with a store for each of the {} engines that were asked "
        "for; name one engine, like --engine={}",
        Printable(settings.db), engines.size(), engines.front()));
  }
  const std::string& engine = engines.front();
  // The database of one of ours is as good as its directory.
  std::error_code error;
  const fs::path path = fs::canonical(settings.db, error);
  if (error) {
    return Status::Failed(
        fmt::format("--db={}: cannot find it: {}", Printable(settings.db), error.message()));
  }
  const std::string ours_at = !is_store && path.filename() == "db" && is_ours(path.parent_path())
                                  ? path.parent_path()
                                  : fs::path(settings.db);
  StatusOr<std::optional<ExistingStore>> ours = FindOurs(engine, ours_at, settings);
  if (!ours.ok()) return ours.status();
  if (*ours) return std::vector{std::move(**ours)};
  if (EnginesThatRecognize(settings.db, {engine}).empty()) {
    return NoStore(engine, plugins, settings);
  }
  if (const Status unused = CheckNobodyUses(path); !unused.ok()) return unused;
  stores.push_back({.engine = engine, .path = path.string(), .is_ours = false});
  return stores;
}

Status ForeignStore::Wipe() {
  return Status::Failed(fmt::format("{} is not Levelfield's to empty", path_));
}

StatusOr<uint64_t> ForeignStore::AllocatedBytes() const {
  uint64_t bytes = 0;
  const auto add = [&](const fs::path& file) {
    struct stat status;
    if (lstat(file.c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_blocks) * 512;
  };
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    for (fs::recursive_directory_iterator it(path_, error), end; !error && it != end;
         it.increment(error)) {
      add(it->path());
    }
  } else {
    const fs::path file = path_;
    for (fs::directory_iterator it(file.parent_path(), error), end; !error && it != end;
         it.increment(error)) {
      if (it->path().filename().string().starts_with(file.filename().string())) add(it->path());
    }
  }
  if (!error) return bytes;
  return Status::Failed(fmt::format("{}: cannot count its size: {}", path_, error.message()));
}

}  // namespace levelfield
