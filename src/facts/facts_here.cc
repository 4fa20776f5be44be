#include "facts/facts_here.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/quote.h"
#include "base/sealed_json.h"
#include "engine/engine_probe.h"
#include "facts/ask_engines.h"
#include "facts/places.h"
#include "file_system/file_system_kind.h"
#include "plan/engine_requests.h"
#include "plan/find_stores.h"
#include "probe/machine.h"
#include "probe/memory_group.h"
#include "store/store_directory.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

// Each engine is asked in a process of its own, so many at once.
constexpr size_t kMostAtOnce = 32;

std::vector<ProbeReply> AskInParts(const std::vector<ProbeRequest>& requests) {
  std::vector<ProbeReply> replies;
  for (size_t i = 0; i < requests.size(); i += kMostAtOnce) {
    const size_t end = std::min(i + kMostAtOnce, requests.size());
    std::ranges::move(ProbeEngines({requests.begin() + static_cast<ptrdiff_t>(i),
                                    requests.begin() + static_cast<ptrdiff_t>(end)}),
                      std::back_inserter(replies));
  }
  return replies;
}

Status Find(MachineCheck check, const std::string& of) {
  switch (check) {
    case MachineCheck::kMemoryLimit:
      return CheckMemoryGroups();
    case MachineCheck::kFileSystem: {
      const std::string why = WhyNoFileSystem(of);
      return why.empty() ? Status::Ok() : Status::Usage(why);
    }
    case MachineCheck::kNotRedirected:
      return CheckNobodyElseCanRedirect(of);
    case MachineCheck::kNotUsed:
      return CheckNobodyUsesStore(of);
    case MachineCheck::kNewStore:
      return StoreDirectory::Check(of);
  }
  return Status::Ok();
}

}  // namespace

StatusOr<FactsHere> FactsHere::FromFile(const std::string& path) {
  FactsHere facts;
  facts.file_ = path;
  const auto mistake = [&](const Status& status) {
    return Status::Usage(fmt::format("--facts={}: {}; `levelfield plan --format=json` writes them",
                                     Printable(path), status.message()));
  };
  const StatusOr<std::string> text = ReadSealedFile(path);
  if (!text.ok()) return mistake(text.status());
  const StatusOr<nlohmann::ordered_json> json = ParseBoundedJson(*text);
  if (!json.ok()) return mistake(json.status());
  if (!json->is_object() || !json->contains("facts")) {
    return mistake(Status::Usage("it has no \"facts\""));
  }
  StatusOr<Facts> read = FactsFromJson((*json)["facts"]);
  if (!read.ok()) return mistake(read.status());
  facts.facts_ = std::move(*read);
  return facts;
}

Status FactsHere::FindOut(const std::vector<OpenQuestion>& open) {
  if (!file_.empty()) {
    return Status::Usage(fmt::format(
        "--facts={}: the facts do not say {}; write them where that is known, with `levelfield "
        "plan --format=json` and the same flags",
        Printable(file_), open.front().words));
  }
  std::vector<OpenQuestion> of_engines;
  std::vector<OpenQuestion> of_stores;
  for (const OpenQuestion& question : open) {
    if (!asked_.insert(question.words).second) {
      return Status::Failed("cannot find out " + question.words);
    }
    if (question.kind == OpenQuestion::Kind::kEngine) {
      of_engines.push_back(question);
    } else if (question.kind == OpenQuestion::Kind::kRecognition) {
      of_stores.push_back(question);
    } else {
      FindOutOne(question);
    }
  }
  AskEngines(of_engines);
  AskForStores(of_stores);
  return Status::Ok();
}

