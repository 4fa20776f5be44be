#include "base/process_tree.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "base/text.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

struct ProcessRow {
  ProcessId id;
  pid_t parent = -1;
};

// proc(5): behind the name, which may hold anything, stand the state, the parent, and in the 22nd
// field the start.
std::optional<ProcessRow> Look(pid_t pid) {
  constexpr int kStart = 22;
  const std::string stat = ReadAll(fmt::format("/proc/{}/stat", pid));
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  char state = 0;
  ProcessRow listed{.id = {.pid = pid}};
  fields >> state >> listed.parent;
  std::string skipped;
  for (int field = 5; field < kStart; ++field) fields >> skipped;
  if (!(fields >> listed.id.start_ticks) || state == 'Z' || state == 'X') return std::nullopt;
  return listed;
}

std::vector<ProcessRow> AllProcesses() {
  std::vector<ProcessRow> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
  if (directory == nullptr) return all;
  while (const dirent* const entry = readdir(directory.get())) {
    const std::optional<uint64_t> pid = Digits(entry->d_name);
    if (!pid) continue;
    if (const std::optional<ProcessRow> one = Look(static_cast<pid_t>(*pid))) all.push_back(*one);
  }
  return all;
}

bool IsAlive(const ProcessId& id) { return FindProcess(id.pid) == id; }

}  // namespace

std::optional<ProcessId> FindProcess(pid_t pid) {
  const std::optional<ProcessRow> listed = pid > 0 ? Look(pid) : std::nullopt;
  return listed ? std::optional(listed->id) : std::nullopt;
}

std::vector<ProcessId> TreesOf(std::span<const ProcessId> roots) {
  std::vector<ProcessId> trees;
  if (roots.empty()) return trees;
  const std::vector<ProcessRow> all = AllProcesses();
  for (const ProcessRow& one : all) {
    if (std::ranges::find(roots, one.id) != roots.end()) trees.push_back(one.id);
  }
  for (size_t i = 0; i < trees.size(); ++i) {
    for (const ProcessRow& one : all) {
      const bool is_new = std::ranges::find(trees, one.id) == trees.end();
      if (one.parent == trees[i].pid && is_new) trees.push_back(one.id);
    }
  }
  return trees;
}

void EndTrees(std::span<const ProcessId> roots) {
  constexpr auto kPatience = std::chrono::seconds(5);
  std::vector<ProcessId> stopped;
  // What is stopped starts nothing.
  for (bool found_more = true; found_more;) {
    found_more = false;
    std::vector<ProcessId> from(roots.begin(), roots.end());
    from.insert(from.end(), stopped.begin(), stopped.end());
    for (const ProcessId& one : TreesOf(from)) {
      if (std::ranges::find(stopped, one) != stopped.end()) continue;
      kill(one.pid, SIGSTOP);
      stopped.push_back(one);
      found_more = true;
    }
  }
  for (const ProcessId& one : stopped) kill(one.pid, SIGKILL);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::ranges::any_of(stopped, IsAlive) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void SignalTrees(std::span<const ProcessId> roots, int signal) {
  for (const ProcessId& one : TreesOf(roots)) kill(one.pid, signal);
}

}  // namespace levelfield
