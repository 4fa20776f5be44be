#include "durability/survivors.h"

namespace levelfield {
namespace {

constexpr size_t kNowhere = ~size_t{0};

// The states of a key are 0 (before its first write) to n (after the last). State i lasts from
// commit FirstOf(i) up to the commit before FirstOf(i + 1).
uint64_t FirstOf(const KeySurvivor& key, size_t state) {
  return state == 0 ? 0 : key.writes[state - 1].commit;
}
uint64_t EndOf(const KeySurvivor& key, size_t state, uint64_t issued) {
  return state == key.writes.size() ? issued + 1 : key.writes[state].commit;
}
bool Explains(const KeySurvivor& key, size_t state) {
  const bool is_absent = state == 0 || key.writes[state - 1].erase;
  if (key.found.kind == FoundKey::Kind::kAbsent) return is_absent;
  return key.found.kind == FoundKey::Kind::kVersion && !is_absent &&
         key.writes[state - 1].commit == key.found.commit;
}

// The largest k such that every key is as commits 1 to k left it; kNowhere: there is none.
size_t LongestPrefix(std::span<const KeySurvivor> keys, uint64_t issued) {
  std::vector<int64_t> change(issued + 2, 0);
  for (const KeySurvivor& key : keys) {
    for (size_t state = 0; state <= key.writes.size(); ++state) {
      if (!Explains(key, state)) continue;
      ++change[FirstOf(key, state)];
      --change[EndOf(key, state, issued)];
    }
  }
  size_t longest = kNowhere;
  int64_t explained = 0;
  for (size_t k = 0; k <= issued; ++k) {
    explained += change[k];
    if (explained == static_cast<int64_t>(keys.size())) longest = k;
  }
  return longest;
}

// The newest state, at or before `last`, that explains what is found; any if none does.
size_t StateOf(const KeySurvivor& key, uint64_t last) {
  size_t any = kNowhere;
  for (size_t state = key.writes.size() + 1; state-- > 0;) {
    if (!Explains(key, state)) continue;
    if (FirstOf(key, state) <= last) return state;
    any = state;
  }
  return any;
}

// What is known about each commit.
struct Traces {
  std::vector<bool> there;
  std::vector<bool> missing;
};

}  // namespace

ThreadFinding JudgeSurvivors(std::span<const KeySurvivor> keys, uint64_t issued, uint64_t acked) {
  ThreadFinding finding;
  const size_t prefix = LongestPrefix(keys, issued);
  const uint64_t last = prefix == kNowhere ? issued : prefix;
  Traces traces{std::vector<bool>(issued + 1), std::vector<bool>(issued + 1)};
  for (const KeySurvivor& key : keys) {
    const size_t state = StateOf(key, last);
    if (state == kNowhere) {
      ++(key.found.kind == FoundKey::Kind::kWrong ? finding.wrong : finding.never_issued);
      continue;
    }
    // An absent key does not prove an erasure: it may never have reached the disk.
    if (state > 0 && !key.writes[state - 1].erase)
      traces.there[key.writes[state - 1].commit] = true;
    for (size_t i = state; i < key.writes.size(); ++i) traces.missing[key.writes[i].commit] = true;
  }
  if (prefix != kNowhere) {
    finding.kept = prefix;
    finding.lost = acked > prefix ? acked - prefix : 0;
    finding.first_lost = finding.lost == 0 ? 0 : prefix + 1;
    return finding;
  }
  for (uint64_t commit = issued; commit > 0 && finding.kept == 0; --commit) {
    if (traces.there[commit]) finding.kept = commit;
  }
  for (uint64_t commit = 1; commit <= issued; ++commit) {
    if (!traces.missing[commit]) continue;
    if (traces.there[commit]) {
      ++finding.torn;
    } else if (commit < finding.kept) {
      ++finding.out_of_order;
    }
    if (commit > acked) continue;
    ++finding.lost;
    if (finding.first_lost == 0) finding.first_lost = commit;
  }
  return finding;
}

}  // namespace levelfield
