// What an engine and its file say about it, as plain data. The process that has loaded the engine
// makes it and passes it on as JSON. Everybody else uses it without the engine.
#ifndef LEVELFIELD_ENGINE_DESCRIPTION_H_
#define LEVELFIELD_ENGINE_DESCRIPTION_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/durability_level.h"
#include "base/status.h"
#include "engine/engine.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

struct OptionDescription {
  std::string name;
  lf_option_kind kind = LF_ABSENT;
  std::string default_value;         // For people. Empty if the option is absent.
  std::vector<std::string> choices;  // LF_CHOICE.
  std::string help;                  // LF_ABSENT: the reason.

  bool operator==(const OptionDescription&) const = default;
};

struct DurabilityDescription {
  std::string name;  // "none", "process", "synced".
  lf_level level = LF_REFUSED;
  std::string settings;  // The engine's own settings for the class. LF_REFUSED: the reason.

  bool operator==(const DurabilityDescription&) const = default;
};

// Settings that the engine's maintainers recommend (lf_alternative).
struct AlternativeDescription {
  std::string name;  // Where it says what it is for, it is none of those to try.
  std::string settings = {};
  std::string classes = {};
  std::string because = {};
  std::string link = {};

  // Its settings as pairs of name and value.
  std::vector<std::pair<std::string, std::string>> Options() const;
  bool HoldsFor(std::string_view class_name) const;
  // --settings=best tries it.
  bool IsToTry() const;

  bool operator==(const AlternativeDescription&) const = default;
};

struct EngineDescription {
  std::string name;
  std::string spec;  // As requested: "rocksdb@7.8.3".
  std::string summary;
  std::string license;
  uint32_t capabilities = 0;
  std::vector<OptionDescription> options;
  std::vector<DurabilityDescription> durabilities;
  std::vector<AlternativeDescription> alternatives;
  std::vector<std::string> properties;
  std::vector<std::pair<std::string, std::string>> facts;  // In the order told.
  // The file with the engine's code: the fact "library", otherwise the plug-in itself.
  std::string library_path;
  uint64_t library_bytes = 0;
  std::string library_sha256;  // Lower-case hexadecimal.
  std::string plugin_path;

  bool Has(uint32_t capability) const { return (capabilities & capability) != 0; }
  // The text of a fact. Empty if the engine does not have it.
  std::string_view Fact(std::string_view fact_name) const;
  // "D2: after ...": the level that the class was seen to keep, if that is less than it claims.
  // Otherwise empty.
  std::string_view DeviationOf(std::string_view class_name) const;
  const DurabilityDescription* FindDurability(std::string_view class_name) const;
  const OptionDescription* FindOption(std::string_view option_name) const;

  bool operator==(const EngineDescription&) const = default;
};

// "D0".."D4", or "refused".
std::string_view LevelName(lf_level level);
// kNone for a class that the engine refuses.
DurabilityLevel LevelOf(lf_level level);

// Reads the whole file of the library for its hash: about 10 ms for RocksDB's 17 MB.
StatusOr<EngineDescription> Describe(const Engine& engine);

// All texts are UTF-8, so that dumping the JSON cannot fail.
nlohmann::ordered_json ToJson(const EngineDescription& description);
StatusOr<EngineDescription> FromJson(const nlohmann::ordered_json& json);

// Identifies a file by its size and SHA-256, from libnettle (which uses the processor's SHA
// instructions if it has them). Any thread.
struct FileHash {
  uint64_t bytes = 0;
  std::string sha256;  // 64 lower-case hexadecimal digits.
};

StatusOr<FileHash> HashFile(const std::string& path);

// The configuration of an open store in its engine's words (the property `options`). `<store>`
// stands for the store's directory, so that equal configurations have equal texts. "unknown:
// <reason>" if the engine does not tell.
std::string ConfigurationOf(Store& store, const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_DESCRIPTION_H_
