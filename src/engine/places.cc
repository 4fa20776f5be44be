#include "engine/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/program_path.h"
#include "base/quote.h"
#include "base/text.h"
#include "engine/engine.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlacesVariable = "LEVELFIELD_ENGINES";
constexpr std::string_view kPluginPrefix = "levelfield_";
constexpr std::string_view kPluginSuffix = ".so";

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path Absolute(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path.empty() ? "." : path, error);
  return error ? path : absolute;
}

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsDirectory(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Whether a spec can spell it. A file of another name cannot be asked for.
bool IsSpec(const std::string& name) {
  const StatusOr<EngineSpec> spec = ParseEngineSpec(name);
  return spec.ok() && !spec->is_path;
}

// Without the suffix; empty: it is no plug-in's name.
std::string SpecInDirectory(const std::string& file) {
  if (!file.starts_with(kPluginPrefix) || !file.ends_with(kPluginSuffix)) return "";
  if (file.size() <= kPluginPrefix.size() + kPluginSuffix.size()) return "";
  return file.substr(kPluginPrefix.size(),
                     file.size() - kPluginPrefix.size() - kPluginSuffix.size());
}

std::string SpecOfFile(std::string file) {
  if (file.ends_with(kPluginSuffix)) file.resize(file.size() - kPluginSuffix.size());
  for (const std::string_view prefix : {std::string_view("lib"), kPluginPrefix}) {
    if (file.starts_with(prefix)) file.erase(0, prefix.size());
  }
  return file;
}

// Sorted by name, so that what is found does not depend on the order of the directory.
std::vector<FoundEngine> EnginesOf(const EnginePlace& place) {
  std::vector<FoundEngine> found;
  const auto add = [&](const std::string& spec, const fs::path& file) {
    if (!spec.empty() && IsSpec(spec)) found.push_back({spec, file, place.is_built_in});
  };
  if (IsFile(place.path)) {
    add(SpecOfFile(place.path.filename().string()), place.path);
    return found;
  }
  std::error_code error;
  for (fs::directory_iterator it(place.path, error), end; !error && it != end;
       it.increment(error)) {
    if (IsFile(it->path())) add(SpecInDirectory(it->path().filename().string()), it->path());
  }
  std::ranges::sort(found, {}, &FoundEngine::spec);
  return found;
}

std::vector<EnginePlace> BuiltInPlaces() {
  if (const std::string given = Environment("LEVELFIELD_BUILT_IN_ENGINES"); !given.empty()) {
    return {{Absolute(given), true}};
  }
  const fs::path program = fs::path(ProgramPath()).parent_path();
  if (IsDirectory(program / "engines")) {
    return {{program / "engines", true}, {program / "more_engines", true}};
  }
  return {{program.parent_path() / "lib/levelfield", true}};
}

// `./mine.so` is one, and `rocksdb:/usr/lib/librocksdb.so` is none.
bool IsPluginFile(std::string_view text) {
  const size_t at = text.find_first_of("/:");
  return at == std::string_view::npos ? text.ends_with(kPluginSuffix) : text[at] == '/';
}

// The plug-ins' files and directories that are to come first, each once.
class FirstPlaces {
 public:
  Status AddDirectories(const std::string& engines) {
    for (const std::string& text : Split(engines, ':')) {
      if (!IsDirectory(text) && !IsFile(text)) {
        return Status::Usage(
            fmt::format("--engines={}: there is no {}; name directories that hold "
                        "levelfield_<name>.so, separated by colons",
                        Printable(engines), Printable(text)));
      }
      places_.push_back({Absolute(text)});
    }
    return Status::Ok();
  }

  // Replaces a file by its engine's name.
  Status Take(std::string_view flag, std::string& name) {
    if (!IsPluginFile(name)) return Status::Ok();
    const auto refused = [&](const std::string& why) {
      return Status::Usage(fmt::format("--{}={}: {}", flag, Printable(name), why));
    };
    if (!IsFile(name)) return refused("there is no such file; name a plug-in's shared library");
    const fs::path file = Absolute(name);
    const std::string spec = SpecOfFile(file.filename().string());
    if (file.string().find_first_of(":,") != std::string::npos) {
      return refused("a plug-in's path has no colon and no comma; copy it elsewhere");
    }
    if (!IsSpec(spec)) {
      return refused(
          "a plug-in is called by its engine's name, of a-z, 0-9 and _: mine.so, or "
          "levelfield_mine@2.so for its version 2; link it by such a name");
    }
    for (const EnginePlace& place : places_) {
      if (place.path == file || SpecOfFile(place.path.filename().string()) != spec) continue;
      if (!IsFile(place.path)) continue;
      return refused(fmt::format("{} is called {} as well; link one of them as levelfield_{}@2.so",
                                 Printable(place.path.string()), spec, EngineName(spec)));
    }
    places_.insert(places_.begin(), {file});
    name = spec;
    return Status::Ok();
  }

  void Use() const {
    std::string all;
    for (const EnginePlace& place : places_) all += place.path.string() + ":";
    if (all.empty()) return;
    all += Environment(kPlacesVariable);
    if (all.ends_with(':')) all.pop_back();
    setenv(kPlacesVariable, all.c_str(), 1);
  }

 private:
  std::vector<EnginePlace> places_;
};

}  // namespace

