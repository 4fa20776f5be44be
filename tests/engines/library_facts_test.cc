#include "library_facts.h"

#include <gmock/gmock.h>

namespace levelfield {
namespace {

using namespace std::string_literals;

// As `as` and `objdump -d` have them.
TEST(LibraryFacts, KnowCrc32InstructionsOfX86) {
  EXPECT_TRUE(HasCrc32OfX86("\x90\xf2\x48\x0f\x38\xf1\xc1"s));  // crc32q %rcx,%rax
  EXPECT_TRUE(HasCrc32OfX86("\x90\xf2\x45\x0f\x38\xf1\xd9"s));  // crc32l %r9d,%r11d
  EXPECT_TRUE(HasCrc32OfX86("\x90\xf2\x0f\x38\xf0\xc1"s));      // crc32b %cl,%eax
  EXPECT_FALSE(HasCrc32OfX86("\x90\x0f\x38\xf0\xc1\x90"s));     // movbe, without the F2
  EXPECT_FALSE(HasCrc32OfX86("\x66\x0f\x38\x00\xc1\x90"s));     // pshufb %xmm1,%xmm0
  EXPECT_FALSE(HasCrc32OfX86(""));
  EXPECT_FALSE(HasCrc32OfX86("\xf2\x0f\x38"s));
}

TEST(LibraryFacts, KnowCrc32InstructionsOfArm) {
  EXPECT_TRUE(HasCrc32OfArm("\x1f\x20\x03\xd5\x00\x5c\xc1\x9a"s));  // nop; crc32cx w0,w0,x1
  EXPECT_TRUE(HasCrc32OfArm("\x00\x50\xc1\x1a"s));                  // crc32cb w0,w0,w1
  EXPECT_FALSE(HasCrc32OfArm("\x00\x4c\xc1\x9a"s));                 // crc32x: another polynomial
  EXPECT_FALSE(HasCrc32OfArm("\x1f\x20\x03\xd5"s));
  EXPECT_FALSE(HasCrc32OfArm(""));
}

}  // namespace
}  // namespace levelfield
