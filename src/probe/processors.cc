#include "probe/processors.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/quote.h"

namespace levelfield {
namespace {

bool ParseNumber(std::string_view text, int& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return !text.empty() && error == std::errc() && rest == end && number >= 0 &&
         number < CPU_SETSIZE;
}

}  // namespace

StatusOr<std::vector<int>> ParseProcessors(std::string_view text) {
  std::vector<int> processors;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const size_t dash = part.find('-');
    int first = 0;
    int last = 0;
    if (!ParseNumber(part.substr(0, dash), first) ||
        !ParseNumber(dash == std::string_view::npos ? part : part.substr(dash + 1), last) ||
        last < first) {
      return Status::Usage(
          fmt::format("numbers of processors are accepted, like 0,2-3, the highest {} at most",
                      CPU_SETSIZE - 1));
    }
    for (int processor = first; processor <= last; ++processor) processors.push_back(processor);
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  std::ranges::sort(processors);
  const auto [end, last] = std::ranges::unique(processors);
  processors.erase(end, last);
  return processors;
}

std::string ProcessorsText(const std::vector<int>& processors) {
  std::string text;
  for (size_t i = 0; i < processors.size();) {
    size_t end = i + 1;
    while (end < processors.size() && processors[end] == processors[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", processors[i]);
    if (end - i > 1) text += fmt::format("-{}", processors[end - 1]);
    i = end;
  }
  return text;
}

std::vector<int> ProcessorsInForce() {
  cpu_set_t set;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

Status RunOnProcessors(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  // The kernel takes away silently what the process may not use.
  if (sched_setaffinity(0, sizeof(set), &set) == 0 && ProcessorsInForce() == processors) {
    return Status::Ok();
  }
  return Status::Failed(fmt::format("cannot run on the processors {} (--cpus); on {} instead: {}",
                                    ProcessorsText(processors), ProcessorsText(ProcessorsInForce()),
                                    std::strerror(errno)));
}

Status CheckProcessors(const std::string& cpus) {
  if (cpus.empty()) return Status::Ok();
  const StatusOr<std::vector<int>> asked = ParseProcessors(cpus);
  if (!asked.ok()) {
    return Status::Usage(fmt::format("--cpus={}: {}", Printable(cpus), asked.status().message()));
  }
  const std::vector<int> usable = ProcessorsInForce();
  if (usable.empty() || std::ranges::includes(usable, *asked)) return Status::Ok();
  return Status::Usage(fmt::format("--cpus={}: this program may run on {} and on no others",
                                   Printable(cpus), ProcessorsText(usable)));
}

}  // namespace levelfield
