// The cost of each part of the measured path, alone and in the loop over the null engine.
//
// On a shared machine only some moments are undisturbed. So a loop runs in many short pieces (some
// 0.5 ms) and the best of them is printed, in nanoseconds and in cycles of the frequency measured
// beside it. `gate` is what the design allows.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <thread>
#include <vector>

#include "null_loop.h"
#include "probe/calls/plain_calls.h"
#include "workload/digest.h"
#include "workload/key_format.h"

namespace levelfield {
namespace {

constexpr uint64_t kRange = 100'000'000;
constexpr size_t kBlock = 128;

// Indexes of values in a random order, more than a branch predictor remembers.
std::vector<uint64_t> RandomIndexes(size_t count) {
  Random random(1);
  std::vector<uint64_t> indexes(count);
  for (uint64_t& index : indexes) index = random.Below(kRange);
  return indexes;
}

// `each`: the time of one of the `items` that an iteration works through.
void SetItems(benchmark::State& state, size_t items) {
  state.counters["each"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(items),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void KeyFormatting(benchmark::State& state) {
  const KeyFormat format(16, static_cast<uint64_t>(state.range(0)));
  const std::vector<uint64_t> indexes = RandomIndexes(kBlock);
  std::vector<char> keys(kBlock * 16, '0');
  for (auto _ : state) {
    format.Format(indexes, keys.data());
    benchmark::ClobberMemory();
  }
  SetItems(state, kBlock);
}
BENCHMARK(KeyFormatting)->Arg(kRange)->Arg(8'000'000'000)->ArgName("range");

void Sequence(benchmark::State& state) {
  const auto range = static_cast<uint64_t>(state.range(1));
  KeySequence sequence({.order = static_cast<KeyOrder>(state.range(0)),
                        .range = range,
                        .order_seed = 1,
                        .draw_seed = 1,
                        .first_position = 0,
                        .end_position = range});
  std::vector<uint64_t> block(kBlock);
  uint64_t round = 0;
  size_t made = 0;
  for (auto _ : state) {
    made += sequence.Fill(block, &round);
    benchmark::ClobberMemory();
  }
  SetItems(state, kBlock);
  state.SetLabel(state.range(0) == static_cast<int>(KeyOrder::kShuffled) ? "permutation step"
                                                                         : "uniform draw");
}
BENCHMARK(Sequence)
    ->Args({static_cast<int>(KeyOrder::kShuffled), 1'000'000})
    ->Args({static_cast<int>(KeyOrder::kShuffled), kRange})
    ->Args({static_cast<int>(KeyOrder::kShuffled), 8'000'000'000})
    ->Args({static_cast<int>(KeyOrder::kUniform), kRange})
    ->ArgNames({"order", "range"});

void ValueMake(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  const ValueSource values(1, size, 0.5);
  const std::vector<uint64_t> indexes = RandomIndexes(1 << 14);
  std::vector<char> value(size);
  for (auto _ : state) {
    for (const uint64_t index : indexes) {
      values.Make(index, 1, size, value.data());
      benchmark::ClobberMemory();
    }
  }
  SetItems(state, indexes.size());
}
BENCHMARK(ValueMake)->Arg(100)->ArgName("size");

// Goes through 2 MiB of values in turn. They stream in, as after an engine's copy, while their
// bodies lie anywhere in the pool, which is larger than the first-level cache.
void ValueCheck(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  const ValueSource values(1, size, 0.5);
  const size_t count = (size_t{2} << 20) / size;
  std::vector<char> bytes(count * size);
  for (uint64_t i = 0; i < count; ++i) values.Make(i, 1, size, bytes.data() + i * size);
  uint64_t wrong = 0;
  for (auto _ : state) {
    for (uint64_t i = 0; i < count; ++i) {
      wrong += values.Check(i, {bytes.data() + i * size, size}) ? 0 : 1;
    }
    benchmark::DoNotOptimize(wrong);
  }
  if (wrong != 0) state.SkipWithError("a value was wrong");
  SetItems(state, count);
  if (size == 100) state.counters["gate"] = 25e-9;
  if (size == 1000) state.counters["gate"] = 80e-9;
}
BENCHMARK(ValueCheck)->Arg(100)->Arg(1000)->Arg(4096)->ArgName("size");

#if defined(__x86_64__)
[[gnu::target("avx2,bmi,bmi2,lzcnt")]]
#endif
uint64_t
DigestOf(const std::vector<char>& bytes, size_t size) {
  Digest digest;
  for (size_t i = 0; i * size < bytes.size(); ++i) digest.Add({bytes.data() + i * size, size}, i);
  return digest.Value();
}

void DigestAdd(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  const std::vector<char> bytes(16 * size, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(DigestOf(bytes, size));
  SetItems(state, 16);
}
BENCHMARK(DigestAdd)->Arg(100)->Arg(1000)->ArgName("size");

void HistogramAdd(benchmark::State& state) {
  Histogram histogram;
  std::vector<uint64_t> values = RandomIndexes(4096);
  for (uint64_t& value : values) value = 200 + (value >> (value % 20));
  for (auto _ : state) {
    for (const uint64_t value : values) histogram.Add(value);
    benchmark::ClobberMemory();
  }
  SetItems(state, values.size());
}
BENCHMARK(HistogramAdd);

template <class Ticks>
void ClockReading(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Ticks::Now());
  SetItems(state, 1);
}
BENCHMARK(ClockReading<TscTicks>);
BENCHMARK(ClockReading<MonotonicTicks>);

// A write to a file in memory as plug-ins make it, and by libc's own function, in turns: the
// overhead of recognizing writes that sync by themselves (probe/calls/sync_calls.h).
void Pwrite(benchmark::State& state) {
  const int file = memfd_create("pwrite", MFD_CLOEXEC);
  PlainCall<ssize_t(int, const void*, size_t, off64_t)> plain("pwrite64");
  const std::vector<char> bytes(100, 'x');
  const auto best_of = [&](double best_ns, const auto& write) {
    constexpr int kWrites = 100;
    const uint64_t start_ns = MonotonicNs();
    for (int i = 0; i < kWrites; ++i) benchmark::DoNotOptimize(write());
    return std::min(best_ns, static_cast<double>(MonotonicNs() - start_ns) / kWrites);
  };
  double plain_ns = std::numeric_limits<double>::max();
  double seen_ns = plain_ns;
  for (auto _ : state) {
    plain_ns = best_of(plain_ns, [&] { return plain.get()(file, bytes.data(), bytes.size(), 0); });
    seen_ns = best_of(seen_ns, [&] { return pwrite64(file, bytes.data(), bytes.size(), 0); });
  }
  close(file);
  state.counters["plain_ns"] = plain_ns;
  state.counters["seen_ns"] = seen_ns;
  state.counters["more_ns"] = seen_ns - plain_ns;
}
BENCHMARK(Pwrite);

struct LoopCase {
  const char* name;
  bool timed;
  double gate_cycles;  // 0: none.
};

void Loop(benchmark::State& state, const LoopCase& of) {
  NullLoop loop(EnginePlaces(), LoopOf(of.name, {"--num=100000000"}), of.timed);
  const uint64_t operations = of.timed ? 10'000 : 50'000;
  double best_ns = std::numeric_limits<double>::max();
  double best_cycles = best_ns;
  for (auto _ : state) {
    const double before = MeasureGigahertz();
    const double ns = loop.Run(operations);
    const double ghz = std::max(before, MeasureGigahertz());
    best_ns = std::min(best_ns, ns);
    best_cycles = std::min(best_cycles, ns * ghz);
    state.SetIterationTime(ns * static_cast<double>(operations) * 1e-9);
  }
  state.counters["each"] = best_ns * 1e-9;
  state.counters["cycles"] = best_cycles;
  if (of.gate_cycles == 0) return;
  state.counters["gate"] = of.gate_cycles;
  state.SetLabel(best_cycles <= of.gate_cycles ? "within" : "TOO DEAR");
}

// How much a second thread slows the first, from the best of interleaved pairs. It needs two free
// processors.
void TwoThreads(benchmark::State& state, const LoopCase& of) {
  NullLoop first(EnginePlaces(), LoopOf(of.name, {"--num=100000000"}), of.timed, 0);
  NullLoop second(EnginePlaces(), LoopOf(of.name, {"--num=100000000"}), of.timed, 1);
  constexpr uint64_t kOperations = 50'000;
  double alone = std::numeric_limits<double>::max();
  double together = alone;
  for (auto _ : state) {
    alone = std::min(alone, first.Run(kOperations));
    std::atomic<int> ready{0};
    double times[2];
    const auto run = [&](NullLoop& loop, double& ns) {
      for (ready.fetch_add(1); ready.load() < 2;) {
      }
      loop.Run(kOperations / 5);  // Until both are under way.
      ns = loop.Run(kOperations);
    };
    std::thread other([&] { run(second, times[1]); });
    run(first, times[0]);
    other.join();
    together = std::min(together, std::max(times[0], times[1]));
  }
  state.counters["each"] = alone * 1e-9;
  state.counters["ratio"] = together / alone;
  state.counters["gate"] = 1.05;
}

}  // namespace
}  // namespace levelfield

int main(int argc, char** argv) {
  using levelfield::LoopCase;
  static const LoopCase cases[] = {{"readrandom", false, 65}, {"readrandom", true, 120},
                                   {"fillrandom", false, 0},  {"fillrandom", true, 140},
                                   {"fillseq", true, 0},      {"readseq", false, 0},
                                   {"readseq", true, 0}};
  for (const LoopCase& of : cases) {
    const std::string name = std::string(of.name) + (of.timed ? "/timed" : "/untimed");
    benchmark::RegisterBenchmark(("Loop/" + name).c_str(), levelfield::Loop, of)
        ->UseManualTime()
        ->Iterations(1000);
  }
  for (const LoopCase& of : {cases[0], cases[3]}) {
    benchmark::RegisterBenchmark((std::string("TwoThreads/") + of.name).c_str(),
                                 levelfield::TwoThreads, of)
        ->Iterations(200);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