void FactsHere::FindOutOne(const OpenQuestion& question) {
  const std::string& path = question.path;
  switch (question.kind) {
    case OpenQuestion::Kind::kMachine:
      facts_.machine = {.memory_available_bytes = AvailableMemoryBytes(),
                        .descriptor_limit = DescriptorLimit(),
                        .processors = ProcessorsText(ProcessorsInForce())};
      return;
    case OpenQuestion::Kind::kPlugIns: {
      StatusOr<std::vector<std::string>> found = FindPlugins();
      facts_.plug_ins = {.found = found.status()};
      if (found.ok()) facts_.plug_ins->names = std::move(*found);
      return;
    }
    case OpenQuestion::Kind::kPlace:
      facts_.places.push_back(LookAt(path));
      return;
    case OpenQuestion::Kind::kEnclosingStore: {
      const StatusOr<std::vector<std::string>> plugins = FindPlugins();
      facts_.enclosing_stores.push_back(FindStoreAround(
          path, question.may_be_one, plugins.ok() ? *plugins : std::vector<std::string>()));
      return;
    }
    case OpenQuestion::Kind::kDisk: {
      const StatusOr<FreeSpace> space = FreeSpaceAt(path);
      DiskFacts& disk = facts_.disks.emplace_back(DiskFacts{.path = path, .found = space.status()});
      if (!space.ok()) return;
      disk.free_bytes = space->free_bytes;
      disk.total_bytes = space->total_bytes;
      disk.free_files = space->free_files;
      return;
    }
    case OpenQuestion::Kind::kWorkload: {
      StatusOr<WorkloadText> read = ReadWorkloadFile(path);
      WorkloadFacts& workload =
          facts_.workloads.emplace_back(WorkloadFacts{.path = path, .found = read.status()});
      if (!read.ok()) return;
      workload.name = std::move(read->name);
      workload.text = std::move(read->text);
      return;
    }
    case OpenQuestion::Kind::kTrace: {
      TracePlan trace = question.trace;
      const Status status = DescribeTrace(trace);
      facts_.traces.push_back(FactsOf(trace, status));
      return;
    }
    case OpenQuestion::Kind::kCheck:
      facts_.checks.push_back(
          {.check = question.check, .of = path, .found = Find(question.check, path)});
      return;
    case OpenQuestion::Kind::kEngine:
    case OpenQuestion::Kind::kRecognition:
      return;  // Many are asked at once.
  }
}

void FactsHere::AskEngines(const std::vector<OpenQuestion>& questions) {
  std::vector<ProbeRequest> requests;
  for (const OpenQuestion& question : questions) requests.push_back(question.request);
  const std::vector<ProbeReply> replies = AskInParts(requests);
  for (size_t i = 0; i < replies.size(); ++i) Take(requests[i], replies[i]);
}

void FactsHere::Take(const ProbeRequest& request, const ProbeReply& reply) {
  auto engine = std::ranges::find(facts_.engines, request.engine, &EngineFacts::spec);
  if (engine == facts_.engines.end()) {
    facts_.engines.push_back({.spec = request.engine});
    engine = facts_.engines.end() - 1;
    if (reply.is_loaded) {
      engine->description = reply.description;
    } else {
      // It may have died of the settings.
      const ProbeReply alone =
          ProbeEngines({{.engine = request.engine, .options = {}, .durability = ""}}).front();
      if (alone.is_loaded) engine->description = alone.description;
    }
  }
  if (!engine->description) {
    engine->found = reply.status;
    return;
  }
  ResolvedOptions options;
  const Status resolved = Resolve(*engine->description, request, options);
  if (!resolved.ok() || request.durability.empty()) return;
  engine->answers.push_back({.settings = SettingsToCheck(request, options),
                             .read_only = request.reads_only ? request.path : "",
                             .found = reply.status});
}

void FactsHere::AskForStores(const std::vector<OpenQuestion>& questions) {
  std::vector<ProbeRequest> requests;
  for (const OpenQuestion& question : questions) {
    requests.push_back(RecognitionOf(question.path, question.engine));
  }
  const std::vector<ProbeReply> replies = AskInParts(requests);
  for (size_t i = 0; i < replies.size(); ++i) {
    facts_.recognitions.push_back({.path = questions[i].path,
                                   .engine = questions[i].engine,
                                   .is_its = replies[i].status.ok() && replies[i].recognizes});
  }
}

StatusOr<Plan> MakePlan(const Settings& settings, std::string command, FactsHere& facts) {
  StatusOr<Plan> plan = facts.For([&](Known& known) { return MakePlan(settings, known); });
  if (plan.ok()) plan->command = std::move(command);
  return plan;
}

Status AddOverheads(Plan& plan, FactsHere& facts) {
  ASSIGN_OR_RETURN(plan.overhead,
                   facts.For([&](Known& known) { return PlanOverheads(plan, known); }));
  return Status::Ok();
}

Status CheckOutsideStores(std::string_view what, const std::string& path) {
  FactsHere facts;
  return facts.For(
      [&](Known& known) { return CheckOutsideStores(what, path, /*may_be_one=*/false, known); });
}

}  // namespace levelfield
