#include "plan/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "plan/engine_requests.h"

namespace levelfield {
namespace {

template <class Row>
const Row* FindRow(const std::vector<Row>& rows, auto is_it) {
  const auto row = std::ranges::find_if(rows, is_it);
  return row == rows.end() ? nullptr : &*row;
}
template <class Row>
const Row* FindPath(const std::vector<Row>& rows, const std::string& path) {
  return FindRow(rows, [&](const Row& row) { return row.path == path; });
}

std::string WordsOf(MachineCheck check, const std::string& of) {
  switch (check) {
    case MachineCheck::kMemoryLimit:
      return "whether the memory of a process can be limited";
    case MachineCheck::kFileSystem:
      return "whether the file system " + Printable(of) + " can be made";
    case MachineCheck::kNotRedirected:
      return "whether somebody could redirect " + Printable(of);
    case MachineCheck::kNotUsed:
      return "whether another program has " + Printable(of) + " open";
    case MachineCheck::kNewStore:
      return "whether a new store can be made at " + Printable(of);
  }
  return "";
}

std::string WordsOf(const ProbeRequest& request, const SettingList& settings,
                    const std::string& read_only) {
  std::string words = "what " + Printable(request.engine) + " says of";
  for (const auto& [name, value] : settings) words += fmt::format(" {}={}", name, value);
  if (!read_only.empty()) words += " to read " + Printable(read_only);
  return words;
}

}  // namespace

Status Known::CheckAll() const {
  if (open_.empty()) return Status::Ok();
  return Status::Failed("the facts do not say " + open_.front().words);
}

Status Known::Ask(OpenQuestion question) {
  const Status unknown = Status::Failed("the facts do not say " + question.words);
  if (std::ranges::find(open_, question.words, &OpenQuestion::words) == open_.end()) {
    open_.push_back(std::move(question));
  }
  return unknown;
}

StatusOr<MachineFacts> Known::Machine() {
  if (facts_.machine) return *facts_.machine;
  return Ask({.kind = OpenQuestion::Kind::kMachine,
              .words = "how much memory and which processors the machine has"});
}

StatusOr<std::vector<std::string>> Known::PlugIns() {
  if (!facts_.plug_ins) {
    return Ask({.kind = OpenQuestion::Kind::kPlugIns, .words = "which engines are installed"});
  }
  if (!facts_.plug_ins->found.ok()) return facts_.plug_ins->found;
  return facts_.plug_ins->names;
}

StatusOr<ProbeReply> Known::Engine(const ProbeRequest& request) {
  const EngineFacts* const engine =
      FindRow(facts_.engines, [&](const auto& one) { return one.spec == request.engine; });
  if (engine == nullptr) {
    return Ask({.kind = OpenQuestion::Kind::kEngine,
                .words = "what " + Printable(request.engine) + " is",
                .request = request});
  }
  ProbeReply reply;
  reply.engine = request.engine;
  reply.status = engine->found;
  if (!engine->description) return reply;
  reply.description = *engine->description;
  reply.is_loaded = true;
  reply.status = Resolve(reply.description, request, reply.options);
  if (!reply.status.ok() || request.durability.empty()) return reply;
  const SettingList settings = SettingsToCheck(request, reply.options);
  const std::string read_only = request.reads_only ? request.path : "";
  const SettingsFacts* const answer = FindRow(engine->answers, [&](const SettingsFacts& one) {
    return one.settings == settings && one.read_only == read_only;
  });
  if (answer == nullptr) {
    return Ask({.kind = OpenQuestion::Kind::kEngine,
                .words = WordsOf(request, settings, read_only),
                .request = request});
  }
  reply.status = answer->found;
  return reply;
}

StatusOr<std::vector<ProbeReply>> Known::Engines(const std::vector<std::string>& specs,
                                                 const Settings* settings) {
  std::vector<ProbeReply> replies;
  Status unknown = Status::Ok();
  for (const std::string& spec : specs) {
    const StatusOr<ProbeReply> reply =
        Engine(settings != nullptr ? RequestOf(spec, *settings)
                                   : ProbeRequest{.engine = spec, .options = {}, .durability = ""});
    if (reply.ok()) {
      replies.push_back(*reply);
    } else if (unknown.ok()) {
      unknown = reply.status();
    }
  }
  RETURN_IF_ERROR(unknown);
  return replies;
}

StatusOr<std::string> Known::WhyNotReadOnly(ProbeRequest request, const std::string& path) {
  request.path = path;
  request.reads_only = true;
  ASSIGN_OR_RETURN(const ProbeReply reply, Engine(request));
  return reply.status.message();
}

StatusOr<PlaceFacts> Known::Place(const std::string& path) {
  if (const PlaceFacts* const place = FindPath(facts_.places, path)) return *place;
  return Ask({.kind = OpenQuestion::Kind::kPlace,
              .words = "what lies at " + Printable(path),
              .path = path});
}

StatusOr<EnclosingStore> Known::Enclosing(const std::string& path, bool may_be_one) {
  const EnclosingStore* const found = FindRow(
      facts_.enclosing_stores,
      [&](const EnclosingStore& one) { return one.path == path && one.may_be_one == may_be_one; });
  if (found != nullptr) return *found;
  return Ask({.kind = OpenQuestion::Kind::kEnclosingStore,
              .words = fmt::format("which store is around {}{}", Printable(path),
                                   may_be_one ? "" : ", or it is"),
              .path = path,
              .may_be_one = may_be_one});
}

StatusOr<std::vector<std::string>> Known::Recognizing(const std::string& path,
                                                      const std::vector<std::string>& engines) {
  std::vector<std::string> those;
  Status unknown = Status::Ok();
  for (const std::string& engine : engines) {
    const RecognitionFacts* const found = FindRow(
        facts_.recognitions,
        [&](const RecognitionFacts& one) { return one.path == path && one.engine == engine; });
    if (found == nullptr) {
      unknown = Ask(
          {.kind = OpenQuestion::Kind::kRecognition,
           .words = fmt::format("whether {} has a store at {}", Printable(engine), Printable(path)),
           .path = path,
           .engine = engine});
    } else if (found->is_its) {
      those.push_back(engine);
    }
  }
  RETURN_IF_ERROR(unknown);
  return WithoutOtherBuilds(std::move(those));
}

StatusOr<DiskFacts> Known::Disk(const std::string& path) {
  if (const DiskFacts* const disk = FindPath(facts_.disks, path)) {
    if (!disk->found.ok()) return disk->found;
    return *disk;
  }
  return Ask({.kind = OpenQuestion::Kind::kDisk,
              .words = "how much space is free at " + Printable(path),
              .path = path});
}

StatusOr<WorkloadText> Known::WorkloadOf(const std::string& path) {
  if (const WorkloadFacts* const workload = FindPath(facts_.workloads, path)) {
    if (!workload->found.ok()) return workload->found;
    return WorkloadText{.name = workload->name, .text = workload->text};
  }
  return Ask({.kind = OpenQuestion::Kind::kWorkload,
              .words = "the text of the workload " + Printable(path),
              .path = path});
}

Status Known::DescribeTrace(TracePlan& trace) {
  const TraceFacts* const facts = FindRow(facts_.traces, [&](const TraceFacts& one) {
    return one.path == trace.path && one.most_records == trace.most_records &&
           one.is_loaded == trace.is_loaded;
  });
  if (facts == nullptr) {
    return Ask(
        {.kind = OpenQuestion::Kind::kTrace,
         .words = fmt::format("what is in {} of the trace {}{}",
                              trace.most_records == 0
                                  ? "all records"
                                  : fmt::format("the first {} records", trace.most_records),
                              Printable(trace.path), trace.is_loaded ? ", loaded first" : ""),
         .trace = trace});
  }
  RETURN_IF_ERROR(facts->found);
  TakeFacts(*facts, trace);
  return Status::Ok();
}

Status Known::Found(MachineCheck check, const std::string& of) {
  const CheckFacts* const found = FindRow(
      facts_.checks, [&](const CheckFacts& one) { return one.check == check && one.of == of; });
  if (found != nullptr) return found->found;
  return Ask({.kind = OpenQuestion::Kind::kCheck,
              .words = WordsOf(check, of),
              .path = of,
              .check = check});
}

}  // namespace levelfield
