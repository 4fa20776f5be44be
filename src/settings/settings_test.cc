#include "settings/settings.h"

#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/text.h"
#include "settings/flag_text.h"

namespace levelfield::settings_test {

// A text that the flag accepts and that is not its default.
std::string OtherThanDefault(const Flag& flag) {
  switch (flag.kind) {
    case Flag::Kind::kText:
      return flag.is_closed() ? ChoicesOf(flag).back() : "other";
    case Flag::Kind::kCount:
    case Flag::Kind::kBytes:
      return "17";
    case Flag::Kind::kSeconds:
      return "1.5";
    case Flag::Kind::kRatio:
      return "0.25";
    case Flag::Kind::kSwitch:
      return TextOf(flag, Settings()) == "1" ? "0" : "1";
  }
  return "";
}

// The message of the refusal; fails if the words are accepted, or refused as anything but a usage
// mistake.
std::string Refusal(const std::vector<std::string>& words) {
  return UsageErrorOf(ParseSettings(words));
}

Settings Parsed(const std::vector<std::string>& words) { return Must(ParseSettings(words)); }

std::string Name(const Flag& flag) { return "--" + std::string(flag.name); }

TEST(Settings, EveryFlagIsTakenWithAnEqualsSignAndNoOtherChanges) {
  for (const Flag& flag : Flags()) {
    const std::string text = OtherThanDefault(flag);
    const Settings settings = Parsed({Name(flag) + "=" + text});
    for (const Flag& other : Flags()) {
      EXPECT_EQ(TextOf(other, settings), other.name == flag.name ? text : TextOf(other, Settings()))
          << Name(flag) << " set " << Name(other);
    }
    EXPECT_EQ(settings.given, std::set<std::string>{std::string(flag.name)});
  }
}

TEST(Settings, EveryFlagButASwitchIsTakenWithItsValueInTheNextWord) {
  for (const Flag& flag : Flags()) {
    if (flag.kind == Flag::Kind::kSwitch) continue;
    const std::string text = OtherThanDefault(flag);
    EXPECT_EQ(TextOf(flag, Parsed({Name(flag), text})), text) << Name(flag);
  }
}

TEST(Settings, ASwitchStandsAloneOrSaysYesOrNo) {
  EXPECT_TRUE(Parsed({"--keep"}).keep);
  EXPECT_TRUE(Parsed({"--keep=yes"}).keep);
  EXPECT_FALSE(Parsed({"--keep=0"}).keep);
  EXPECT_TRUE(Parsed({"--histogram"}).histogram);
  EXPECT_TRUE(Parsed({"--histogram=1"}).histogram);
  EXPECT_FALSE(Parsed({"--histogram=0"}).histogram);
  EXPECT_FALSE(Parsed({"--histogram=off"}).histogram);
  EXPECT_THAT(Refusal({"--histogram=2"}), AllOf(HasSubstr("--histogram=2"), HasSubstr("0 or 1")));
}

TEST(Settings, DefaultsAreWhatTheFlagsThemselvesTake) {
  for (const Flag& flag : Flags()) {
    const std::string text = TextOf(flag, Settings());
    if (text.empty()) continue;
    EXPECT_EQ(TextOf(flag, Parsed({Name(flag) + "=" + text})), text) << Name(flag);
  }
}

TEST(Settings, AnUnknownFlagNamesTheNearest) {
  EXPECT_THAT(Refusal({"--nun=5"}), AllOf(HasSubstr("--nun"), HasSubstr("did you mean --num?")));
  EXPECT_THAT(Refusal({"--benchmark=fillseq"}), HasSubstr("did you mean --benchmarks?"));
  EXPECT_THAT(Refusal({"--qqqqqqqqqq"}), HasSubstr("--help"));
  EXPECT_THAT(Refusal({"-n", "5"}), HasSubstr("-n"));
  // db_bench's names, and options of engines.
  EXPECT_THAT(Refusal({"--compression_type=none"}), HasSubstr("did you mean --compression?"));
  EXPECT_THAT(Refusal({"--sync=1"}), HasSubstr("did you mean --durability?"));
  EXPECT_THAT(Refusal({"--subcompactions=2"}), HasSubstr("--rocksdb.max_subcompactions?"));
  EXPECT_THAT(Refusal({"--max_write_buffers=2"}), HasSubstr("in front: --rocksdb."));
  // Neither a beginning of a flag nor another case is accepted.
  EXPECT_THAT(Refusal({"--thread=2"}), HasSubstr("--threads"));
  EXPECT_THAT(Refusal({"--NUM=2"}), HasSubstr("--NUM"));
}

TEST(Settings, AFlagGivenTwiceIsRefused) {
  for (const Flag& flag : Flags()) {
    if (flag.repeats) continue;
    const std::string word = Name(flag) + "=" + OtherThanDefault(flag);
    EXPECT_THAT(Refusal({word, word}), HasSubstr(Name(flag)));
  }
}

TEST(Settings, AFlagThatMayBeRepeatedKeepsAllThatWasGiven) {
  EXPECT_EQ(ParseSettings({"--vary=num=1,2", "--vary=threads=1,2"})->vary, "num=1,2 threads=1,2");
}

TEST(Settings, AFlagWithoutItsValueIsRefused) {
  for (const Flag& flag : Flags()) {
    if (flag.kind == Flag::Kind::kSwitch) continue;
    EXPECT_THAT(Refusal({Name(flag)}), AllOf(HasSubstr(Name(flag)), HasSubstr("needs a value")));
    // Else --db --num=5 would make a directory that is called --num=5.
    EXPECT_THAT(Refusal({Name(flag), "--seed=3"}), HasSubstr("needs a value"));
  }
}

TEST(Settings, NoNumberTakesWhatIsNone) {
  using Kind = Flag::Kind;
  for (const Flag& flag : Flags()) {
    if (flag.kind == Kind::kText || flag.kind == Kind::kSwitch) continue;
    for (const char* const text : {"10k5", "", "-1", "nan", "inf", "1e999", "0x10", "1,000", "five",
                                   "99999999999999999999999999"}) {
      if (text == std::string_view("-1") && flag.min < 0) continue;
      const std::string message = Refusal({Name(flag) + "=" + text});
      EXPECT_THAT(message, HasSubstr(Name(flag) + "=" + text)) << message;
      EXPECT_GT(message.size(), Name(flag).size() + 20) << "says what is accepted: " << message;
    }
    EXPECT_THAT(Refusal({Name(flag) + "=" + std::string("5\0", 2)}), HasSubstr("NUL"));
  }
}

TEST(Settings, AnUnknownUnitIsRefusedWithThoseThatThereAre) {
  EXPECT_THAT(Refusal({"--value_size=64MX"}),
              AllOf(HasSubstr("--value_size=64MX"), HasSubstr("64M"), HasSubstr("1024")));
  EXPECT_THAT(Refusal({"--cache_size=64MX"}),
              AllOf(HasSubstr("--cache_size=64MX"), HasSubstr("64M"), HasSubstr("1024")));
  EXPECT_THAT(Refusal({"--num=64MB"}), AllOf(HasSubstr("--num=64MB"), HasSubstr("1000")));
}

TEST(Settings, TextsAreRefusedWhereTheyAreEmptyOrHoldANul) {
  for (const Flag& flag : Flags()) {
    if (flag.kind != Flag::Kind::kText) continue;
    EXPECT_THAT(Refusal({Name(flag) + "=" + std::string("a\0b", 3)}), HasSubstr("NUL"));
    if (TextOf(flag, Settings()).empty() && !flag.engine_option) continue;  // --db=, --compat=
    EXPECT_THAT(Refusal({Name(flag) + "="}), HasSubstr(Name(flag)));
  }
  EXPECT_EQ(Parsed({"--db=", "x"}).db, "");
  EXPECT_THAT(Refusal({"--num=", "5"}), HasSubstr("--num="));
}

TEST(Settings, AFlagWithChoicesTakesEachOfThemAndNothingElse) {
  for (const Flag& flag : Flags()) {
    if (!flag.is_closed()) continue;
    const std::vector<std::string> choices = ChoicesOf(flag);
    ASSERT_GE(choices.size(), 1u) << flag.name;
    for (const std::string& choice : choices) {
      EXPECT_EQ(TextOf(flag, Parsed({Name(flag) + "=" + choice})), choice) << flag.name;
      for (const std::string& other : {choice + "x", choice + ",", "(" + choice + ")"}) {
        EXPECT_THAT(Refusal({Name(flag) + "=" + other}),
                    AllOf(HasSubstr(Name(flag) + "=" + other), HasSubstr(Listed(choices, "or")),
                          HasSubstr("is accepted")));
      }
    }
    if (choices.size() < 2) continue;
    const std::string both = choices[0] + "," + choices[1];
    if (flag.takes_several) {
      EXPECT_EQ(TextOf(flag, Parsed({Name(flag) + "=" + both})), both);
    } else {
      EXPECT_THAT(Refusal({Name(flag) + "=" + both}), HasSubstr("is accepted"));
    }
  }
}

TEST(Settings, OfChoicesTheNearestIsNamed) {
  EXPECT_THAT(
      Refusal({"--durability=sinced"}),
      HasSubstr("--durability=sinced: only none, process or synced is accepted; did you mean "
                "'synced'?"));
  EXPECT_THAT(Refusal({"--fs=ext4,xsf"}), HasSubstr("did you mean 'xfs'?"));
}

// Choices that the program knows and refuses with a better reason than "no choice".
TEST(Settings, AWordInParenthesesIsTakenAndNotOffered) {
  EXPECT_EQ(Parsed({"--fs=ext4,zfs"}).fs, "ext4,zfs");
  EXPECT_EQ(Parsed({"--expire_style=compaction_filter"}).expire_style, "compaction_filter");
  for (const Flag& flag : Flags()) {
    for (const std::string& choice : ChoicesOf(flag)) EXPECT_FALSE(choice.starts_with('('));
  }
}

TEST(Settings, ChoicesAreInTheHelpAndOnThePage) {
  const std::string help = FlagsHelp(AllFlags());
  const std::string page = FlagsMarkdown();
  EXPECT_THAT(help, HasSubstr("One of: none, process, synced\n"));
  EXPECT_THAT(page, HasSubstr("| `--durability` | `none`, `process`, `synced` | `process` |"));
  EXPECT_THAT(page, HasSubstr("`reiserfs`"));
}

TEST(Settings, NumbersHaveTheirRange) {
  EXPECT_THAT(Refusal({"--num=0"}), HasSubstr("from 1 to 10000000000000000 is accepted"));
  EXPECT_THAT(Refusal({"--num=10000000000000002"}), HasSubstr("--num"));
  EXPECT_THAT(Refusal({"--key_size=0"}), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(Refusal({"--value_size=1073741825"}), HasSubstr("from 0 to 1073741824"));
  EXPECT_THAT(Refusal({"--threads=0"}), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(Refusal({"--compression_ratio=0"}), HasSubstr("from 0.05 to 1"));
  EXPECT_THAT(Refusal({"--compression_ratio=1.01"}), HasSubstr("from 0.05 to 1"));
  EXPECT_THAT(Refusal({"--stall=0"}), HasSubstr("from 0.1"));
}

TEST(Settings, NumbersOf64BitsComeThroughWhole) {
  EXPECT_EQ(Parsed({"--seed=18446744073709551615"}).seed, 18446744073709551615u);
  EXPECT_EQ(Parsed({"--seed=9007199254740993"}).seed, 9007199254740993u);  // No double.
  EXPECT_EQ(Parsed({"--num=9007199254740993"}).num, 9007199254740993u);
  EXPECT_EQ(Parsed({"--reads=999999999999999999"}).reads, 999999999999999999u);
  EXPECT_THAT(Refusal({"--seed=18446744073709551616"}), HasSubstr("--seed"));
}

TEST(Settings, UnitsAreThoseOfTheKind) {
  EXPECT_EQ(Parsed({"--num=10k"}).num, 10'000u);
  EXPECT_EQ(Parsed({"--num=1e6"}).num, 1'000'000u);
  EXPECT_EQ(Parsed({"--value_size=64k"}).value_size, 65'536u);
  EXPECT_DOUBLE_EQ(Parsed({"--duration=500ms"}).duration, 0.5);
  EXPECT_DOUBLE_EQ(Parsed({"--stall=2m"}).stall, 120);
}

TEST(Settings, AnEnginesOptionIsKeptUnderItsEngineInTheOrderGiven) {
  const Settings settings = Parsed({"--rocksdb.b=4", "--rocksdb.a", "x=y", "--lmdb.map=1.5G",
                                    "--rocksdb.path=/a.b/c", "--num=5"});
  using Options = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(settings.engine_options.at("rocksdb"),
            (Options{{"b", "4"}, {"a", "x=y"}, {"path", "/a.b/c"}}));
  EXPECT_EQ(settings.engine_options.at("lmdb"), (Options{{"map", "1.5G"}}));
  EXPECT_EQ(settings.num, 5u);
  EXPECT_EQ(Parsed({"--rocksdb.x="}).engine_options.at("rocksdb"), (Options{{"x", ""}}));
}

TEST(Settings, AnEnginesOptionNeedsBothNamesAndAValue) {
  EXPECT_THAT(Refusal({"--.x=1"}), HasSubstr("--<engine>.<option>=value"));
  EXPECT_THAT(Refusal({"--rocksdb.=1"}), HasSubstr("--<engine>.<option>=value"));
  EXPECT_THAT(Refusal({"--rocksdb.x"}), HasSubstr("needs a value"));
  EXPECT_THAT(Refusal({"--rocksdb.x", "--num=5"}), HasSubstr("needs a value"));
}

TEST(Settings, AMessageNeverMovesTheCursor) {
  for (const std::string& word : {std::string("--nu\x1b[2Jm=5"), std::string("--num=\x1b[2J"),
                                  std::string("--engine.\x1b[2J"), std::string("-\x1b[2J")}) {
    EXPECT_EQ(Refusal({word}).find('\x1b'), std::string::npos);
  }
}

TEST(Settings, WordsThatAreNoFlagsAreArgumentsInTheirOrder) {
  EXPECT_EQ(Parsed({"one", "--num=5", "two", "-"}).arguments,
            (std::vector<std::string>{"one", "two", "-"}));
}

TEST(Settings, HelpAndPageNameEveryFlagItsDefaultAndItsMeaning) {
  std::string help = FlagsHelp(AllFlags());
  std::ranges::replace(help, '\n', ' ');
  std::string squeezed;
  for (const char c : help) {
    if (c != ' ' || squeezed.empty() || squeezed.back() != ' ') squeezed += c;
  }
  for (const Flag& flag : Flags()) {
    EXPECT_THAT(squeezed, HasSubstr(" " + Name(flag) + "="));
    EXPECT_THAT(squeezed, HasSubstr(std::string(flag.help)));
    EXPECT_THAT(FlagsMarkdown(), HasSubstr("| `" + Name(flag) + "` |"));
    EXPECT_THAT(FlagsMarkdown(), HasSubstr(std::string(flag.help)));
    EXPECT_THAT(FlagsMarkdown(), HasSubstr(TextOf(flag, Settings())));
  }
}

TEST(Settings, HelpFitsATerminalOf100Columns) {
  for (const std::string& line : LinesOf(FlagsHelp(AllFlags()))) {
    EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Settings, FlagsThatDoNotGoTogetherAreRefusedWithTheirValues) {
  const auto refusal = [](const std::vector<std::string>& words) {
    return UsageErrorOf(CheckFlags(Parsed(words)));
  };
  EXPECT_TRUE(CheckFlags(Settings()).ok());
  EXPECT_EQ(refusal({"--value_size_distribution_type=normal", "--value_size_min=7",
                     "--value_size_max=5"}),
            "--value_size_min=7: is more than --value_size_max=5");
  EXPECT_EQ(refusal({"--fs_mount=noatime"}), "--fs_mount: of which file system? Say --fs=<kind>");
  EXPECT_THAT(refusal({"--slo=p99<1ms\x1b", "--rate=5"}), HasSubstr("--rate=5"));
}

TEST(Settings, WhatARefusalNamesInBracesIsAFlag) {
  for (const Flag& flag : Flags()) {
    for (const Flag::Refusal& refusal : flag.refused) {
      std::string_view rest = refusal.message;
      for (size_t open = 0; (open = rest.find('{')) != rest.npos;) {
        const std::string_view name = rest.substr(open + 1, rest.find('}') - open - 1);
        EXPECT_TRUE(name.empty() || FindFlag(name) != nullptr) << flag.name << ": " << name;
        rest.remove_prefix(rest.find('}') + 1);
      }
    }
  }
}

TEST(Settings, WhatIsOfNoMatterToAResultMattersWhereItIsUnknown) {
  EXPECT_FALSE(Matters("results"));
  EXPECT_TRUE(Matters("num"));
  EXPECT_TRUE(Matters("of_a_later_version"));
}

// A word as a shell hands it over, drawn from what has a meaning to a parser.
std::string AnyWord() {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "[", "]", ",", "\"", "'", "{", "}", "\\", "%", "\n", "\t", " ", "=", "-", "--", ".", "/",
      "\xff", "\xc3", "\x1b", "\uef80"));
  std::string word;
  for (const std::string& part : parts) word += part;
  return word;
}

RC_GTEST_PROP(ParseSettings, TakesAPathOfAnyBytesAsItIs, ()) {
  const std::string path = "x" + AnyWord();
  RC_ASSERT(Parsed({"--db=" + path}).db == path);
  RC_ASSERT(Parsed({"--results", path}).results == path);
  RC_ASSERT(Parsed({path}).arguments == std::vector<std::string>{path});
  RC_ASSERT(Parsed({"--stub.option=" + path}).engine_options.at("stub").front().second == path);
  const std::string word = AnyWord();
  if (!word.empty()) RC_ASSERT(Parsed({"--trace=" + word}).trace == word);
}

}  // namespace levelfield::settings_test
