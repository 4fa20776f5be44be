// In which order alternatives are measured, round by round. Each round runs every one of them once,
// so that what the machine does meanwhile (another tenant, a warm disk) meets all of them; a block
// of rounds is a Latin square, so each stands in each place equally often; which square is drawn.
// One alternative after the other instead, a machine with changing load called two equal things
// different in 15 to 45 of 100 sessions. Pure.
#ifndef LEVELFIELD_PLAN_SCHEDULE_H_
#define LEVELFIELD_PLAN_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace levelfield {

// The order of round `round`, counted from 0. The first round of all is in the order in which the
// alternatives were named, so that one round alone is what was typed.
std::vector<size_t> OrderOfRound(size_t alternatives, uint64_t round, uint64_t seed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_SCHEDULE_H_
