// For tests: GoogleTest, and the matchers that several tests use, by their plain names.
#ifndef LEVELFIELD_BASE_MATCHERS_FOR_TEST_H_
#define LEVELFIELD_BASE_MATCHERS_FOR_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_MATCHERS_FOR_TEST_H_
