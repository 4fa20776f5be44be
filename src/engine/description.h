// What an engine says of itself and what its file says of it, as plain data: made in the process
// that has loaded the engine, handed on as JSON, used by everybody else without the engine.
#ifndef LEVELFIELD_ENGINE_DESCRIPTION_H_
#define LEVELFIELD_ENGINE_DESCRIPTION_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

struct OptionDescription {
  std::string name;
  lf_option_kind kind = LF_ABSENT;
  std::string default_value;         // For people; empty where the option is absent.
  std::vector<std::string> choices;  // LF_CHOICE.
  std::string help;                  // LF_ABSENT: the reason.

  bool operator==(const OptionDescription&) const = default;
};

struct DurabilityDescription {
  std::string name;  // "none", "process", "synced".
  lf_level level = LF_REFUSED;
  std::string settings;  // The engine's own; LF_REFUSED: the reason.

  bool operator==(const DurabilityDescription&) const = default;
};

// A way of setting the engine that its maintainers stand for (lf_alternative).
struct AlternativeDescription {
  std::string name;  // "equal": not tried, but given to make engines equal.
  std::string settings = {};
  std::string classes = {};
  std::string because = {};
  std::string link = {};

  // Its settings, taken apart.
  std::vector<std::pair<std::string, std::string>> Options() const;
  bool HoldsFor(std::string_view class_name) const;

  bool operator==(const AlternativeDescription&) const = default;
};

struct EngineDescription {
  std::string name;
  std::string spec;  // As it was asked for: "rocksdb@7.8.3".
  std::string summary;
  std::string license;
  uint32_t capabilities = 0;
  std::vector<OptionDescription> options;
  std::vector<DurabilityDescription> durabilities;
  std::vector<AlternativeDescription> alternatives;
  std::vector<std::string> properties;
  std::vector<std::pair<std::string, std::string>> facts;  // In the order told.
  std::string library_path;  // Of the engine's code: the fact "library", else the plug-in itself.
  uint64_t library_bytes = 0;
  std::string library_sha256;  // Lower-case hexadecimal.
  std::string plugin_path;

  bool Has(uint32_t capability) const { return (capabilities & capability) != 0; }
  // The text of a fact, empty where it was not told.
  std::string_view Fact(std::string_view fact_name) const;
  // "D2: after ...": what the class was seen to keep, where that is less than it claims; else
  // empty.
  std::string_view DeviationOf(std::string_view class_name) const;
  const DurabilityDescription* FindDurability(std::string_view class_name) const;
  const OptionDescription* FindOption(std::string_view option_name) const;

  bool operator==(const EngineDescription&) const = default;
};

// "D0".."D4", or "refused".
std::string_view LevelName(lf_level level);

// Reads the library's file whole, for its hash: about 10 ms for RocksDB's 17 MB.
StatusOr<EngineDescription> Describe(const Engine& engine);

// Every text comes out as UTF-8, so that dumping the JSON cannot fail.
nlohmann::ordered_json ToJson(const EngineDescription& description);
StatusOr<EngineDescription> FromJson(const nlohmann::ordered_json& json);

// Which file exactly: its size and SHA-256, by libnettle (which uses the processor's SHA
// instructions where there are any). Any thread.
struct FileHash {
  uint64_t bytes = 0;
  std::string sha256;  // 64 lower-case hexadecimal digits.
};

StatusOr<FileHash> HashFile(const std::string& path);

// What an open store is really configured as, as its engine tells it (the property `options`).
// The text, with `<store>` for the store's directory, so that one configuration has one text
// wherever its store is; "unknown: <reason>" where the engine does not tell.
std::string ConfigurationOf(Store& store, const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_DESCRIPTION_H_
