#include "base/sealed_json.h"

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::sealed_json_test {

using Json = nlohmann::ordered_json;

const Json kObject = {{"type", "phase"}, {"rate", 12.5}, {"text", "a } \"crc32\": b"}};

TEST(SealedJson, IsTheSameObjectWithOneMemberMore) {
  for (const int indent : {-1, 1}) {
    Json read = Json::parse(SealedText(kObject, indent));
    EXPECT_EQ(read["crc32"].get<std::string>().size(), 8u);
    read.erase("crc32");
    EXPECT_EQ(read, kObject);
  }
}

TEST(SealedJson, IsOneLineOrAFileThatEndsWithANewline) {
  EXPECT_EQ(SealedText(kObject).find('\n'), std::string::npos);
  EXPECT_TRUE(SealedText(kObject, 1).ends_with("\"\n}\n"));
}

// Every description of CRC-32 gives this sum for "123456789".
TEST(SealedJson, HasTheSumOfAllBytesBeforeIt) {
  EXPECT_EQ(SealOf(R"(123456789,"crc32":"cbf43926"})"), Seal::kWhole);
  EXPECT_EQ(SealOf(R"(123456780,"crc32":"cbf43926"})"), Seal::kBroken);
}

// A flip in the seal's own frame (its name, its quotes) leaves a text without a seal, but the
// sealed part intact.
TEST(SealedJson, EveryFlippedBitOfWhatIsSealedIsFound) {
  for (const int indent : {-1, 1}) {
    const std::string text = SealedText(kObject, indent);
    ASSERT_EQ(SealOf(text), Seal::kWhole);
    const size_t frame = text.rfind("\"crc32\":") - (indent < 0 ? 1 : 3);
    for (size_t i = 0; i < text.size() * 8; ++i) {
      std::string flipped = text;
      flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << i % 8));
      if (i / 8 < frame) {
        EXPECT_EQ(SealOf(flipped), Seal::kBroken) << flipped;
      } else {
        EXPECT_NE(SealOf(flipped), Seal::kWhole) << flipped;
      }
    }
  }
}

TEST(SealedJson, MayHaveNone) {
  EXPECT_EQ(SealOf(kObject.dump()), Seal::kNone);
  EXPECT_EQ(SealOf(""), Seal::kNone);
  EXPECT_EQ(SealOf(R"({"crc32":"0123"})"), Seal::kNone);
}

class SealedFiles : public ::testing::Test {
 protected:
  std::string File(const std::string& text) {
    Write(directory_ / "file", text);
    return directory_ / "file";
  }
  static std::string Line(int number) { return SealedText(Json{{"number", number}}) + "\n"; }

  TemporaryDirectory directory_;
  bool torn_ = false;
};

TEST_F(SealedFiles, AreReadAsTheyWereWritten) {
  EXPECT_EQ(Must(ReadSealedLines(File(Line(1) + Line(2)), &torn_)).size(), 2u);
  EXPECT_EQ(*ReadSealedFile(File(SealedText(kObject, 1))), SealedText(kObject, 1));
}

TEST_F(SealedFiles, ADamagedLineIsToldByItsNumber) {
  std::string second = Line(2);
  second[10] = '3';
  const std::string path = File(Line(1) + second + Line(3));
  const Status status = ReadSealedLines(path, &torn_).status();
  EXPECT_THAT(status.message(), HasSubstr(path + ", line 2: does not fit its checksum"));
}

TEST_F(SealedFiles, ALineWhoseSealIsGoneIsToldWhereOthersHaveOne) {
  const Status status = ReadSealedLines(File(Line(1) + "{\"number\":2}\n"), &torn_).status();
  EXPECT_THAT(status.message(), HasSubstr(", line 2: has no checksum"));
}

TEST_F(SealedFiles, WithoutAnySealAreReadAsTheyAre) {
  const auto lines = Must(ReadSealedLines(File("{\"number\":1}\n{\"number\":2}\n"), &torn_));
  EXPECT_EQ(lines.size(), 2u);
  EXPECT_TRUE(ReadSealedFile(File("{\n \"name\": \"run\"\n}\n")).ok());
}

TEST_F(SealedFiles, ATornLastLineIsLeftOut) {
  const auto lines = Must(ReadSealedLines(File(Line(1) + Line(2).substr(0, 15)), &torn_));
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_TRUE(torn_);
}

TEST_F(SealedFiles, OfManyLinesAreGoneThroughOneByOne) {
  std::string text;
  for (int number = 1; number <= 5000; ++number) text += Line(number);
  const std::string path = File(text);
  uint64_t seen = 0;
  const auto take = [&](const std::string& line, uint64_t number) {
    EXPECT_EQ(Json::parse(line)["number"], number);
    EXPECT_EQ(++seen, number);
    return number < 4000 ? Status::Ok() : Status::Failed("enough");
  };
  EXPECT_EQ(ForEachSealedLine(path, &torn_, 100, take).message(), "enough");
  EXPECT_EQ(seen, 4000u);
  EXPECT_FALSE(ForEachSealedLine(path, &torn_, 10, take).ok()) << "a line is longer than that";
}

TEST_F(SealedFiles, ADamagedFileIsToldByItsName) {
  std::string text = SealedText(kObject, 1);
  text[text.find("12.5")] = '9';
  const std::string path = File(text);
  const Status status = ReadSealedFile(path).status();
  EXPECT_THAT(status.message(), HasSubstr(path + ": does not fit its checksum"));
}

}  // namespace levelfield::sealed_json_test
