// What operations' verifiers share: a role whose threads have ended, the replay of undisturbed
// reads, and the checks of reads while others wrote. Worker's main thread.
#ifndef LEVELFIELD_OPERATIONS_ANSWERS_H_
#define LEVELFIELD_OPERATIONS_ANSWERS_H_

#include <memory>
#include <span>
#include <string>

#include "operations/task.h"
#include "result/result.h"
#include "workload/expected_state.h"
#include "workload/value_source.h"

namespace levelfield {

// Verifiers fill in `checked`, `check_detail` and `note` of the phase's result.
struct AnsweredRole {
  const Workload& workload;
  const Role& role;
  const RoleRun& run;
  const ExpectedState& before;  // What the store held when the phase began.
  const StoredValues& values;
  const RoleResult& summary;
  PhaseResult& result;
  std::string& unchecked;  // Why the role's answers cannot be checked; empty: they can.
};

// What a role may ask about the store before its threads begin.
struct StoreBefore {
  const Role& role;
  const ExpectedState& model;
  bool store_existed;
  const ValueSource& values;
  const KeyShape& shape;
  lf_session* session;
  const lf_engine& table;
};

// The first difference between the counts and the expected ones; empty: there is none.
std::string Difference(const OperationCounts& actual, const OperationCounts& expected,
                       bool is_digest_known, bool are_bytes_known);

// Verifiers of gets, and of scans and seeks.
std::string VerifyGets(const AnsweredRole& answered);
std::string VerifyScans(const AnsweredRole& answered);

// The layer of a role whose own history says what it did to each key.
WriteLayer LayerOf(const RoleRun& run, std::shared_ptr<const KeyHistory> history);

// The layer of a role whose keys follow from their order.
WriteLayer LayerOfOrder(const Role& role, const RoleRun& run);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_ANSWERS_H_
