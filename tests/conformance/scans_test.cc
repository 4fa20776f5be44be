// Scans: from every kind of seek, in both directions, against the model.
#include <string>
#include <vector>

#include "base/quote.h"
#include "conformance.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(Scans, AnswersConformance);

constexpr lf_seek kSeeks[] = {LF_FIRST, LF_LAST, LF_AT_OR_AFTER, LF_AT_OR_BEFORE};

// Keys that an order by anything but unsigned bytes puts elsewhere: prefixes of each other, NULs,
// bytes that are negative as char, digits that sort otherwise as numbers.
Model AwkwardKeys() {
  Model model;
  for (const std::string& key :
       {std::string("b"), std::string("b\0", 2), std::string("b\0\0", 3), std::string("bb"),
        std::string("\0x", 2), std::string("B"), std::string("\x7f"), std::string("\x80"),
        std::string("\xff"), std::string("\xff\xff"), std::string("\xff\x01"), std::string("10"),
        std::string("9"), std::string("d"), std::string("f"), std::string(200, 'd')}) {
    model[key] = "value of " + key;
  }
  return model;
}

void Fill(TestSession& session, const Model& model) {
  // Backwards, so that an engine that keeps the order of arrival is found out.
  for (auto it = model.rbegin(); it != model.rend(); ++it) {
    ASSERT_EQ(session.Put(it->first, it->second), LF_OK);
  }
}

// Every key, and one just before and just after each.
std::vector<std::string> Probes(const Model& model) {
  std::vector<std::string> probes = {std::string(1, '\0'), std::string(300, '\xff'), "a", "zzz"};
  for (const auto& [key, value] : model) {
    probes.push_back(key);
    probes.push_back(key + std::string(1, '\0'));
    std::string before = key;
    if (before.back() == '\0') {
      before.pop_back();
    } else {
      before.back() = static_cast<char>(static_cast<unsigned char>(before.back()) - 1);
    }
    if (!before.empty()) probes.push_back(before);
  }
  return probes;
}

TEST_P(Scans, GoInTheOrderOfUnsignedBytesBothWays) {
  StoreSession session(Open());
  const Model model = AwkwardKeys();
  Fill(session, model);
  EXPECT_EQ(session.Everything(), model);
  EXPECT_EQ(session.EverythingBackwards(), model);
}

TEST_P(Scans, EverySeekLandsWhereTheModelSays) {
  StoreSession session(Open());
  const Model model = AwkwardKeys();
  Fill(session, model);
  for (const lf_seek how : kSeeks) {
    for (const std::string& probe : Probes(model)) {
      EXPECT_EQ(session.Seek(how, probe), SeekIn(model, how, probe))
          << "seek " << how << " of " << Quote(probe);
    }
  }
}

TEST_P(Scans, EverySeekCanBeFollowedToBothEnds) {
  StoreSession session(Open());
  const Model model = AwkwardKeys();
  Fill(session, model);
  for (const lf_seek how : kSeeks) {
    for (const std::string& probe : Probes(model)) {
      const Answer start = SeekIn(model, how, probe);
      if (start.code != LF_OK) continue;
      ASSERT_EQ(session.Seek(how, probe), start);
      auto it = model.find(start.key);
      for (Answer answer = start; answer.code == LF_OK;) {
        answer = session.Next();
        ASSERT_EQ(answer, EntryAt(model, ++it)) << "next after seek " << how << Quote(probe);
      }
      ASSERT_EQ(session.Seek(how, probe), start);
      it = model.find(start.key);
      for (Answer answer = start; answer.code == LF_OK;) {
        answer = session.Prev();
        ASSERT_EQ(answer, EntryBefore(model, it)) << "prev after seek " << how << Quote(probe);
        if (answer.code == LF_OK) --it;
      }
    }
  }
}

TEST_P(Scans, NextAndPrevMayBeMixed) {
  StoreSession session(Open());
  Model model;
  for (char c = 'a'; c <= 'z'; ++c) model[std::string(1, c)] = std::string(3, c);
  Fill(session, model);
  for (const lf_seek how : kSeeks) {
    Answer answer = session.Seek(how, "mm");
    ASSERT_EQ(answer, SeekIn(model, how, "mm"));
    auto it = model.find(answer.key);
    // Away from the end that the scan begins at; the walk is shorter than the way to the other.
    const bool is_first = how == LF_FIRST;
    for (const char step : std::string("++-+-+++--+-+--+++-++")) {
      if ((step == '+') == (how != LF_LAST)) {
        if (std::next(it) == model.end()) break;
        ASSERT_EQ(session.Next(), EntryAt(model, ++it)) << "seek " << how;
      } else {
        ASSERT_NE(it, model.begin()) << is_first;
        ASSERT_EQ(session.Prev(), EntryAt(model, --it)) << "seek " << how;
      }
    }
  }
}

