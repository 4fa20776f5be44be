#include "settings/dialects/rocksdb_sine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "settings/dialects/rocksdb_given.h"

namespace levelfield {
namespace {

// What keeps to the rate in the original: all that only puts, and mixgraph.
constexpr std::string_view kAtSineWriteRate[] = {
    "fillseq", "fillbatch", "fillrandom", "overwrite", "fillsync", "fill100K", "filluniquerandom"};
constexpr std::string_view kAtSineMixRate[] = {"mixgraph", "mixgraph-compat"};
// They print, and have no operations.
constexpr std::string_view kOfNoRate[] = {"stats", "levelstats", "sstables", "memstats"};
constexpr std::string_view kOfLargeValues = "fill100K";
constexpr uint64_t kLargeValueBytes = 100'000;

template <class Names>
bool IsIn(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

StatusOr<double> NumberOf(const RocksDbGiven& given, const std::string& name, double otherwise) {
  const auto it = given.find(name);
  if (it == given.end()) return otherwise;
  const std::optional<double> number = WholeNumber<double>(it->second);
  if (number && std::isfinite(*number)) return *number;
  return Status::Usage(fmt::format("--{}={}: a number is accepted", name, Printable(it->second)));
}

// The benchmarks of the list that have operations, without the brackets behind their names.
std::set<std::string> BenchmarksOf(const RocksDbGiven& given) {
  const auto it = given.find("benchmarks");
  std::set<std::string> names;
  for (const std::string& word :
       Split(it == given.end() ? kRocksDbDialect.benchmarks : it->second, ',')) {
    const std::string name = word.substr(0, word.find('['));
    if (!name.empty() && !IsIn(kOfNoRate, name)) names.insert(name);
  }
  return names;
}

// In the original all others run as fast as they can, and here a list has one rate.
template <class Names>
Status CheckBenchmarks(const std::set<std::string>& names, const Names& at_rate,
                       const std::string& flag) {
  std::vector<std::string> others;
  for (const std::string& name : names) {
    if (!IsIn(at_rate, name)) others.push_back(name);
  }
  if (others.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--{}: {} would not keep to it in the original, and here all of --benchmarks do; run the "
      "others by themselves, on the same store with --db and --use_existing_db (what only loads a "
      "store comes unasked)",
      flag, fmt::format("{}", fmt::join(others, ", "))));
}

// A * sin(B * x + C) + D, in entries a second.
struct Sine {
  double a = 0;
  double b = 0;
  double c = 0;
  double d = 0;
  double step_seconds = 0;
  double noise = 0;

