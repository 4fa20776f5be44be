// mixgraph from the thread to its verifier: an engine that is right, and engines that lie.

#include "base/matchers_for_test.h"
#include "worker/roles_for_test.h"

namespace levelfield::graph_test {

const ValueSource* values = nullptr;

// What the verifier says about a thread on a table that `lie` has changed.
std::string WrongOf(const Lie& lie, bool one_number = false) {
  ThreadFixture fixture("memory");
  // The other keys do not exist.
  fixture.Run({.role = RoleOf("put", KeyOrder::kSequential, 1000), .operations = 900});
  values = &fixture.values();
  Workload workload;
  Role& role = workload.roles.emplace_back(RoleOf("graph", KeyOrder::kNone, 1000));
  role.graph.put_ratio = 0.5;
  role.graph.seek_ratio = 0.1;
  role.graph.most_scan = 20;
  role.graph.one_number = one_number;
  role.value_size = role.graph.Sizes();
  return JudgedRole(fixture, workload, fixture.state(), 5000, lie).wrong;
}

TEST(VerifyGraph, FindsNothingWrongWithAnEngineThatIsRight) {
  for (const bool one_number : {false, true}) {
    EXPECT_THAT(WrongOf(TellTheTruth, one_number), IsEmpty());
  }
}

lf_code GetsAnotherVersion(lf_session* session, lf_bytes key, lf_bytes* value) {
  static char stale[kLargestValue];
  const lf_code code = honest.get(session, key, value);
  if (code != LF_OK || value->size < ValueSource::kHeaderBytes) return code;
  const KeyFormat format(kKeySize, 1000);
  values->Make(*format.Parse({key.data, key.size}), 77777, value->size, stale);
  value->data = stale;
  return code;
}
lf_code GetsAnotherKey(lf_session* session, lf_bytes, lf_bytes* value) {
  return honest.get(session, {"0000000000000000", kKeySize}, value);
}

TEST(VerifyGraph, NoticesEachWrongAnswer) {
  const std::pair<Lie, const char*> cases[] = {
      {With(&lf_engine::get, FindsNothingOnce), "gets: "},
      {With(&lf_engine::get, GetsAnotherVersion), "what was read differs from what was written"},
      {With(&lf_engine::seek, FindsTheFirst), "not in order"},
      {With(&lf_engine::get, GetsAnotherKey), "values that are not their key's"}};
  for (const auto& [lie, says] : cases) EXPECT_THAT(WrongOf(lie), HasSubstr(says));
}

}  // namespace levelfield::graph_test
