#include "fleet/gate_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace levelfield {

void GateKeeper::Come(size_t rank, GateQuestion question, uint64_t now_ns) {
  ranks_[rank].waits = std::move(question);
  ranks_[rank].since_ns = now_ns;
}

void GateKeeper::Leave(size_t rank) { ranks_[rank].has_left = true; }

void GateKeeper::Lose(size_t rank, std::string why) {
  ranks_[rank].is_lost = true;
  ranks_[rank].why = std::move(why);
}

std::string GateKeeper::NameOf(size_t rank) const {
  const std::string& host = ranks_[rank].host;
  return fmt::format("rank {} of {}{}", rank, ranks_.size(), host.empty() ? "" : " (" + host + ")");
}

namespace {

bool IsSameGate(const GateQuestion& a, const GateQuestion& b) {
  return a.run == b.run && a.gate == b.gate;
}

}  // namespace

size_t GateKeeper::TakingPart(const GateQuestion& question) const {
  return question.ranks == 0 ? ranks_.size() : std::min<size_t>(question.ranks, ranks_.size());
}

// Rank 0 takes part in everything.
bool GateKeeper::IsComplete() const {
  const std::optional<GateQuestion>& first = ranks_.front().waits;
  return first &&
         std::ranges::all_of(std::span(ranks_).first(TakingPart(*first)), [&](const Rank& rank) {
           return rank.waits && IsSameGate(*rank.waits, *first) && rank.waits->failure.empty() &&
                  !rank.is_lost && !rank.has_left;
         });
}

std::string GateKeeper::WhoIsMissing(const GateQuestion& question) const {
  for (size_t i = 0; i < TakingPart(question); ++i) {
    const Rank& rank = ranks_[i];
    if (rank.is_lost) return fmt::format("{} {}", NameOf(i), rank.why);
    if (rank.waits && IsSameGate(*rank.waits, question) && !rank.waits->failure.empty()) {
      return fmt::format("{}: {}", NameOf(i), rank.waits->failure);
    }
    if (rank.has_left && !rank.waits) return NameOf(i) + " has ended before";
    if (rank.waits && !IsSameGate(*rank.waits, question)) {
      return fmt::format("{}: {}", NameOf(i),
                         rank.waits->left.empty()
                             ? fmt::format("it is at '{}' instead", rank.waits->gate)
                             : rank.waits->left);
    }
  }
  return "";
}

std::vector<std::pair<size_t, GateAnswer>> GateKeeper::Answer(const GateQuestion& question,
                                                              const std::string& failure) {
  is_over_ = is_over_ || question.gate == kLastGate;
  GateAnswer answer{.failure = failure};
  if (failure.empty()) {
    for (size_t i = 0; i < TakingPart(question); ++i) {
      answer.told.push_back(ranks_[i].waits->tells);
    }
  }
  std::vector<std::pair<size_t, GateAnswer>> answers;
  for (size_t i = 0; i < ranks_.size(); ++i) {
    if (!ranks_[i].waits || !IsSameGate(*ranks_[i].waits, question)) continue;
    answers.emplace_back(i, answer);
    ranks_[i].waits.reset();
  }
  return answers;
}

std::vector<std::pair<size_t, GateAnswer>> GateKeeper::Decide(uint64_t now_ns) {
  for (size_t i = 0; i < ranks_.size(); ++i) {
    if (!ranks_[i].is_lost || !ranks_[i].waits) continue;
    ranks_[i].waits.reset();
    return {{i,
             {.failure = fmt::format("{} {}, and the others have gone on without it", NameOf(i),
                                     ranks_[i].why)}}};
  }
  // The earliest gate at which somebody waits. Whoever has failed in a run waits for the next one.
  const Rank* earliest = nullptr;
  for (const Rank& rank : ranks_) {
    if (rank.waits && (earliest == nullptr || rank.waits->run < earliest->waits->run)) {
      earliest = &rank;
    }
  }
  if (earliest == nullptr) return {};
  const GateQuestion question = *earliest->waits;
  const auto taking_part = std::span(ranks_).first(TakingPart(question));
  if (IsComplete()) return Answer(question, "");
  const bool can_nobody_come = std::ranges::all_of(
      taking_part, [](const Rank& rank) { return rank.waits || rank.has_left || rank.is_lost; });
  if (can_nobody_come) return Answer(question, WhoIsMissing(question));
  // The first whose patience is over.
  double patience_seconds = 0;
  const bool is_over = std::ranges::any_of(taking_part, [&](const Rank& rank) {
    if (!rank.waits || !IsSameGate(*rank.waits, question)) return false;
    patience_seconds = rank.waits->patience_seconds;
    return static_cast<double>(now_ns - rank.since_ns) * 1e-9 >= patience_seconds;
  });
  if (!is_over) return {};
  for (size_t i = 0; i < taking_part.size(); ++i) {
    if (ranks_[i].waits || ranks_[i].has_left) continue;
    Lose(i, fmt::format("did not come to '{}' within {:.0f} s", question.gate, patience_seconds));
  }
  return Answer(question, WhoIsMissing(question));
}

bool GateKeeper::HaveAllLeft() const {
  return std::ranges::all_of(ranks_,
                             [](const Rank& rank) { return rank.has_left || rank.is_lost; });
}

bool GateKeeper::HasLost() const { return std::ranges::any_of(ranks_, &Rank::is_lost); }

}  // namespace levelfield
