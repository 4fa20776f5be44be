#include "engine/description.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/json_text.h"
#include "base/quote.h"
#include "base/status.h"
#include "base/text.h"
#include "engine/table_check.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<EnumName<lf_option_kind>, 6> kKinds{{{LF_BYTES, "bytes"},
                                                          {LF_COUNT, "count"},
                                                          {LF_FLAG, "flag"},
                                                          {LF_CHOICE, "choice"},
                                                          {LF_TEXT, "text"},
                                                          {LF_ABSENT, "absent"}}};
constexpr std::array<EnumName<lf_level>, 6> kLevels{{{LF_D0_NONE, "D0"},
                                                     {LF_D1_PROCESS, "D1"},
                                                     {LF_D2_FLUSHED, "D2"},
                                                     {LF_D3_BOUNDED, "D3"},
                                                     {LF_D4_SYNCED, "D4"},
                                                     {LF_REFUSED, "refused"}}};
constexpr std::array<EnumName<uint32_t>, 9> kCapabilities{{{LF_FLOOR, "floor"},
                                                           {LF_VOLATILE, "volatile"},
                                                           {LF_NO_ANSWERS, "no_answers"},
                                                           {LF_ONE_WRITER, "one_writer"},
                                                           {LF_BATCH_ATOMIC, "batch_atomic"},
                                                           {LF_INTEGER_KEYS, "integer_keys"},
                                                           {LF_MORE_OPTIONS, "more_options"},
                                                           {LF_BY_NAME, "by_name"},
                                                           {LF_SERVER, "server"}}};

// Throws the same type as nlohmann for malformed JSON, so that FromJson catches in one place.
template <class Value, size_t n>
Value ValueOf(const Json& json, const std::array<EnumName<Value>, n>& names) {
  const auto& text = json.get_ref<const std::string&>();
  if (const std::optional<Value> value = ValueIn<Value>(names, text)) return *value;
  throw Json::other_error::create(500, Quote(text) + " is not known here", &json);
}

std::string OrEmpty(const char* text) { return text != nullptr ? text : ""; }

// Facts come from the plug-in, so both their number and their length are bounded.
struct FactSink {
  static constexpr size_t kMost = 256;
  static constexpr size_t kLongestName = 64;
  static constexpr size_t kLongestValue = 16384;

  static void Take(void* context, const char* name, const char* value) noexcept {
    auto& facts = static_cast<FactSink*>(context)->facts;
    if (name == nullptr || facts.size() >= kMost) return;
    facts.emplace_back(
        Printable({name, strnlen(name, kLongestName)}),
        value != nullptr ? Printable({value, strnlen(value, kLongestValue)}) : std::string());
  }

  std::vector<std::pair<std::string, std::string>> facts;
};

