#include "workload/acts.h"

#include <fmt/format.h>

#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "workload/file/numbers.h"

namespace levelfield {
namespace {

constexpr std::string_view kAct = "act";
constexpr double kLeastSeconds = 0.1;

// What stands behind `act =` on a line; nothing if it is another line.
std::optional<std::string_view> ActLine(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with(kAct)) return std::nullopt;
  line = Trim(line.substr(kAct.size()));
  if (!line.starts_with('=')) return std::nullopt;
  return Trim(line.substr(1));
}

}  // namespace

std::vector<WorkloadText> ActsIn(const WorkloadText& file) {
  const std::vector<std::string> lines = Parts(file.text, '\n');
  std::vector<std::string> acts;
  for (const std::string& line : lines) {
    if (const auto act = ActLine(line)) acts.emplace_back(*act);
  }
  if (acts.empty()) return {file};
  std::vector<WorkloadText> texts;
  for (size_t a = 0; a < acts.size(); ++a) {
    WorkloadText& of = texts.emplace_back();
    of.name = file.name + ":" + acts[a].substr(0, acts[a].find(' '));
    size_t begun = 0;  // Acts.
    for (const std::string& line : lines) {
      const bool begins = ActLine(line).has_value();
      begun += begins ? 1 : 0;
      if (begins && begun == a + 1) {
        of.text += fmt::format("act = {} ({} of {})", acts[a], a + 1, acts.size());
      } else if (begun == 0 || (begun == a + 1 && !begins)) {
        of.text += line;
      }
      of.text += '\n';
    }
  }
  return texts;
}

std::string ReadAct(std::string_view text, Act& act) {
  const std::string accepted = "`NAME for TIME`, the time 0.1 s or more, like `night for 30 s`";
  constexpr std::string_view kFor = " for ";
  act = {.number = 1, .of = 1};
  if (const size_t place = text.find(" ("); place != text.npos && text.ends_with(')')) {
    const std::string_view numbers = text.substr(place + 2, text.size() - place - 3);
    const size_t of = numbers.find(" of ");
    const std::optional<uint64_t> first = Digits(numbers.substr(0, of));
    const std::optional<uint64_t> last =
        of == numbers.npos ? std::nullopt : Digits(numbers.substr(of + 4));
    if (!first || !last || *first == 0 || *first > *last) return accepted;
    act.number = *first;
    act.of = *last;
    text = text.substr(0, place);
  }
  const size_t at = text.find(kFor);
  if (at == text.npos || !IsName(text.substr(0, at))) return accepted;
  std::string time(Trim(text.substr(at + kFor.size())));
  std::erase(time, ' ');
  const StatusOr<double> seconds = ParseSeconds(time);
  if (!seconds.ok() || *seconds < kLeastSeconds) return accepted;
  act.seconds = *seconds;
  return "";
}

Act ActOf(std::string_view text) {
  Act act;
  for (const std::string& line : Parts(text, '\n')) {
    if (const auto words = ActLine(line); words && ReadAct(*words, act).empty()) return act;
  }
  return {};
}

}  // namespace levelfield
