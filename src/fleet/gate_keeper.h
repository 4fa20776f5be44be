// Decides when a gate opens, and whose fault it is that it does not. Rank 0's launcher has one.
// Pure: time is given to it.
#ifndef LEVELFIELD_FLEET_GATE_KEEPER_H_
#define LEVELFIELD_FLEET_GATE_KEEPER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/gate.h"

namespace levelfield {

class GateKeeper {
 public:
  explicit GateKeeper(size_t ranks) : ranks_(ranks) {}

  // The names by which messages call the ranks: their machines'.
  void Call(size_t rank, std::string host) { ranks_[rank].host = std::move(host); }

  void Come(size_t rank, GateQuestion question, uint64_t now_ns);
  // It has ended, and comes to no gate any more.
  void Leave(size_t rank);
  // It does not answer.
  void Lose(size_t rank, std::string why);

  // Whether all who wait are at one gate, and nobody else can come.
  bool IsComplete() const;
  // Whether they wait for a comparison of their clocks.
  bool ComparesClocks() const { return IsComplete() && ranks_.front().waits->compares_clocks; }
  // Those who can go on, each with its answer; empty: all wait.
  std::vector<std::pair<size_t, GateAnswer>> Decide(uint64_t now_ns);

  // Whether the last gate has been answered: all that is left is to end.
  bool IsOver() const { return is_over_; }
  bool HaveAllLeft() const;
  bool HasLeft(size_t rank) const { return ranks_[rank].has_left; }
  bool HasLost() const;
  bool IsLost(size_t rank) const { return ranks_[rank].is_lost; }

 private:
  struct Rank {
    std::string host = {};
    std::optional<GateQuestion> waits = {};
    uint64_t since_ns = 0;
    bool has_left = false;
    bool is_lost = false;
    std::string why = {};  // It left a run early, or is lost.
  };
  // How many take part in its run.
  size_t TakingPart(const GateQuestion& question) const;
  std::string NameOf(size_t rank) const;
  // Who cannot come to `question` any more, and why. Empty: all may.
  std::string WhoIsMissing(const GateQuestion& question) const;
  std::vector<std::pair<size_t, GateAnswer>> Answer(const GateQuestion& question,
                                                    const std::string& failure);

  std::vector<Rank> ranks_;
  bool is_over_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FLEET_GATE_KEEPER_H_