Status Fail(const std::string& path, const char* what) {
  return Status::Failed("cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

std::string ToHex(const std::array<uint8_t, SHA256_DIGEST_SIZE>& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> AlternativeDescription::Options() const {
  std::vector<std::pair<std::string, std::string>> options;
  for (const std::string& word : Split(settings, ' ')) {
    const size_t equals = std::min(word.find('='), word.size());
    options.emplace_back(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  return options;
}

bool AlternativeDescription::HoldsFor(std::string_view class_name) const {
  const std::vector<std::string> names = Split(classes, ',');
  return std::ranges::find(names, class_name) != names.end();
}

bool AlternativeDescription::IsToTry() const {
  return name != kEqual && name != kChecked && name != "unchecked" && name != "own";
}

std::string_view EngineDescription::DeviationOf(std::string_view class_name) const {
  return Fact("deviation_" + std::string(class_name));
}

std::string_view EngineDescription::Fact(std::string_view fact_name) const {
  for (const auto& [name_told, value] : facts) {
    if (name_told == fact_name) return value;
  }
  return {};
}

const DurabilityDescription* EngineDescription::FindDurability(std::string_view class_name) const {
  const auto it = std::ranges::find(durabilities, class_name, &DurabilityDescription::name);
  return it != durabilities.end() ? &*it : nullptr;
}

const OptionDescription* EngineDescription::FindOption(std::string_view option_name) const {
  const auto it = std::ranges::find(options, option_name, &OptionDescription::name);
  return it != options.end() ? &*it : nullptr;
}

std::string_view LevelName(lf_level level) { return NameIn<lf_level>(kLevels, level); }

DurabilityLevel LevelOf(lf_level level) {
  return FromName<DurabilityLevel>(LevelName(level)).value_or(DurabilityLevel::kNone);
}

StatusOr<EngineDescription> Describe(const Engine& engine) {
  const lf_engine& table = engine.table();
  EngineDescription description;
  description.name = table.name;
  description.spec = engine.spec().text;
  description.summary = table.summary;
  description.license = table.license;
  description.capabilities = table.capabilities;
  for (const lf_option* option = table.options; option->name != nullptr; ++option) {
    OptionDescription& row = description.options.emplace_back();
    row.name = option->name;
    row.kind = option->kind;
    row.default_value = OrEmpty(option->default_value);
    row.help = option->help;
    if (option->kind != LF_CHOICE) continue;
    ForEachChoice(option->choices,
                  [&](std::string_view choice) { row.choices.emplace_back(choice); });
  }
  for (const lf_durability* row = table.durabilities; row->name != nullptr; ++row) {
    description.durabilities.push_back({row->name, row->level, row->settings});
  }
  for (const lf_alternative* row = table.alternatives; row != nullptr && row->name != nullptr;
       ++row) {
    description.alternatives.push_back(
        {row->name, row->settings, row->classes, row->because, row->link});
  }
  if (table.properties != nullptr) {
    for (const char* const* name = table.properties; *name != nullptr; ++name) {
      description.properties.emplace_back(*name);
    }
  }
  FactSink sink;
  table.describe(&sink, FactSink::Take);
  description.facts = std::move(sink.facts);

  description.plugin_path = engine.plugin_path().string();
  description.library_path = description.Fact("library");
  if (description.library_path.empty()) description.library_path = description.plugin_path;
  const StatusOr<FileHash> hash = HashFile(description.library_path);
  if (!hash.ok()) {
    return Status::Failed(engine.spec().text +
                          ": describe: the engine's library: " + hash.status().message());
  }
  description.library_bytes = hash->bytes;
  description.library_sha256 = hash->sha256;
  return description;
}

Json ToJson(const EngineDescription& description) {
  Json json;
  json["name"] = Printable(description.name);
  json["spec"] = description.spec;
  json["summary"] = Printable(description.summary);
  json["license"] = Printable(description.license);
  json["capabilities"] = Json::array();
  for (const auto& [bit, name] : kCapabilities) {
    if (description.Has(bit)) json["capabilities"].push_back(name);
  }
  json["library"] = {{"path", description.library_path},
                     {"bytes", description.library_bytes},
                     {"sha256", Printable(description.library_sha256)}};
  json["plugin"] = description.plugin_path;
  json["facts"] = Json::array();
  for (const auto& [name, value] : description.facts) {
    json["facts"].push_back({{"name", Printable(name)}, {"value", Printable(value)}});
  }
  json["durabilities"] = Json::array();
  for (const DurabilityDescription& row : description.durabilities) {
    json["durabilities"].push_back({{"name", Printable(row.name)},
                                    {"level", LevelName(row.level)},
                                    {"settings", Printable(row.settings)}});
  }
  json["options"] = Json::array();
  for (const OptionDescription& row : description.options) {
    Json option = {{"name", Printable(row.name)},
                   {"kind", NameIn<lf_option_kind>(kKinds, row.kind)},
                   {"default", Printable(row.default_value)},
                   {"help", Printable(row.help)}};
    if (row.kind == LF_CHOICE) {
      option["choices"] = Json::array();
      for (const std::string& choice : row.choices) option["choices"].push_back(Printable(choice));
    }
    json["options"].push_back(std::move(option));
  }
  json["alternatives"] = Json::array();
  for (const AlternativeDescription& row : description.alternatives) {
    json["alternatives"].push_back({{"name", Printable(row.name)},
                                    {"settings", Printable(row.settings)},
                                    {"classes", Printable(row.classes)},
                                    {"because", Printable(row.because)},
                                    {"link", Printable(row.link)}});
  }
  json["properties"] = Json::array();
  for (const std::string& name : description.properties) {
    json["properties"].push_back(Printable(name));
  }
  return json;
}

StatusOr<EngineDescription> FromJson(const Json& json) try {
  EngineDescription description;
  json.at("name").get_to(description.name);
  json.at("spec").get_to(description.spec);
  json.at("summary").get_to(description.summary);
  json.at("license").get_to(description.license);
  for (const Json& name : json.at("capabilities")) {
    description.capabilities |= ValueOf(name, kCapabilities);
  }
  const Json& library = json.at("library");
  library.at("path").get_to(description.library_path);
  description.library_bytes = CountOf(library.at("bytes"));
  library.at("sha256").get_to(description.library_sha256);
  json.at("plugin").get_to(description.plugin_path);
  for (const Json& fact : json.at("facts")) {
    description.facts.emplace_back(fact.at("name").get<std::string>(),
                                   fact.at("value").get<std::string>());
  }
  for (const Json& row : json.at("durabilities")) {
    description.durabilities.push_back({row.at("name").get<std::string>(),
                                        ValueOf(row.at("level"), kLevels),
                                        row.at("settings").get<std::string>()});
  }
  for (const Json& row : json.at("options")) {
    OptionDescription& option = description.options.emplace_back();
    row.at("name").get_to(option.name);
    option.kind = ValueOf(row.at("kind"), kKinds);
    row.at("default").get_to(option.default_value);
    row.at("help").get_to(option.help);
    if (option.kind == LF_CHOICE) row.at("choices").get_to(option.choices);
  }
  for (const Json& row : json.at("alternatives")) {
    description.alternatives.push_back(
        {row.at("name").get<std::string>(), row.at("settings").get<std::string>(),
         row.at("classes").get<std::string>(), row.at("because").get<std::string>(),
         row.at("link").get<std::string>()});
  }
  json.at("properties").get_to(description.properties);
  return description;
} catch (const nlohmann::json::exception& error) {
  return Status::Failed(std::string("the description of an engine does not read: ") +
                        Printable(error.what()));
}

StatusOr<FileHash> HashFile(const std::string& path) {
  // Non-blocking, so that opening a pipe of that name does not wait before fstat is called.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Fail(path, "open");
  struct stat file {};
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
    close(fd);
    return Status::Failed("cannot hash " + path + ": it is not a regular file");
  }
  const auto bytes = static_cast<size_t>(file.st_size);
  void* data = nullptr;
  if (bytes > 0) {
    // Populated at once: one fault a page would cost more than the hash.
    data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  }
  close(fd);
  if (data == MAP_FAILED) return Fail(path, "map");

  sha256_ctx context;
  sha256_init(&context);
  if (bytes > 0) sha256_update(&context, bytes, static_cast<const uint8_t*>(data));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  if (bytes > 0) munmap(data, bytes);
  return FileHash{bytes, ToHex(digest)};
}

std::string ConfigurationOf(Store& store, const std::string& directory) {
  constexpr size_t kMostBytes = 256 << 10;  // RocksDB's is 10 KiB.
  StatusOr<std::string> text = store.Property("options");
  if (!text.ok()) return Unknown(text.status().message());
  if (text->empty()) return Unknown("the engine's text is empty");
  if (!directory.empty()) {
    for (size_t at = 0; (at = text->find(directory, at)) != std::string::npos;) {
      text->replace(at, directory.size(), "<store>");
    }
  }
  if (text->size() > kMostBytes) text->resize(kMostBytes);
  return std::move(*text);
}

}  // namespace levelfield