  double Low() const { return d - std::abs(a); }
  double High() const { return d + std::abs(a); }
  double Period() const { return 2 * std::numbers::pi / std::abs(b); }
  // The part of the period that is over at the begin, of a sine that rises at 0.
  double Begin() const {
    double turns = c / (2 * std::numbers::pi);
    if (b < 0) turns = 0.5 - turns;
    if (a < 0) turns += 0.5;
    constexpr double kParts = 1e9;  // More digits than anybody types of pi.
    turns = std::round(turns * kParts) / kParts;
    return turns - std::floor(turns);
  }
};

uint64_t Whole(double rate) { return static_cast<uint64_t>(rate + 0.5); }

// The words for --rate. Its own steps are finer than those of the original, if these are shorter
// than this part of the period.
std::string RateWords(const Sine& sine) {
  constexpr double kFinePart = 1.0 / 400;
  if (sine.b == 0 || Whole(sine.Low()) == Whole(sine.High())) {
    return fmt::format("{}", Whole(sine.a * std::sin(sine.c) + sine.d));
  }
  std::string words = fmt::format("sine {}..{} every {:.12g}s", Whole(sine.Low()),
                                  Whole(sine.High()), sine.Period());
  if (sine.Begin() != 0) words += fmt::format(" from {:.12g}", sine.Begin());
  const bool has_steps = sine.step_seconds > sine.Period() * kFinePart || Whole(sine.noise) != 0;
  if (has_steps) words += fmt::format(" in steps of {:.12g}s", sine.step_seconds);
  if (Whole(sine.noise) != 0) words += fmt::format(" +-{}", Whole(sine.noise));
  return words;
}

Status CheckSine(const Sine& sine, const std::string& flag, double entry, std::string_view unit) {
  constexpr double kLeastStepSeconds = 0.1;
  constexpr double kLeastPeriodSeconds = 0.8;
  if (sine.Low() < 1) {
    return Status::Usage(fmt::format(
        "--{}: the rate goes down to {:.6g} {} a second, and one entry a second is {:.0f}; raise "
        "--sine_d, or lower --sine_a",
        flag, sine.Low() * entry, unit, entry));
  }
  const double period = sine.b == 0 ? kLeastPeriodSeconds : sine.Period();
  const bool has_steps = sine.step_seconds > 0;
  if (has_steps ? sine.step_seconds < kLeastStepSeconds : period < kLeastPeriodSeconds) {
    return Status::Usage(fmt::format(
        "--{}: a rate that is calculated anew less than {:g} s later, or a sine of less than {:g} "
        "s (2 pi / --sine_b), is too fast to be told from its mean; raise "
        "--{}_interval_milliseconds, or lower --sine_b",
        flag, kLeastStepSeconds, kLeastPeriodSeconds, flag));
  }
  return Status::Ok();
}

// Half of what --sine_a is without its fraction, as in the original.
StatusOr<double> NoiseIn(const RocksDbGiven& given, double a) {
  ASSIGN_OR_RETURN(const double share, NumberOf(given, "sine_mix_rate_noise", 0));
  if (share == 0) return 0;
  const auto interval = given.find("sine_mix_rate_interval_milliseconds");
  const bool has_steps = interval == given.end() || WholeNumber<double>(interval->second) != 0;
  if (share < 0 || share > 1 || std::abs(a) < 1 || !has_steps) {
    return Status::Usage(fmt::format(
        "--sine_mix_rate_noise={:g}: a part from 0 to 1 of a --sine_a of 1 or more is accepted, "
        "with a --sine_mix_rate_interval_milliseconds of 100 or more",
        share));
  }
  return std::floor(std::abs(a)) / 2 * share;
}

// Each counts only with one of the two switches.
void NoteWithout(const RocksDbGiven& given, bool writes, bool mixes, DerivedWords& words) {
  const auto note = [&](const char* const name, double otherwise, const char* const with) {
    const auto it = given.find(name);
    if (it == given.end() || WholeNumber<double>(it->second) == otherwise) return;
    words.notes.push_back(fmt::format("--{} changes nothing. It counts only with {}.", name, with));
  };
  if (!writes && !mixes) {
    constexpr const char* kEither = "--sine_write_rate or --sine_mix_rate";
    note("sine_a", 1, kEither);
    note("sine_b", 1, kEither);
    note("sine_c", 0, kEither);
    note("sine_d", 1, kEither);
  }
  if (!writes) note("sine_write_rate_interval_milliseconds", 10'000, "--sine_write_rate");
  if (!mixes) note("sine_mix_rate_interval_milliseconds", 10'000, "--sine_mix_rate");
  if (!mixes) note("sine_mix_rate_noise", 0, "--sine_mix_rate");
}

}  // namespace

Status DeriveSine(const RocksDbGiven& given, uint64_t key_bytes, uint64_t value_bytes,
                  DerivedWords& words) {
  const bool writes = IsOn(given, "sine_write_rate");
  const bool mixes = IsOn(given, "sine_mix_rate");
  NoteWithout(given, writes, mixes, words);
  if (!writes && !mixes) return Status::Ok();
  if (writes && mixes) {
    return Status::Usage(
        "--sine_write_rate with --sine_mix_rate: one is of writes and one of mixgraph; run them "
        "one after the other");
  }
  const std::string flag = writes ? "sine_write_rate" : "sine_mix_rate";
  for (const char* const limit : {"benchmark_write_rate_limit", "benchmark_read_rate_limit"}) {
    if (const auto it = given.find(limit); it != given.end() && it->second != "0") {
      return Status::Usage(
          fmt::format("--{} with --{}={}: both say at which rate; leave one of them out", flag,
                      limit, Printable(it->second)));
    }
  }
  const std::set<std::string> names = BenchmarksOf(given);
  RETURN_IF_ERROR(writes ? CheckBenchmarks(names, kAtSineWriteRate, flag)
                         : CheckBenchmarks(names, kAtSineMixRate, flag));
  double entry = 1;  // A rate of writes is in bytes, one of mixgraph in operations.
  if (writes) {
    const bool has_large = names.contains(std::string(kOfLargeValues));
    if (has_large && names.size() > 1) {
      return Status::Usage(
          fmt::format("--{}: counts bytes, and {} has other values than the rest; run it by itself",
                      flag, kOfLargeValues));
    }
    entry = static_cast<double>(
        std::max<uint64_t>(key_bytes + (has_large ? kLargeValueBytes : value_bytes), 1));
  }
  Sine sine;
  ASSIGN_OR_RETURN(sine.a, NumberOf(given, "sine_a", 1));
  ASSIGN_OR_RETURN(sine.b, NumberOf(given, "sine_b", 1));
  ASSIGN_OR_RETURN(sine.c, NumberOf(given, "sine_c", 0));
  ASSIGN_OR_RETURN(sine.d, NumberOf(given, "sine_d", 1));
  ASSIGN_OR_RETURN(sine.step_seconds, NumberOf(given, flag + "_interval_milliseconds", 10'000));
  sine.step_seconds /= 1000;
  if (mixes) {
    ASSIGN_OR_RETURN(sine.noise, NoiseIn(given, sine.a));
  }
  sine.a /= entry;
  sine.d /= entry;
  RETURN_IF_ERROR(CheckSine(sine, flag, entry, writes ? "bytes" : "operations"));
  words.given.push_back("--rate=" + RateWords(sine));
  words.given.emplace_back("--arrival=constant");
  words.defaults.emplace_back("--histogram=1");  // Operations that are due are timed.
  return Status::Ok();
}

}  // namespace levelfield
