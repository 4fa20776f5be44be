// Where a history of figures changes its level: the first value of each new level. E-divisive means
// (Matteson and James, 2014; used by MongoDB, ICPE 2020) finds the two parts of a stretch that
// differ most. Two changes are those that Hunter (ICPE 2023) made. Student's t-test instead of
// permutations decides whether the parts differ at all, so the same history always has the same
// change points. And it works in windows, so an old change does not hide a new one. The test looks
// at many splits, so it errs more often than its p says: 100 histories of 200 values in which
// nothing changes have at most one change point together, or two if the noise is skewed. A step of
// 5 % in noise of 2 % is found, within one value of its place, in 66 of 100 histories when three
// values follow it, and in 88 when five do. Pure.
//
// A change counts if its levels differ by 2 % or more, the level before it has 6 values or more,
// and chance explains it with p <= 0.0001; or with p <= 0.001 where it is new, which is when 3 to 5
// values follow it. Else its two levels become one.
#ifndef LEVELFIELD_STATS_CHANGE_POINTS_H_
#define LEVELFIELD_STATS_CHANGE_POINTS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace levelfield {

struct ChangePoint {
  size_t index = 0;  // The first value of the new level.
  double size = 0;   // As a share: -0.05 is 5 % less. Compares the geometric means of both levels.
  double p = 1;      // From Student's t-test of the logarithms of both levels.
};

// A level that ended after fewer values than this counts as chance; the newest one may have fewer.
inline constexpr size_t kLeastOfALevel = 6;
inline constexpr size_t kLeastOfTheNewestLevel = 3;

struct ChangePointRules {
  double most_p = 0.001;
  // For a level that has lasted. Among so many splits, chance produces many more of those.
  double most_lasting_p = 0.0001;
  // As a share. A smaller change does not count: its two levels become one.
  double least_size = 0.02;
  // Values looked at together; the next window begins half of this later.
  size_t window = 30;
};

// In order; none if there are not enough values for two levels. All values must be finite and above
// 0.
std::vector<ChangePoint> FindChangePoints(std::span<const double> values,
                                          const ChangePointRules& rules = {});

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_CHANGE_POINTS_H_
