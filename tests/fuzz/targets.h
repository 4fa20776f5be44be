// What the program reads of what others wrote, each as a function of the bytes: whatever they are,
// it returns, soon, and holds little. libFuzzer calls one of them (fuzzer_main.cc); the ordinary
// tests feed the corpus to all (corpus_test.cc). One thread at a time.
#ifndef LEVELFIELD_TESTS_FUZZ_TARGETS_H_
#define LEVELFIELD_TESTS_FUZZ_TARGETS_H_

#include <string>
#include <string_view>

namespace levelfield::fuzz {

// A file *.workload, which may be YCSB's, and the texts that have a grammar of their own.
void WorkloadFiles(std::string_view bytes);
void SuiteFiles(std::string_view bytes);
// manifest.json, results.jsonl, intervals.jsonl and details.jsonl.gz, behind lines of two equals
// signs; and then every report, comparison and history of what was read.
void ResultFiles(std::string_view bytes);
// A manifest in one line, and the lines of durability.jsonl.
void DurabilityFiles(std::string_view bytes);
// Words, a line each, as flags of `levelfield run`, of every dialect and of cache_bench.
void Flags(std::string_view bytes);
// Histograms as JSON, a line each, and HdrHistogram's log of them.
void Histograms(std::string_view bytes);
// What the process of a plug-in answers: its engine's description.
void EngineDescriptions(std::string_view bytes);
// The marker of a store.
void StoreMarkers(std::string_view bytes);
// A trace, its records below a header that fits them, or lines of one of the sources: the first
// byte says which.
void Traces(std::string_view bytes);

// A path below a directory that is gone when the process ends; in memory where there is such a one.
std::string ScratchPath(const std::string& name);
void WriteScratch(const std::string& path, std::string_view bytes);
// Ends the process where a text for people holds what a terminal would obey. Messages of errors are
// made printable where they are printed (main.cc).
void MustBePlain(std::string_view text);

}  // namespace levelfield::fuzz

#endif  // LEVELFIELD_TESTS_FUZZ_TARGETS_H_