std::vector<EnginePlace> EnginePlaces() {
  std::vector<EnginePlace> places;
  for (const std::string& text : Split(Environment(kPlacesVariable), ':')) {
    places.push_back({Absolute(text)});
  }
  std::ranges::copy(BuiltInPlaces(), std::back_inserter(places));
  return places;
}

Status CheckEnginePlaces() {
  for (const EnginePlace& place : EnginePlaces()) {
    if (place.is_built_in || IsDirectory(place.path) || IsFile(place.path)) continue;
    return Status::Usage(fmt::format(
        "{}={}: there is no {}; it names directories and files of plug-ins, separated "
        "by colons, which are added to the built-in engines",
        kPlacesVariable, Printable(Environment(kPlacesVariable)), Printable(place.path.string())));
  }
  return Status::Ok();
}

std::vector<FoundEngine> FindEngineFiles(const std::vector<EnginePlace>& places) {
  std::vector<FoundEngine> all;
  for (const EnginePlace& place : places) {
    for (FoundEngine& one : EnginesOf(place)) {
      const auto first = std::ranges::find(all, one.spec, &FoundEngine::spec);
      if (first == all.end()) {
        all.push_back(std::move(one));
        continue;
      }
      std::error_code error;
      if (!fs::equivalent(first->file, one.file, error)) first->hidden.push_back(one.file);
    }
  }
  std::ranges::sort(all, {}, &FoundEngine::spec);
  return all;
}

std::vector<std::string> FindEngines(const std::vector<EnginePlace>& places) {
  std::vector<std::string> names;
  for (FoundEngine& one : FindEngineFiles(places)) names.push_back(std::move(one.spec));
  return names;
}

Status UseEnginesOf(Settings& settings) {
  FirstPlaces first;
  RETURN_IF_ERROR(first.AddDirectories(settings.engines));
  for (const Flag& flag : Flags()) {
    if (flag.offers.find("<engines>") == std::string_view::npos) continue;
    std::string& text = settings.*std::get<std::string Settings::*>(flag.field);
    std::vector<std::string> names = Parts(text, ',');
    for (std::string& name : names) RETURN_IF_ERROR(first.Take(flag.name, name));
    text = Joined(names, ",");
  }
  first.Use();
  return Status::Ok();
}

Status UseEngines(const std::string& engines, std::vector<std::string>& names) {
  FirstPlaces first;
  RETURN_IF_ERROR(first.AddDirectories(engines));
  for (std::string& name : names) {
    RETURN_IF_ERROR(first.Take("engine", name));
    name = WithLowerNames(name);
  }
  first.Use();
  return Status::Ok();
}

}  // namespace levelfield
