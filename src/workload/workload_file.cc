#include "workload/workload_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "workload/acts.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// A line `key = value` and its place, for messages.
struct Assignment {
  size_t line = 0;
  std::string_view key;
  std::string_view value;
};

class Parser {
 public:
  Parser(const std::string& name, const Settings& settings) : numbers_(settings) {
    parsed_.workload.name = name;
  }

  Status Parse(std::string_view text) {
    if (text.size() > kMostWorkloadBytes) {
      return Status::Usage(
          fmt::format("workload {}: is larger than 64 KiB, the most that a workload file may be",
                      Printable(parsed_.workload.name)));
    }
    for (size_t line = 1; !text.empty(); ++line) {
      const size_t end = std::min(text.find('\n'), text.size());
      RETURN_IF_ERROR(ParseLine(line, Trim(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return FinishWorkload(parsed_, numbers_);
  }

  Workload Take() { return std::move(parsed_.workload); }

 private:
  Status Error(size_t line, const std::string& message) const {
    return LineError(parsed_.workload, line, message);
  }

  Status ParseLine(size_t line, std::string_view text) {
    if (text.empty() || text.front() == '#') return Status::Ok();
    if (text.front() == '[') {
      if (text.back() != ']' || text.size() < 3 || !IsName(text.substr(1, text.size() - 2))) {
        return Error(line, fmt::format("{}: a role is written [name], of letters, digits, _ and -",
                                       Quote(text)));
      }
      parsed_.sections.push_back({.line = line});
      parsed_.workload.roles.emplace_back();
      Role& role = parsed_.workload.roles.back();
      role.name = text.substr(1, text.size() - 2);
      const Settings& settings = numbers_.settings();
      role.value_size = ValueSizesOf(settings).WithSeed(ValueSizeSeed(settings));
      role.range = std::max<uint64_t>(settings.num, 1);
      role.distribution = DistributionOf(settings);
      role.distribution.kind = KeyDistributionPlan::Kind::kUniform;
      return Status::Ok();
    }
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      return Error(
          line, fmt::format("{}: a line is `key = value`, a [role], or a # comment", Quote(text)));
    }
    return Assign({line, Trim(text.substr(0, equals)), Trim(text.substr(equals + 1))});
  }

  Status Assign(const Assignment& assignment) {
    const auto& keys = parsed_.workload.roles.empty() ? HeadKeys() : RoleKeys();
    const auto it = keys.find(assignment.key);
    if (it == keys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, setter] : keys) names.emplace_back(name);
      return Error(
          assignment.line,
          fmt::format("unknown key {} {}{}", Quote(assignment.key),
                      parsed_.workload.roles.empty() ? "before the first role" : "in a role",
                      DidYouMeanAWord(assignment.key, names)));
    }
    const auto [earlier, is_first] = parsed_.section().lines.emplace(it->first, assignment.line);
    if (!is_first) {
      return Error(assignment.line, fmt::format("`{} =` a second time, after line {}",
                                                assignment.key, earlier->second));
    }
    const std::string accepted = it->second(parsed_, numbers_, assignment.value);
    if (!accepted.empty()) {
      return Error(assignment.line,
                   fmt::format("{} = {} is not {}{}", assignment.key, Quote(assignment.value),
                               accepted, DidYouMeanAWord(assignment.value, WordsIn(accepted))));
    }
    return Status::Ok();
  }

  FileNumbers numbers_;
  ParsedWorkload parsed_;
};

}  // namespace

StatusOr<Workload> ParseWorkload(const std::string& name, std::string_view text,
                                 const Settings& settings) {
  // The checks of an act are those of a workload that --duration ends.
  const Act act = ActOf(text);
  Settings of_act;
  if (act.of != 0) {
    of_act = settings;
    of_act.duration = act.seconds;
  }
  Parser parser(name, act.of != 0 ? of_act : settings);
  RETURN_IF_ERROR(parser.Parse(text));
  return parser.Take();
}

}  // namespace levelfield
