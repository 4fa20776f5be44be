#include "facts/places.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/engine_probe.h"
#include "plan/engine_requests.h"
#include "store/store_files.h"
#include "store/store_lock.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

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

// Why this user cannot make anything there. Empty: nothing is in the way.
void LookForRoom(PlaceFacts& place) {
  std::error_code error;
  fs::path there = fs::absolute(place.path, error);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  place.nearest = there.string();
  if (!fs::is_directory(there, error) || access(there.c_str(), W_OK | X_OK) == 0) return;
  place.why_nothing_new = std::strerror(errno);
}

}  // namespace

PlaceFacts LookAt(const std::string& path) {
  PlaceFacts place{.path = path};
  std::error_code error;
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    place.is_missing = errno == ENOENT || errno == ENOTDIR;
    place.why_not_seen = std::strerror(errno);
    place.real_path = fs::weakly_canonical(fs::absolute(path, error), error).string();
  } else {
    const bool is_directory = S_ISDIR(status.st_mode);
    place.is_file = S_ISREG(status.st_mode);
    place.has_files = is_directory && HasFiles(path);
    if (access(path.c_str(), is_directory ? R_OK | X_OK : R_OK) != 0) {
      place.why_not_readable = std::strerror(errno);
    }
    if (access(path.c_str(), W_OK) != 0) place.why_not_writable = std::strerror(errno);
    place.real_path = fs::canonical(path, error).string();
    if (error) place.why_no_real_path = error.message();
  }
  LookForRoom(place);
  place.ours = PeekAtStore(path);
  return place;
}

EnclosingStore FindStoreAround(const std::string& path, bool may_be_one,
                               const std::vector<std::string>& plugins) {
  constexpr int kMostToAsk = 2;
  EnclosingStore found{.path = path, .may_be_one = may_be_one};
  std::error_code error;
  fs::path at = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return found;  // Whoever makes it says what is wrong.
  if (may_be_one) at = at.parent_path();
  const std::string working = fs::current_path(error);
  for (int there = 0; at.has_relative_path(); at = at.parent_path()) {
    if (!fs::is_directory(at, error)) continue;
    if (const std::optional<StoreContent> ours = PeekAtStore(at)) {
      found.store = at;
      found.engine = ours->engine;
      return found;
    }
    if (++there > kMostToAsk || IsBelow(working, at) || !HasFiles(at)) continue;
    const std::vector<std::string> owners = EnginesThatRecognize(at, plugins);
    if (owners.empty()) continue;
    found.store = at;
    found.engine = owners.front();
    return found;
  }
  return found;
}

Status CheckNobodyUsesStore(const std::string& path) {
  if (!PeekAtStore(path)) return CheckNobodyUses(path);
  const StatusOr<StoreView> store = LookIntoStore(path);
  return store.ok() ? CheckNobodyUses(store->database) : Status::Ok();
}

ProbeRequest RecognitionOf(const std::string& path, const std::string& engine) {
  std::error_code error;
  return {.engine = engine,
          .options = {},
          .durability = "",
          .path = fs::weakly_canonical(fs::absolute(path, error), error).string()};
}

std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins) {
  std::vector<ProbeRequest> requests;
  for (const std::string& plugin : plugins) requests.push_back(RecognitionOf(path, plugin));
  std::vector<std::string> engines;
  for (const ProbeReply& reply : ProbeEngines(requests)) {
    if (reply.status.ok() && reply.recognizes) engines.push_back(reply.engine);
  }
  return WithoutOtherBuilds(std::move(engines));
}

}  // namespace levelfield
