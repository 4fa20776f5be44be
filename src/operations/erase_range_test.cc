#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "worker/roles_for_test.h"
#include "workload/workload_file.h"

namespace levelfield::erase_range_test {

// Uses the calls that the engine has.
lf_code EraseOneByOne(lf_session* session, lf_bytes from, lf_bytes to) {
  std::string next(from.data, from.size);
  while (next < std::string(to.data, to.size)) {
    lf_bytes key;
    lf_bytes value;
    if (honest.seek(session, LF_AT_OR_AFTER, {next.data(), next.size()}, &key, &value) != LF_OK) {
      return LF_OK;
    }
    next.assign(key.data, key.size);
    if (next >= std::string(to.data, to.size)) return LF_OK;
    if (const lf_code code = honest.erase(session, {next.data(), next.size()}); code != LF_OK) {
      return code;
    }
  }
  return LF_OK;
}

Judged RunOn(decltype(lf_engine::delete_range) delete_range, uint64_t threads) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 1000), .operations = 900});
  Workload workload = Must(
      ParseWorkload("ranges",
                    "summary = ranges\nfamily = mixed\nneeds = loaded store\n[client]\nnexts = 9\n"
                    "op = 50% get, 45% put, 5% erase range\nrange = 1000\nvalue_size = 100\n"
                    "stop = after 4000 operations\n",
                    {.num = 1000}));
  workload.roles.front().threads = threads;
  return JudgedRole(fixture, workload, fixture.state(), 2000,
                    With(&lf_engine::delete_range, delete_range));
}

TEST(EraseRange, ErasesTheKeysOfTheRangeAndNoOthers) {
  for (const uint64_t threads : {1, 3}) {
    EXPECT_THAT(RunOn(EraseOneByOne, threads).wrong, IsEmpty());
  }
}

TEST(EraseRange, OfWhichAKeyIsLeftIsNoticed) {
  const auto leaves_one = [](lf_session* session, lf_bytes from, lf_bytes to) {
    std::string second(from.data, from.size);
    ++second.back();
    return EraseOneByOne(session, {second.data(), second.size()}, to);
  };
  EXPECT_THAT(RunOn(leaves_one, 1).wrong, HasSubstr("get: "));
}

TEST(EraseRange, IsUnsupportedWhereTheEngineHasNoSuchWrite) {
  const Judged judged = RunOn(nullptr, 1);
  EXPECT_EQ(judged.run.roles[0].results[0].code, LF_UNSUPPORTED);
  EXPECT_THAT(judged.wrong, HasSubstr("no write that erases a range"));
}

}  // namespace levelfield::erase_range_test
