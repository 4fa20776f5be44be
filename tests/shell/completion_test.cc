// What the shells themselves complete, of the scripts that the program prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "settings/flag_values.h"
#include "settings/settings.h"
#include "terminal.h"

namespace levelfield {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// What bash would offer behind this line, the cursor at its end.
std::vector<std::string> BashOffers(const std::string& line) {
  const CommandResult result = RunCommand(
      "bash --norc -c 'source <(\"$0\" completion bash); COMP_WORDBREAKS=$'\\'' "
      "\\t\\n\"'\\''\"'\\''"
      "\"$'\\''@><=;|&(:'\\''; COMP_LINE=$1 COMP_POINT=${#1}; _levelfield; "
      "printf \"%s\\n\" \"${COMPREPLY[@]}\"' '" LEVELFIELD "' '" +
      line + "'");
  EXPECT_EQ(result.exit_code, 0) << result.out;
  std::vector<std::string> offers = LinesOf(result.out);
  std::erase(offers, "");
  return offers;
}

TEST(BashCompletion, KnowsVerbsFlagsAndValues) {
  EXPECT_THAT(BashOffers("levelfield r"), ElementsAre("run", "report"));
  EXPECT_THAT(BashOffers("levelfield "), IsSupersetOf({"run", "compare", "help", "completion"}));
  EXPECT_THAT(BashOffers("levelfield run --dura"),
              UnorderedElementsAre("--durability=", "--duration="));
  EXPECT_THAT(BashOffers("levelfield run --durability="), ElementsAre("none", "process", "synced"));
  EXPECT_THAT(BashOffers("levelfield run --durability s"), ElementsAre("synced"));
  EXPECT_THAT(BashOffers("levelfield run --num=5 --durability=p"), ElementsAre("process"));
  EXPECT_THAT(BashOffers("levelfield report --format=m"), ElementsAre("markdown"));
  EXPECT_THAT(BashOffers("levelfield verify conf"), ElementsAre("conformance"));
  EXPECT_THAT(BashOffers("levelfield suite rocks"), ElementsAre("rocksdb_flash"));
  EXPECT_THAT(BashOffers("levelfield completion f"), ElementsAre("fish"));
  EXPECT_THAT(BashOffers("levelfield help mem"), ElementsAre("memory"));
}

TEST(BashCompletion, KnowsTheEnginesThatAreHereAlsoBehindAComma) {
  EXPECT_THAT(BashOffers("levelfield run --engine="), IsSupersetOf({"all", "leveldb", "lmdb"}));
  EXPECT_THAT(BashOffers("levelfield run --engine=leveldb,lm"), ElementsAre("leveldb,lmdb"));
  EXPECT_THAT(BashOffers("levelfield run --engine=leveldb@sys"), ElementsAre("system"))
      << "bash's own word begins behind the @";
  EXPECT_THAT(BashOffers("levelfield run --benchmarks=fillseq,readrand"),
              Contains("fillseq,readrandom"));
}

TEST(BashCompletion, OffersAVerbNoFlagThatMeansNothingToIt) {
  EXPECT_THAT(BashOffers("levelfield compare --nu"), IsEmpty());
  EXPECT_THAT(BashOffers("levelfield run --nu"), Contains("--num="));
}

TEST(BashCompletion, CompletesAtTheKeyboard) {
  Terminal bash({"bash", "--norc", "--noprofile", "-i"}, 24, 100);
  bash.Type("PS1='ready> '; bind 'set bell-style none'; PATH=" BUILD_DIRECTORY
            ":$PATH; source <(levelfield completion bash)\n");
  ASSERT_TRUE(bash.Shows("ready> ", 20)) << bash.seen();
  bash.Forget();
  bash.Type("levelfield run --durability=sy\t");
  EXPECT_TRUE(bash.Shows("--durability=synced", 20)) << bash.seen();
  bash.Forget();
  bash.Type(" --engine=leveldb@\t");
  EXPECT_TRUE(bash.Shows("system", 20)) << bash.seen();
}

TEST(ZshCompletion, CompletesAtTheKeyboard) {
  if (!IsInstalled("zsh")) GTEST_SKIP() << "zsh is not installed: apt-get install zsh";
  Terminal zsh({"zsh", "-f", "-i"}, 24, 100);
  zsh.Type("PS1='ready> '; path=(" BUILD_DIRECTORY
           " $path); autoload -U compinit; compinit -u -D; source =(levelfield completion zsh); "
           "echo so\"urc\"ed\n");
  ASSERT_TRUE(zsh.Shows("sourced", 30)) << zsh.seen();
  zsh.Forget();
  zsh.Type("levelfield compl\t");
  EXPECT_TRUE(zsh.Shows("completion", 20)) << zsh.seen();
  zsh.Type("zs\t");
  EXPECT_TRUE(zsh.Shows("zsh", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --durability=sy\t");
  EXPECT_TRUE(zsh.Shows("synced", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --engine=lmdb,leveldb@s\t");
  EXPECT_TRUE(zsh.Shows("system", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --zipf\t");
  EXPECT_TRUE(zsh.Shows("exponent=", 20)) << zsh.seen();
  EXPECT_THAT(zsh.seen(), Not(HasSubstr("command not found")));
}

std::vector<std::string> FishOffers(const std::string& line) {
  std::vector<std::string> offers;
  const CommandResult result = RunCommand("HOME=/nonexistent fish --no-config -c \"'" LEVELFIELD
                                          "' completion fish | source; complete -C '" +
                                          line + "'\"");
  for (const std::string& offer : LinesOf(result.out)) {
    offers.push_back(offer.substr(0, offer.find('\t')));
  }
  return offers;
}

TEST(FishCompletion, KnowsVerbsFlagsAndValues) {
  if (!IsInstalled("fish")) GTEST_SKIP() << "fish is not installed: apt-get install fish";
  EXPECT_THAT(FishOffers("levelfield compl"), ElementsAre("completion"));
  EXPECT_THAT(FishOffers("levelfield run --durability="),
              ElementsAre("--durability=none", "--durability=process", "--durability=synced"));
  EXPECT_THAT(FishOffers("levelfield run --engine="), Contains("--engine=lmdb"));
  EXPECT_THAT(FishOffers("levelfield compare --num"), IsEmpty());
  EXPECT_THAT(FishOffers("levelfield verify con"), ElementsAre("conformance"));
}

// What completion offers is what the program takes: words of the same row.
TEST(Choices, AreOfferedAsTheyAreTaken) {
  for (const Flag& flag : Flags()) {
    if (!flag.is_closed) continue;
    const std::string name = "--" + std::string(flag.name);
    std::vector<std::string> offers = BashOffers("levelfield run " + name + "=");
    EXPECT_EQ(offers, ChoicesOf(flag)) << name;
    const std::string plan = "'" LEVELFIELD "' plan --engine=memory --benchmarks=" +
                             std::string(flag.name == "ycsb_requests" ? "ycsb-c" : "readrandom") +
                             " --num=1000 " + name + "=";
    for (const std::string& offer : offers) {
      // It may not go together with the rest, which is another matter.
      EXPECT_THAT(RunCommand(plan + offer).out, Not(HasSubstr("accepted"))) << name << "=" << offer;
    }
    const CommandResult refused = RunCommand(plan + "no_such_word");
    EXPECT_EQ(refused.exit_code, 2) << name;
    EXPECT_THAT(refused.out, HasSubstr(Alternatives(offers) + " is accepted")) << name;
  }
}

TEST(Choices, OfSettingsAndFileSystemsAreComplete) {
  EXPECT_THAT(BashOffers("levelfield run --settings="), ElementsAre("equal", "default", "tuned"));
  EXPECT_THAT(BashOffers("levelfield run --fs=ext4,x"), ElementsAre("ext4,xfs"));
  EXPECT_EQ(BashOffers("levelfield run --fs=").size(), 12u);
}

TEST(Choices, OfAFormatAreThoseThatAReportHas) {
  for (const std::string& format : BashOffers("levelfield report --format=")) {
    const std::string said =
        RunCommand("'" LEVELFIELD "' report --to=x --format=" + format + " /nonexistent/result")
            .out;
    EXPECT_THAT(said, Not(HasSubstr("no such format"))) << format;
  }
}

TEST(Choices, AreNamedInTheFlagsHelp) {
  for (const Flag& flag : Flags()) {
    for (const std::string& choice : ChoicesOf(flag)) {
      if (choice.starts_with('<') || flag.name == "compression") continue;
      const std::string help = RunCommand("'" LEVELFIELD "' help --" + std::string(flag.name)).out;
      EXPECT_THAT(help, ContainsRegex("[` ]" + choice + "[`,\n]")) << flag.name;
    }
  }
}

// Words behind a verb: each one that is offered means something to it, or it would be answered as
// one that does not.
TEST(WordsBehindAVerb, AreKnownToIt) {
  EXPECT_THAT(BashOffers("levelfield docs "),
              IsSupersetOf({"flags", "workloads", "engines", "man", "durability", "rocksdb_flash",
                            "leveldb_2011", "db_bench_2016", "lmdb_2012"}));
  for (const std::string verb : {"docs", "completion", "suite"}) {
    const auto answer_to = [&](const std::string& word) {
      std::string said = RunCommand("cd / && '" LEVELFIELD "' " + verb + " " + word).out;
      for (size_t at = 0; (at = said.find(word, at)) != said.npos;) said.erase(at, word.size());
      return said;
    };
    const std::string unknown = answer_to("no_such_word");
    for (const std::string& word : BashOffers("levelfield " + verb + " ")) {
      if (word.find('/') != word.npos || word.starts_with("-")) continue;
      EXPECT_NE(answer_to(word), unknown) << verb << " " << word;
    }
  }
}

}  // namespace
}  // namespace levelfield
