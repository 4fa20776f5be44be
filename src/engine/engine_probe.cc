#include "engine/engine_probe.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "engine/loader.h"
#include "process/process.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Longer than any engine's library takes to load from a cold disk.
constexpr double kPatienceSeconds = 30;
constexpr size_t kMostReplyBytes = size_t{4} << 20;

// What only an open store tells.
struct Looked {
  SettingList in_force;
  std::vector<Feature> features;
};

// Into a store of this engine that is made for this alone.
StatusOr<Looked> LookIntoStore(const Engine& engine, const EngineDescription& description) {
  std::string directory =
      (std::filesystem::temp_directory_path() / "levelfield-engine-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) {
    return Status::Failed("cannot make " + directory + ": " + std::strerror(errno));
  }
  Looked looked;
  Status status = Status::Ok();
  {
    const auto row = std::ranges::find_if(
        description.durabilities, [](const auto& one) { return one.level != LF_REFUSED; });
    SettingList settings;
    if (row != description.durabilities.end()) settings.emplace_back("durability", row->name);
    // Where a store has to be opened for them.
    const OptionDescription* const transactions = description.FindOption(kTransactionsOption);
    if (transactions != nullptr && transactions->kind == LF_CHOICE) {
      settings.emplace_back(kTransactionsOption, transactions->choices.back());
    }
    StatusOr<Store> store = Store::Open(engine, directory, settings);
    status = store.status();
    if (store.ok()) {
      looked.in_force = store->InForce();
      StatusOr<std::vector<Feature>> features = FeaturesOf(*store);
      status = features.status();
      if (features.ok()) looked.features = std::move(*features);
      const Status closed = store->Close();
      if (status.ok()) status = closed;
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  RETURN_IF_ERROR(status);
  return looked;
}

// The options that an open store does not tell of.
std::vector<std::string> Untold(const EngineDescription& description, const SettingList& told) {
  std::vector<std::string> untold;
  for (const OptionDescription& option : description.options) {
    const bool is_told =
        std::ranges::find(told, option.name, &SettingList::value_type::first) != told.end();
    if (option.kind != LF_ABSENT && !is_told) untold.push_back(option.name);
  }
  return untold;
}

Status Answer(const ProbeRequest& request, Json& reply) {
  ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(request.engine));
  ASSIGN_OR_RETURN(const Engine engine, LoadEngine(spec, EnginePlaces()));
  const StatusOr<EngineDescription> description = Describe(engine);
  if (!description.ok()) return description.status();
  reply["description"] = ToJson(*description);
  if (request.asks_untold) {
    ASSIGN_OR_RETURN(const Looked looked, LookIntoStore(engine, *description));
    reply["untold"] = Untold(*description, looked.in_force);
    for (const Feature& feature : looked.features) {
      reply["features"].push_back({feature.name, feature.is_there, feature.reason});
    }
    return Status::Ok();
  }
  if (!request.path.empty() && !request.reads_only) {
    const auto recognize = engine.table().recognize;
    reply["recognizes"] = recognize != nullptr && recognize(request.path.c_str()) == LF_OK;
    return Status::Ok();
  }
  ResolvedOptions options;
  const Status resolved = Resolve(*description, request, options);
  reply["settings"] = options.settings;
  reply["not_applied"] = options.not_applied;
  reply["notes"] = options.notes;
  if (!resolved.ok() || request.durability.empty()) return resolved;
  SettingList settings = SettingsToCheck(request, options);
  if (!request.reads_only) return engine.CheckSettings(settings);
  settings.emplace_back("read_only", "1");
  StatusOr<Store> store = Store::Open(engine, request.path, settings);
  return store.ok() ? store->Close() : store.status();
}

}  // namespace