TEST_P(Scans, OfAnEmptyStoreFindNothing) {
  StoreSession session(Open());
  for (const lf_seek how : kSeeks) EXPECT_EQ(session.Seek(how, "k"), NotFound());
  ASSERT_EQ(session.Put("k", "v"), LF_OK);
  ASSERT_EQ(session.Erase("k"), LF_OK);
  for (const lf_seek how : kSeeks) EXPECT_EQ(session.Seek(how, "k"), NotFound());
}

TEST_P(Scans, OfOneEntryFindItFromEverySide) {
  StoreSession session(Open());
  const Model model = {{"k", "v"}};
  ASSERT_EQ(session.Put("k", "v"), LF_OK);
  for (const lf_seek how : kSeeks) {
    for (const char* probe : {"a", "k", "z"}) {
      EXPECT_EQ(session.Seek(how, probe), SeekIn(model, how, probe)) << how << probe;
    }
  }
  ASSERT_EQ(session.Seek(LF_FIRST).code, LF_OK);
  EXPECT_EQ(session.Next(), NotFound());
  ASSERT_EQ(session.Seek(LF_FIRST).code, LF_OK);
  EXPECT_EQ(session.Prev(), NotFound());
}

TEST_P(Scans, AnEmptyProbeIsBeforeEverythingOrRefusedWithAReason) {
  StoreSession session(Open());
  const Model model = {{"a", "1"}, {"b", "2"}};
  Fill(session, model);
  for (const lf_seek how : {LF_AT_OR_AFTER, LF_AT_OR_BEFORE}) {
    const Answer answer = session.Seek(how, "");
    if (answer.code == LF_OK || answer.code == LF_NOT_FOUND) {
      EXPECT_EQ(answer, SeekIn(model, how, "")) << how;
    } else {
      (void)WorksOrSaysWhyNot(answer.code, "seek of an empty key");
    }
  }
}

TEST_P(Scans, StepOverWhatIsErased) {
  StoreSession session(Open());
  Model model;
  for (int i = 1000; i < 2000; ++i) model[std::to_string(i)] = std::to_string(i);
  Fill(session, model);
  for (int i = 1000; i < 2000; ++i) {
    if (i % 100 == 0) continue;
    ASSERT_EQ(session.Erase(std::to_string(i)), LF_OK);
    model.erase(std::to_string(i));
  }
  EXPECT_EQ(session.Everything(), model);
  EXPECT_EQ(session.EverythingBackwards(), model);
  EXPECT_EQ(session.Seek(LF_AT_OR_AFTER, "1101"), Entry("1200", "1200"));
  EXPECT_EQ(session.Seek(LF_AT_OR_BEFORE, "1199"), Entry("1100", "1100"));
}

TEST_P(Scans, SeeTheirOwnSessionsEarlierWrites) {
  StoreSession session(Open());
  ASSERT_EQ(session.Put("a", "1"), LF_OK);
  EXPECT_EQ(session.Seek(LF_FIRST), Entry("a", "1"));
  ASSERT_EQ(session.Put("a", "2"), LF_OK);
  EXPECT_EQ(session.Seek(LF_FIRST), Entry("a", "2"));
  ASSERT_EQ(session.Put("A", "3"), LF_OK);
  EXPECT_EQ(session.Seek(LF_FIRST), Entry("A", "3"));
  EXPECT_EQ(session.Next(), Entry("a", "2"));
  ASSERT_EQ(session.Erase("A"), LF_OK);
  EXPECT_EQ(session.Seek(LF_FIRST), Entry("a", "2"));
}

TEST_P(Scans, AFreshScanMayBeginInTheMiddleOfAnother) {
  StoreSession session(Open());
  const Model model = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  Fill(session, model);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(session.Seek(LF_FIRST), Entry("a", "1"));
    ASSERT_EQ(session.Next(), Entry("b", "2"));
    ASSERT_EQ(session.Seek(LF_LAST), Entry("c", "3"));
    ASSERT_EQ(session.Get("a"), Value("1"));
  }
}

}  // namespace
}  // namespace levelfield
