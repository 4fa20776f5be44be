#include "engine/engine_probe.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/bounded_json.h"
#include "base/clock.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "engine/loader.h"
#include "process/process.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Longer than any engine's library takes to load from a cold disk.
constexpr uint64_t kPatienceNs = 30'000'000'000;
constexpr size_t kMaxReplyBytes = size_t{4} << 20;
constexpr size_t kMaxLastWords = size_t{4} << 10;

// One engine's process, and what it has said so far.
struct Question {
  ChildProcess child;
  std::string reply;
  std::string last_words;
  bool has_reply = false;  // All of it: its end was read.
  bool is_silent = false;  // Standard error has ended.
  bool was_killed = false;

  bool IsOver() const { return has_reply || was_killed; }
};

// Reads what is there now; false at the end. Standard error has to be read along: a library that
// says much waits until somebody has.
bool ReadSome(int fd, size_t most, std::string& text) {
  char buffer[16384];
  const ssize_t count = read(fd, buffer, sizeof(buffer));
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  text.append(buffer, std::min(static_cast<size_t>(count), most - std::min(most, text.size())));
  return true;
}

// Follows all of them at once, until each has answered or the deadline has come.
void FollowAll(std::vector<std::optional<Question>>& questions, uint64_t deadline_ns) {
  while (true) {
    std::vector<pollfd> fds;
    std::vector<std::pair<Question*, bool>> whose;  // With whether it is its reply.
    for (std::optional<Question>& question : questions) {
      if (!question || question->IsOver()) continue;
      fds.push_back({question->child.output().get(), POLLIN, 0});
      whose.emplace_back(&*question, true);
      if (question->is_silent) continue;
      fds.push_back({question->child.error().get(), POLLIN, 0});
      whose.emplace_back(&*question, false);
    }
    if (fds.empty()) return;
    const uint64_t now = MonotonicNs();
    if (now < deadline_ns) {
      (void)poll(fds.data(), fds.size(), static_cast<int>((deadline_ns - now) / 1'000'000) + 1);
    }
    for (size_t i = 0; i < fds.size(); ++i) {
      Question& question = *whose[i].first;
      if (now >= deadline_ns || question.reply.size() >= kMaxReplyBytes) {
        question.child.Signal(SIGKILL);
        question.was_killed = true;
      } else if (fds[i].revents != 0 && whose[i].second) {
        question.has_reply = !ReadSome(fds[i].fd, kMaxReplyBytes, question.reply);
      } else if (fds[i].revents != 0) {
        question.is_silent = !ReadSome(fds[i].fd, kMaxLastWords, question.last_words);
      }
    }
  }
}

// What it said last, without waiting for more.
void ReadLastWords(Question& question) {
  pollfd fd{question.child.error().get(), POLLIN, 0};
  while (question.last_words.size() < kMaxLastWords && poll(&fd, 1, 0) > 0) {
    if (!ReadSome(fd.fd, kMaxLastWords, question.last_words)) return;
  }
}

Status Answer(const ProbeRequest& request, Json& reply) {
  const StatusOr<EngineSpec> spec = ParseEngineSpec(request.engine);
  if (!spec.ok()) return spec.status();
  const StatusOr<Engine> engine = LoadEngine(*spec, EngineDirectory());
  if (!engine.ok()) return engine.status();
  const StatusOr<EngineDescription> description = Describe(*engine);
  if (!description.ok()) return description.status();
  reply["description"] = ToJson(*description);
  if (!request.path.empty() && !request.reads_only) {
    const auto recognize = engine->table().recognize;
    reply["recognizes"] = recognize != nullptr && recognize(request.path.c_str()) == LF_OK;
    return Status::Ok();
  }
  const StatusOr<ResolvedOptions> options = ResolveEngineSettings(*description, request.options);
  if (!options.ok()) return options.status();
  SettingList settings = options->settings;
  if (request.integer_keys) {
    if (!engine->Has(LF_INTEGER_KEYS)) {
      return Status::Usage(fmt::format(
          "{}: --key_format=integer: it compares keys as bytes, and has none that are integers",
          request.engine));
    }
    settings.emplace_back("integer_keys", "1");
  }
  if (engine->table().overridden != nullptr && !options->defaults.empty()) {
    settings.emplace_back(kDefaultsHint, options->defaults);
  }
  reply["settings"] = settings;
  reply["notes"] = options->notes;
  if (request.durability.empty()) return Status::Ok();
  const DurabilityDescription* const durability = description->FindDurability(request.durability);
  if (durability == nullptr || durability->level == LF_REFUSED) {
    return Status::Usage(
        fmt::format("{}: durability={}: {}", request.engine, request.durability,
                    durability != nullptr ? durability->settings : "no such class"));
  }
  settings.emplace_back("durability", request.durability);
  if (!request.reads_only) return engine->CheckSettings(settings);
  settings.emplace_back("read_only", "1");
  StatusOr<Store> store = Store::Open(*engine, request.path, settings);
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
    reply.options.settings = json.at("settings");
    reply.options.notes = json.at("notes");
  } catch (const Json::exception& error) {
    reply.status = Status::Failed(fmt::format("{}: its description: {}", engine, error.what()));
  }
  return reply;
}

std::vector<ProbeReply> ProbeEngines(const std::vector<ProbeRequest>& requests) {
  std::vector<std::optional<Question>> questions(requests.size());
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
                          {"durability", requests[i].durability},
                          {"integer_keys", requests[i].integer_keys},
                          {"path", requests[i].path},
                          {"reads_only", requests[i].reads_only}};
    (void)child->Write(JsonText(request) + "\n");  // A child that is gone shows below.
    questions[i].emplace(Question{.child = std::move(*child), .reply = {}, .last_words = {}});
  }
  FollowAll(questions, MonotonicNs() + kPatienceNs);
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!questions[i]) continue;
    Question& question = *questions[i];
    ReadLastWords(question);
    const std::string end = question.child.Wait();
    if (question.was_killed || !end.empty()) {
      replies[i].status = Status::Failed(fmt::format(
          "{}: cannot be loaded: its process {}{}", requests[i].engine,
          question.was_killed ? "did not answer in 30 seconds" : "ended by " + end,
          question.last_words.empty() ? "" : "; it said: " + Quote(question.last_words, 500)));
      continue;
    }
    if (question.reply.empty()) {
      replies[i].status = Status::Failed(fmt::format(
          "{}: cannot be loaded: its process ended without an answer", requests[i].engine));
      continue;
    }
    replies[i] = ReadReply(requests[i].engine, question.reply);
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
    const Json json = ParseJsonText(line);
    request = {.engine = json.at("engine"),
               .options = {.common = json.at("common"),
                           .own = json.at("own"),
                           .defaults = json.at("defaults")},
               .durability = json.at("durability"),
               .integer_keys = json.at("integer_keys"),
               .path = json.at("path"),
               .reads_only = json.at("reads_only")};
  } catch (const Json::exception&) {
    return 2;
  }
  const Status status = Answer(request, reply);
  reply["error"] = status.message();
  reply["usage"] = status.kind() == ErrorKind::kUsage;
  const std::string text = JsonText(reply);
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(kEventFd, text.data() + sent, text.size() - sent);
    if (count <= 0) return 1;
    sent += static_cast<size_t>(count);
  }
  // Not through the libraries' own destructors: they have been loaded for nothing else.
  _exit(0);
}

}  // namespace levelfield
