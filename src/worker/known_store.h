// A worker's store together with all that is known of what it has to hold: opened and closed with
// the durability that a phase asks for, filled and checked by the phases, one after the other. Made
// once by a worker; its main thread alone uses it.
#ifndef LEVELFIELD_WORKER_KNOWN_STORE_H_
#define LEVELFIELD_WORKER_KNOWN_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/original_values.h"
#include "workload/value_source.h"

namespace levelfield {

class KnownStore {
 public:
  // `spec` and `events` outlive it. Opens nothing.
  KnownStore(const WorkerSpec& spec, const Engine& engine, MessageWriter& events);

  // Opens the store with this class, after closing it if it is open with another. `seconds` is what
  // the opening took, 0 if it was open.
  Status EnsureOpen(const std::string& durability, double* seconds);
  // Nothing is in the store after it; it is closed then, and opens with keys of this shape from now
  // on.
  Status Empty(const KeyShape& shape);
  // Nothing to do is Ok.
  Status Close(double* seconds);
  // What a store with this class is opened with.
  SettingList SettingsWith(const std::string& durability) const;
  // Where it is open.
  Store& open() { return *store_; }
  const Engine& engine() const { return engine_; }
  const lf_engine& table() const { return engine_.table(); }
  bool Has(uint32_t capability) const { return engine_.Has(capability); }

  // What is written to it.
  const ValueSource& values() const { return values_; }
  const OriginalValues* original() const;  // With --compat=exact, instead; else none.
  const StoredValues& stored_values() const;
  const KeyShape& key_shape() const { return key_shape_; }
  // What it has to hold; of one that was there before, what this run has written.
  ExpectedState& expected() { return expected_; }

  // How many entries it is known to have, for those who open it again: told when it changes.
  uint64_t entries() const { return entries_; }
  void KnowEntries(uint64_t entries);
  // As it was last read back; 0: not all of it was.
  uint64_t live_bytes() const { return live_bytes_; }
  void set_live_bytes(uint64_t bytes) { live_bytes_ = bytes; }

 private:
  const WorkerSpec& spec_;
  MessageWriter& events_;
  Engine engine_;
  ValueSource values_;
  OriginalValues original_;
  KeyShape key_shape_;
  bool has_integer_keys_;
  std::optional<Store> store_;
  std::string durability_;  // With which it is open.
  ExpectedState expected_;
  uint64_t entries_;  // StoreContent's, as the driver knows it.
  uint64_t live_bytes_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_KNOWN_STORE_H_
