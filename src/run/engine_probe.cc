#include "run/engine_probe.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/clock.h"
#include "base/quote.h"
#include "engine/loader.h"
#include "run/events.h"
#include "run/process.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Longer than any engine's library takes to load from a cold disk.
constexpr uint64_t kPatienceNs = 30'000'000'000;
constexpr size_t kMaxReplyBytes = size_t{4} << 20;

// Everything that comes from a descriptor until its end, or until the deadline or limit.
bool ReadAll(int fd, uint64_t deadline_ns, std::string& text) {
  char buffer[16384];
  while (text.size() < kMaxReplyBytes) {
    const uint64_t now = MonotonicNs();
    if (now >= deadline_ns) return false;
    pollfd poll_fd{fd, POLLIN, 0};
    if (poll(&poll_fd, 1, static_cast<int>((deadline_ns - now) / 1'000'000) + 1) <= 0) continue;
    const ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count == 0) return true;
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
  }
  return false;
}

ProbeReply ReplyFromText(const std::string& engine, const std::string& text) {
  ProbeReply reply;
  reply.engine = engine;
  try {
    const Json json = Json::parse(text);
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
    reply.options.settings = json.at("settings");
    reply.options.notes = json.at("notes");
  } catch (const Json::exception& error) {
    reply.status = Status::Failed(fmt::format("{}: its description: {}", engine, error.what()));
  }
  return reply;
}

Status Answer(const ProbeRequest& request, Json& reply) {
  const StatusOr<EngineSpec> spec = ParseEngineSpec(request.engine);
  if (!spec.ok()) return spec.status();
  const StatusOr<Engine> engine = LoadEngine(*spec, EngineDirectory());
  if (!engine.ok()) return engine.status();
  const StatusOr<EngineDescription> description = Describe(*engine);
  if (!description.ok()) return description.status();
  reply["description"] = ToJson(*description);
  const StatusOr<ResolvedOptions> options = ResolveEngineSettings(*description, request.options);
  if (!options.ok()) return options.status();
  reply["settings"] = options->settings;
  reply["notes"] = options->notes;
  if (request.durability.empty()) return Status::Ok();
  const DurabilityDescription* const durability = description->FindDurability(request.durability);
  if (durability == nullptr || durability->level == LF_REFUSED) {
    return Status::Usage(
        fmt::format("{}: durability={}: {}", request.engine, request.durability,
                    durability != nullptr ? durability->settings : "no such class"));
  }
  SettingList settings = options->settings;
  settings.emplace_back("durability", request.durability);
  return engine->CheckSettings(settings);
}

}  // namespace

std::vector<ProbeReply> ProbeEngines(const std::vector<ProbeRequest>& requests) {
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
                          {"durability", requests[i].durability}};
    (void)child->Write(request.dump() + "\n");  // A child that is gone shows below.
    children[i] = std::move(*child);
  }
  const uint64_t deadline_ns = MonotonicNs() + kPatienceNs;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!children[i]) continue;
    std::string text;
    std::string last_words;
    const bool in_time = ReadAll(children[i]->output().get(), deadline_ns, text);
    if (!in_time) children[i]->Signal(SIGKILL);
    (void)ReadAll(children[i]->error().get(), deadline_ns, last_words);
    const std::string end = children[i]->Wait();
    children[i].reset();
    if (!in_time || !end.empty()) {
      replies[i].status = Status::Failed(
          fmt::format("{}: cannot be loaded: its process {}{}", requests[i].engine,
                      in_time ? "ended by " + end : "did not answer in 30 seconds",
                      last_words.empty() ? "" : "; it said: " + Quote(last_words, 500)));
      continue;
    }
    replies[i] = ReplyFromText(requests[i].engine, text);
  }
  return replies;
}

int AnswerProbe() {
  std::string line;
  std::getline(std::cin, line);
  ProbeRequest request;
  Json reply = {
      {"error", ""}, {"usage", false}, {"settings", Json::array()}, {"notes", Json::array()}};
  try {
    const Json json = Json::parse(line);
    request = {.engine = json.at("engine"),
               .options = {.common = json.at("common"), .own = json.at("own")},
               .durability = json.at("durability")};
  } catch (const Json::exception&) {
    return 2;
  }
  const Status status = Answer(request, reply);
  reply["error"] = status.message();
  reply["usage"] = status.kind() == ErrorKind::kUsage;
  const std::string text = reply.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(kEventFd, text.data() + sent, text.size() - sent);
    if (count <= 0) return 1;
    sent += static_cast<size_t>(count);
  }
  // Not through the libraries' own destructors: they have been loaded for nothing else.
  _exit(0);
}

}  // namespace levelfield
