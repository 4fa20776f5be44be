// Holds README.md, CHANGELOG.md and the pages below docs/ to what they say: their links lead
// somewhere, the flags and make targets that they name exist, and the members of the result format
// are those that a real run writes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/crash_state.h"
#include "result/fields_for_test.h"
#include "result/result.h"
#include "result/result_json.h"
#include "settings/dialects/dialect.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path kRoot = SOURCE_DIRECTORY;

std::string ReadFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> Pages() {
  std::vector<fs::path> pages = {kRoot / "README.md", kRoot / "CHANGELOG.md",
                                 kRoot / "tests/promises.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  return pages;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What a shell command prints, from the root of the tree.
std::string Output(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(("cd '" + kRoot.string() + "' && " + command).c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) output.append(buffer, n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

std::vector<std::string> Matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> matches;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    matches.push_back((*it)[1]);
  }
  return matches;
}

// Without the blocks of code, in which "](" is no link.
std::string Prose(const std::string& page) {
  std::string prose;
  bool is_code = false;
  for (const std::string& line : Lines(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (!is_code) prose += line + "\n";
  }
  return prose;
}

// The anchors that GitHub makes of a page's headings.
std::set<std::string> Anchors(const std::string& page) {
  std::set<std::string> anchors;
  for (const std::string& line : Lines(Prose(page))) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(line.find(' ') + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) || c == '-' || c == '_') anchor += static_cast<char>(tolower(byte));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

// Of a page that would stand at `place`: the links that lead nowhere.
std::vector<std::string> BrokenLinks(const fs::path& place, const std::string& page) {
  // `levelfield docs` prints them; a test of their own holds them to be there and fresh.
  static const std::set<std::string> kGenerated = {"flags.md", "workloads.md", "engines.md"};
  std::vector<std::string> broken;
  for (const std::string& link : Matches(Prose(page), "\\]\\(([^)]+)\\)")) {
    if (link.starts_with("https://") || link.starts_with("http://www.lmdb.tech/")) continue;
    const size_t hash = std::min(link.find('#'), link.size());
    const std::string path = link.substr(0, hash);
    const fs::path target = path.empty() ? place : place.parent_path() / path;
    const bool is_generated = target.parent_path().filename() == "generated" &&
                              kGenerated.contains(target.filename().string());
    if (is_generated && !fs::exists(target)) continue;
    if (!path.empty() && !fs::exists(target)) {
      broken.push_back(link);
    } else if (hash != link.size()) {
      const std::string text = path.empty() ? page : ReadFile(target);
      if (!Anchors(text).contains(link.substr(hash + 1))) broken.push_back(link);
    }
  }
  return broken;
}

TEST(Docs, EveryLinkLeadsSomewhere) {
  ASSERT_GE(Pages().size(), 8u);
  for (const fs::path& page : Pages()) {
    EXPECT_EQ(BrokenLinks(page, ReadFile(page)), std::vector<std::string>()) << page;
  }
}

TEST(Docs, ALinkThatLeadsNowhereIsSeen) {
  const std::string page =
      "# A heading: of `code`\n[ok](reference/measuring.md#the-clock) [ok](../README.md) "
      "[ok](#a-heading-of-code) [no](nowhere.md) [no](reference/measuring.md#no-such) "
      "[no](#no-such)\n"
      "```\n[](nowhere either)\n```\n";
  EXPECT_EQ(BrokenLinks(kRoot / "docs/page.md", page),
            (std::vector<std::string>{"nowhere.md", "reference/measuring.md#no-such", "#no-such"}));
}

// "engine.option" for each engine of the build and for the example in adding_an_engine.md.
std::set<std::string> EngineOptions() {
  std::set<std::string> options;
  for (const std::string engines : {"", "LEVELFIELD_ENGINES='" EXAMPLE_ENGINES "' "}) {
    std::string engine;
    for (const std::string& line : Lines(Output(engines + "'" LEVELFIELD "' docs engines"))) {
      if (line.starts_with("## ")) engine = line.substr(3);
      for (const std::string& name : Matches(line, "^\\| `([a-z0-9_]+)` \\|")) {
        options.insert(engine + "." + name);
      }
    }
  }
  return options;
}

std::vector<std::string> UnknownFlags(const std::string& page) {
  static const std::set<std::string> known = [] {
    std::set<std::string> flags = EngineOptions();
    for (const std::string& line : Lines(Output("'" LEVELFIELD "' help flags"))) {
      for (const std::string& name : Matches(line, "^  --([a-z_-]+)=")) flags.insert(name);
    }
    for (const Dialect* dialect : Dialects()) {
      for (const DialectFlag& flag : dialect->flags) flags.emplace(flag.name);
    }
    for (const std::string& line : Lines(Output("'" CACHE_BENCH "' --help"))) {
      for (const std::string& name : Matches(line, "^    -([a-z_]+) \\(")) flags.insert(name);
    }
    EXPECT_GT(flags.size(), 100u);
    flags.insert({"help", "version"});
    flags.insert({"job", "preset", "page", "dry", "dry-run",
                  "from"});  // Of `levelfield suite` and `trace` alone.
    flags.insert({"faults", "kills", "cuts", "cut_method", "fs", "survives", "eat_flushes"});
    flags.insert(
        {"gtest_filter", "build", "target", "install", "prefix", "privileged", "rm"});  // Others'.
    return flags;
  }();
  std::vector<std::string> unknown;
  for (const std::string& flag :
       Matches(page, "(?:^|[\\s`'(|])--([a-z][a-z0-9_-]*(?:\\.[a-z0-9_]+)?)")) {
    if (!known.contains(flag)) unknown.push_back(flag);
  }
  return unknown;
}

TEST(Docs, EveryFlagExists) {
  for (const fs::path& page : Pages()) {
    EXPECT_EQ(UnknownFlags(ReadFile(page)), std::vector<std::string>()) << page;
  }
}

TEST(Docs, AFlagThatDoesNotExistIsSeen) {
  EXPECT_EQ(UnknownFlags(
                "run --num=1 --nun=1 `--rocksdb.statistics` (--rocksdb.statistic) --lmdb.rowids"),
            (std::vector<std::string>{"nun", "rocksdb.statistic", "lmdb.rowids"}));
}

TEST(Docs, EveryFlagThatAWorkloadFileMayNameIsOnItsPage) {
  const std::string page = ReadFile(kRoot / "docs" / "adding_a_workload.md");
  for (const Flag& flag : Flags()) {
    const std::string name = "`$" + std::string(flag.name) + "`";
    EXPECT_TRUE(!flag.variable || page.find(name) != std::string::npos) << name;
  }
}

TEST(Docs, ThePageForComersFromDbBenchHasEveryNameOfItsLists) {
  const std::string page = ReadFile(kRoot / "docs/reference/coming_from_db_bench.md");
  for (const Dialect* dialect : Dialects()) {
    for (const std::string& name : Matches(std::string(dialect->benchmarks), "([a-zA-Z0-9]+)")) {
      EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
    }
    EXPECT_NE(page.find(std::string(dialect->program)), std::string::npos) << dialect->program;
  }
}

std::vector<std::string> UnknownMakeTargets(const std::string& page) {
  std::set<std::string> targets;
  for (const std::string& line : Lines(ReadFile(kRoot / "Makefile"))) {
    if (!line.starts_with(".PHONY:")) continue;
    for (const std::string& target : Matches(line, " ([a-z0-9-]+)")) targets.insert(target);
  }
  std::vector<std::string> unknown;
  for (const std::string& target : Matches(page, "(?:^|\\n|`)make ([a-z0-9-]+)")) {
    if (!targets.contains(target)) unknown.push_back(target);
  }
  return unknown;
}

TEST(Docs, EveryMakeTargetExists) {
  for (const fs::path& page : Pages()) {
    EXPECT_EQ(UnknownMakeTargets(ReadFile(page)), std::vector<std::string>()) << page;
  }
}

TEST(Docs, AMakeTargetThatDoesNotExistIsSeen) {
  EXPECT_EQ(UnknownMakeTargets("make bench\nmake rocks\n`make rocksdb` `make benches`"),
            (std::vector<std::string>{"rocks", "benches"}));
}

// Suite.Name of every test in the sources: those that GoogleTest and RapidCheck make, those that
// CMake is told of, and the cases that are text.
std::set<std::string> TestsOfTheTree() {
  std::set<std::string> tests;
  for (const char* const folder : {"src", "tests", "engines"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().filename() == "CMakeLists.txt") {
        for (const std::string& name :
             Matches(ReadFile(entry.path()), "add_test\\(NAME ([A-Za-z0-9_.]+)")) {
          tests.insert(name);
        }
      }
      if (entry.path().extension() == ".case") {
        for (const std::string& line : Lines(ReadFile(entry.path()))) {
          if (line.find('.') != std::string::npos && std::isupper(line[0])) tests.insert(line);
        }
      }
      if (entry.path().extension() != ".cc") continue;
      std::string text = ReadFile(entry.path());
      for (size_t at = 0; (at = text.find("\n", at)) != std::string::npos; ++at) {
        const size_t open = text.find('(', at);
        const std::string macro = text.substr(at + 1, std::min(open, at + 30) - at - 1);
        if (macro != "TEST" && macro != "TEST_F" && macro != "TEST_P" && macro != "RC_GTEST_PROP") {
          continue;
        }
        std::string name;
        for (size_t i = open + 1; i < text.size() && text[i] != ')'; ++i) {
          if (text[i] == ',' && name.find('.') != std::string::npos) break;
          if (text[i] == ',') name += '.';
          if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_') name += text[i];
        }
        tests.insert(name);
      }
    }
  }
  return tests;
}

std::vector<std::string> UnknownTests(const std::string& page) {
  static const std::set<std::string> known = TestsOfTheTree();
  std::vector<std::string> unknown;
  for (const std::string& name : Matches(page, "`([A-Z][A-Za-z0-9_]*\\.[A-Za-z0-9_]+)`")) {
    if (!known.contains(name)) unknown.push_back(name);
  }
  return unknown;
}

TEST(Docs, EveryTestThatAPromiseNamesExists) {
  const std::string page = ReadFile(kRoot / "tests/promises.md");
  EXPECT_EQ(UnknownTests(page), std::vector<std::string>());
  EXPECT_GT(Matches(page, "`([A-Z][A-Za-z0-9_]*\\.[A-Za-z0-9_]+)`").size(), 100u);
}

TEST(Docs, ATestThatDoesNotExistIsSeen) {
  EXPECT_EQ(UnknownTests("`Docs.EveryLinkLeadsSomewhere` `Docs.NoLinkLeadsNowhere` "
                         "`Permutation.IsInvertedAtAnySizeUpTo10ToThe15` `Golden.Tables`"),
            (std::vector<std::string>{"Docs.NoLinkLeadsNowhere", "Golden.Tables"}));
}

// A row of the page without a test says what is not offered.
TEST(Docs, EveryPromiseHasATestOrSaysThatItIsNotKept) {
  size_t rows = 0;
  for (const std::string& line : Lines(ReadFile(kRoot / "tests/promises.md"))) {
    if (!line.starts_with("| ") || line.starts_with("| promise") || line.starts_with("| ---")) {
      continue;
    }
    ++rows;
    const bool is_held = !Matches(line, "`([A-Z][A-Za-z0-9_]*\\.[A-Za-z0-9_]+)`").empty();
    EXPECT_TRUE(is_held || line.find("not offered") != std::string::npos) << line;
  }
  EXPECT_GT(rows, 50u);
}

// The members that a section of result_format.md describes, with the first word of their type.
using Members = std::map<std::string, std::string>;

Members Described(const std::string& heading) {
  Members members;
  bool is_here = false;
  bool is_table = false;
  for (const std::string& line : Lines(ReadFile(kRoot / "docs/reference/result_format.md"))) {
    if (line.starts_with("#")) is_here = line.substr(line.find(' ') + 1) == heading;
    if (!line.starts_with("|")) is_table = false;
    if (line.starts_with("| member")) is_table = true;
    if (!is_here || !is_table) continue;
    const size_t bar = line.find('|', 1);
    for (const std::string& name : Matches(line.substr(0, bar), "`([a-z0-9_]+)`")) {
      members[name] = line.substr(bar + 2, line.find_first_of(" ,", bar + 2) - bar - 2);
    }
  }
  EXPECT_FALSE(members.empty()) << heading;
  return members;
}

std::string TypeOf(const Json& value) {
  if (value.is_string()) return "text";
  if (value.is_boolean()) return "flag";
  if (value.is_number_unsigned()) return "count";
  if (value.is_number()) return "number";
  return value.is_array() ? "list" : "object";
}

Members Found(const std::vector<Json>& objects) {
  Members members;
  for (const Json& object : objects) {
    for (const auto& [name, value] : object.items()) {
      const auto [it, is_new] = members.emplace(name, TypeOf(value));
      EXPECT_EQ(it->second, TypeOf(value)) << name;
    }
  }
  return members;
}

std::set<std::string> NamesOf(const Members& members) {
  std::set<std::string> names;
  for (const auto& [name, type] : members) names.insert(name);
  return names;
}

class ResultFormat : public ::testing::Test {
 protected:
  // One real run of all engines that are built, with reads, writes and a mix.
  static void SetUpTestSuite() {
    const fs::path results =
        fs::path(::testing::TempDir()) / ("docs_test-" + std::to_string(getpid()));
    // Long enough to be looked at while it runs, which is done once a second.
    (void)Output("'" LEVELFIELD "' run --engine=leveldb --num=1000 --duration=2.5 --results='" +
                 results.string() + "' --benchmarks=overwrite 2>&1");
    Collect(results);
    // Over a store that was there before.
    const std::string store = results.string() + "-store";
    const std::string run = "'" LEVELFIELD "' run --engine=leveldb --num=100 --single_db --db='" +
                            store + "' --results='" + results.string() + "' --benchmarks=";
    (void)Output(run + "fillseq 2>&1");
    (void)Output(run + "'readseq[X2]' --use_existing_db 2>&1");
    Collect(results);
    fs::remove_all(store);
    (void)Output("'" CACHE_BENCH
                 "' -cache_type=leveldb_lru -threads=1 -cache_size=1M "
                 "-ops_per_thread=1000 --results='" +
                 results.string() + "' 2>&1");
    Collect(results);
    (void)Output("'" LEVELFIELD "' run --engine=memory,leveldb --num=1000 --duration=0.2 " +
                 ("--slices=on --results='" + results.string()) + "' --benchmarks=readrandom 2>&1");
    Collect(results);
    runs_.clear();  // The manifest that is kept is of the run below.
    (void)Output("'" LEVELFIELD "' run --engine=all --num=1000 --results='" + results.string() +
                 "' --benchmarks=fillrandom,readrandom,readrandomwriterandom,open,fillsync 2>&1");
    Collect(results);
    // And the same in open loops; 3: this machine did not keep their times, which is no matter
    // here.
    for (const char* const load : {"--rate=2k", "--rate=sweep --duration=0.02"}) {
      const fs::path loads = results.string() + "-load";
      (void)Output("'" LEVELFIELD "' run --engine=null --num=100 --benchmarks=readrandom " +
                   std::string(load) + " --results='" + loads.string() + "' 2>&1 || test $? = 3");
      CollectLoads(loads);
    }
  }

  // Of results.jsonl, each phase with its details.
  static std::vector<Json> LinesOf(const fs::path& directory) {
    const std::vector<std::string> details =
        Lines(Output("zcat '" + (directory / "details.jsonl.gz").string() + "'"));
    std::vector<Json> lines;
    size_t phases = 0;
    for (const std::string& line : Lines(ReadFile(directory / "results.jsonl"))) {
      lines.push_back(Json::parse(line));
      if (lines.back()["type"] != "phase") continue;
      AddDetails(Json::parse(details.at(phases++)), lines.back());
    }
    return lines;
  }

  static void CollectLoads(const fs::path& results) {
    for (const auto& entry : fs::directory_iterator(results)) {
      for (const Json& json : LinesOf(entry.path())) {
        if (json["type"] != "phase") continue;
        for (const Json& step : json.value("load_steps", Json::array())) steps_.push_back(step);
        for (const Json& role : json["roles"]) {
          if (role.contains("load")) loads_.push_back(role["load"]);
        }
      }
    }
    fs::remove_all(results);
  }

  static void Collect(const fs::path& results) {
    for (const auto& entry : fs::directory_iterator(results)) {
      manifest_ = Json::parse(ReadFile(entry.path() / "manifest.json"));
      for (const Json& json : LinesOf(entry.path())) {
        if (json["type"] == "run") runs_.push_back(json);
        if (json["type"] != "phase") continue;
        phases_.push_back(json);
        for (const Json& role : json["roles"]) {
          roles_.push_back(role);
          for (const Json& stats : role["lanes"]) {
            lanes_.push_back(stats);
            if (stats.contains("latency_ns")) latencies_.push_back(stats["latency_ns"]);
          }
        }
      }
    }
    fs::remove_all(results);
  }

  static void ExpectAsDescribed(const std::string& heading, const std::vector<Json>& objects,
                                const std::string& also = "") {
    Members described = Described(heading);
    if (!also.empty()) described.merge(Described(also));
    EXPECT_EQ(Found(objects), described) << heading;
  }

  static inline Json manifest_;
  static inline std::vector<Json> runs_, phases_, roles_, lanes_, latencies_, loads_, steps_;
};

TEST_F(ResultFormat, TheLoadsOfOpenLoopsAreAsDescribed) {
  ASSERT_EQ(loads_.size(), 1u);
  ExpectAsDescribed("The load of an open loop", loads_);
  ASSERT_EQ(steps_.size(), 11u);
  ExpectAsDescribed("A step of the load", steps_);
}

TEST_F(ResultFormat, SlicesAreAsDescribed) {
  std::vector<Json> slices;
  for (const Json& phase : phases_) {
    if (phase.contains("slices")) slices.push_back(phase["slices"]);
  }
  ExpectAsDescribed("Slices", slices);
}

TEST_F(ResultFormat, TheManifestIsAsDescribed) {
  ExpectAsDescribed("manifest.json", {manifest_});
  EXPECT_EQ(manifest_["schema"], 1);
  EXPECT_EQ(manifest_["schema_minor"], 6);
  ASSERT_GE(manifest_["engines"].size(), 8u);
  ExpectAsDescribed("An engine", manifest_["engines"]);
}

TEST_F(ResultFormat, StatesAfterFaultsAreAsDescribed) {
  const fs::path results =
      fs::path(::testing::TempDir()) / ("docs_test-faults-" + std::to_string(getpid()));
  (void)Output("'" LEVELFIELD
               "' verify durability --engine=leveldb --faults=kill --kills=2 "
               "--results='" +
               results.string() + "' 2>&1");
  std::vector<Json> states, cells, findings;
  for (const auto& entry : fs::directory_iterator(results)) {
    for (const std::string& line : Lines(ReadFile(entry.path() / "durability.jsonl"))) {
      states.push_back(Json::parse(line));
      cells.push_back(states.back().at("cell"));
      findings.push_back(states.back().at("finding"));
    }
  }
  fs::remove_all(results);
  ASSERT_EQ(states.size(), 4u);
  ExpectAsDescribed("durability.jsonl: a state after a fault", states);
  ExpectAsDescribed("A row of durability", cells);
  ExpectAsDescribed("A finding of durability", findings);
}

// Also those that no run here writes.
TEST(ResultFormatPage, NamesEveryField) {
  const std::string page = ReadFile(kRoot / "docs/reference/result_format.md");
  const auto check = [&]<class T>(const T&) {
    T::kFields.ForEach([&](const auto row) {
      EXPECT_NE(page.find("`" + std::string(row.name) + "`"), page.npos)
          << T::kFields.what << ": " << row.name;
    });
  };
  ForEachStruct(PhaseResult(), check);
  ForEachStruct(RunResult(), check);
  ForEachStruct(Overhead(), check);
  ForEachStruct(PhaseInterval(), check);
  ForEachStruct(CrashState(), check);
  ForEachStruct(CrashSkip(), check);
}

// Their types depend on the machine: each may be "unknown: <reason>".
TEST_F(ResultFormat, TheEnvironmentHasTheMembersThatAreDescribed) {
  Members described;
  for (const std::string& line : Lines(ReadFile(kRoot / "docs/reference/result_format.md"))) {
    static bool is_here = false;
    if (line.starts_with("| members")) is_here = true;
    if (!line.starts_with("|")) is_here = false;
    if (!is_here) continue;
    for (const std::string& name : Matches(line.substr(0, line.find('|', 1)), "`([a-z0-9_]+)`")) {
      described[name] = "";
    }
  }
  EXPECT_EQ(NamesOf(Found({manifest_["environment"]})), NamesOf(described));
}

TEST_F(ResultFormat, EveryLineIsAsDescribed) {
  ASSERT_EQ(runs_.size(), manifest_["engines"].size());
  ASSERT_EQ(phases_.size(), runs_.size() * 5 + 11);
  ExpectAsDescribed("A phase", phases_, "results.jsonl: every line");
  ExpectAsDescribed("A role", roles_);
  ExpectAsDescribed("Operation statistics", lanes_);
  ExpectAsDescribed("Latencies", latencies_);
  ExpectAsDescribed("A run", runs_, "results.jsonl: every line");
}

TEST_F(ResultFormat, BucketsBeginWhereThePageSays) {
  const auto first = [](uint64_t b) { return b < 256 ? b : (128 + b % 128) << (b / 128 - 1); };
  ASSERT_FALSE(latencies_.empty());
  for (const Json& latency : latencies_) {
    if (latency["count"] == 0) continue;
    const auto lowest = latency["buckets"].front()[0].get<uint64_t>();
    const auto highest = latency["buckets"].back()[0].get<uint64_t>();
    EXPECT_LE(first(lowest), latency["min"].get<uint64_t>());
    EXPECT_LT(latency["min"].get<uint64_t>(), first(lowest + 1));
    EXPECT_LE(first(highest), latency["max"].get<uint64_t>());
    EXPECT_LT(latency["max"].get<uint64_t>(), first(highest + 1));
  }
}

TEST_F(ResultFormat, EveryOutcomeAndOperationThatOccursIsOnThePage) {
  const std::string page = ReadFile(kRoot / "docs/reference/result_format.md");
  const auto is_named = [&](const Json& name) {
    return page.find("`" + name.get<std::string>() + "`") != std::string::npos;
  };
  for (const Json& phase : phases_) EXPECT_TRUE(is_named(phase["outcome"])) << phase["outcome"];
  for (const Json& stats : lanes_) EXPECT_TRUE(is_named(stats["operation"])) << stats["operation"];
}

}  // namespace
}  // namespace levelfield