ProbeReply ReadReply(const std::string& engine, const std::string& text) {
  ProbeReply reply;
  reply.engine = engine;
  try {
    const StatusOr<Json> parsed = ParseBoundedJson(text);
    if (!parsed.ok()) {
      reply.status =
          Status::Failed(fmt::format("{}: its description: {}", engine, parsed.status().message()));
      return reply;
    }
    const Json& json = *parsed;
    if (const std::string error = json.at("error"); !error.empty()) {
      reply.status = json.at("usage") ? Status::Usage(error) : Status::Failed(error);
    }
    if (json.contains("description")) {
      StatusOr<EngineDescription> description = FromJson(json["description"]);
      if (!description.ok()) {
        reply.status = description.status();
        return reply;
      }
      reply.description = std::move(*description);
      reply.is_loaded = true;
    }
    reply.recognizes = json.value("recognizes", false);
    reply.untold = json.value("untold", std::vector<std::string>());
    for (const Json& feature : json.value("features", Json::array())) {
      reply.features.push_back({feature.at(0), feature.at(1), feature.at(2)});
    }
    reply.options.settings = json.at("settings");
    reply.options.not_applied = json.at("not_applied");
    reply.options.notes = json.at("notes");
  } catch (const Json::exception& error) {
    reply.status = Status::Failed(fmt::format("{}: its description: {}", engine, error.what()));
  }
  return reply;
}

std::vector<ProbeReply> ProbeEngines(const std::vector<ProbeRequest>& requests) {
  // All load at the same time, and are read one after another.
  std::vector<std::optional<ChildProcess>> children(requests.size());
  std::vector<ProbeReply> replies(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    replies[i].engine = requests[i].engine;
    StatusOr<ChildProcess> child = ChildProcess::Start({"--answer-probe"});
    if (!child.ok()) {
      replies[i].status = child.status();
      continue;
    }
    const Json request = {{"engine", requests[i].engine},
                          {"common", requests[i].options.common},
                          {"own", requests[i].options.own},
                          {"defaults", requests[i].options.defaults},
                          {"alternatives", requests[i].alternatives},
                          {"durability", requests[i].durability},
                          {"integer_keys", requests[i].integer_keys},
                          {"path", requests[i].path},
                          {"reads_only", requests[i].reads_only},
                          {"asks_untold", requests[i].asks_untold}};
    (void)child->Write(JsonText(request) + "\n");  // A child that is gone shows below.
    children[i].emplace(std::move(*child));
  }
  const uint64_t begin_ns = MonotonicNs();
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!children[i]) continue;
    const Heard heard =
        Hear(*children[i], {.seconds = std::max(0.0, kPatienceSeconds - SecondsSince(begin_ns)),
                            .most_bytes = kMostReplyBytes});
    if (heard.cut != Heard::Cut::kNone || !heard.end.empty()) {
      replies[i].status = Status::Failed(fmt::format(
          "{}: cannot be loaded: its process {}{}", requests[i].engine,
          heard.cut != Heard::Cut::kNone ? "did not answer in 30 seconds" : "ended by " + heard.end,
          heard.last_words.empty() ? "" : "; it said: " + Quote(heard.last_words, 500)));
      continue;
    }
    if (heard.output.empty()) {
      replies[i].status = Status::Failed(fmt::format(
          "{}: cannot be loaded: its process ended without an answer", requests[i].engine));
      continue;
    }
    replies[i] = ReadReply(requests[i].engine, heard.output);
  }
  return replies;
}

int AnswerProbe() {
  std::string line;
  std::getline(std::cin, line);
  ProbeRequest request;
  Json reply = {{"error", ""},
                {"usage", false},
                {"settings", Json::array()},
                {"not_applied", Json::array()},
                {"notes", Json::array()}};
  try {
    const Json json = ParseJsonText(line);
    request = {.engine = json.at("engine"),
               .options = {.common = json.at("common"),
                           .own = json.at("own"),
                           .defaults = json.at("defaults")},
               .alternatives = json.at("alternatives"),
               .durability = json.at("durability"),
               .integer_keys = json.at("integer_keys"),
               .path = json.at("path"),
               .reads_only = json.at("reads_only"),
               .asks_untold = json.at("asks_untold")};
  } catch (const Json::exception&) {
    return 2;
  }
  const Status status = Answer(request, reply);
  reply["error"] = status.message();
  reply["usage"] = status.kind() == ErrorKind::kUsage;
  TellParent(JsonText(reply));
  // Skips the libraries' destructors: they were loaded only for this.
  _exit(0);
}

}  // namespace levelfield
