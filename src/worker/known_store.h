// A worker's store together with its expected contents. It is opened and closed with the durability
// that a phase asks for, and phases fill and check it, one after another. Made once by a worker;
// only its main thread uses it.
#ifndef LEVELFIELD_WORKER_KNOWN_STORE_H_
#define LEVELFIELD_WORKER_KNOWN_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "result/phase_result.h"
#include "worker/message_writer.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/original_values.h"
#include "workload/value_source.h"

namespace levelfield {

class KnownStore {
 public:
  // `spec` and `events` outlive it. Opens nothing.
  KnownStore(const WorkerSpec& spec, const Engine& engine, MessageWriter& events);

  // Opens the store with this class, after closing it if it is open with another. `seconds` is the
  // time of the opening, 0 if it was open.
  Status EnsureOpen(const std::string& durability, double* seconds);
  // Removes everything from the store and closes it; from now on it opens with keys of this shape.
  Status Empty(const KeyShape& shape);
  // Ok if there is nothing to do.
  Status Close(double* seconds);
  // What a store of this run has in a server, which may be one that goes on without it: the driver
  // knows the store's directory alone. Closed before.
  Status RemoveFromServer() const;
  // The settings to open a store of this class with.
  SettingList SettingsWith(const std::string& durability) const;
  // Only while it is open.
  Store& open() { return *store_; }
  const Engine& engine() const { return engine_; }
  const lf_engine& table() const { return engine_.table(); }
  bool Has(uint32_t capability) const { return engine_.Has(capability); }

  // The values that are written to it.
  const ValueSource& values() const { return values_; }
  const OriginalValues* original() const;  // With --compat=exact, instead; else null.
  const StoredValues& stored_values() const;
  const KeyShape& key_shape() const { return key_shape_; }
  // The expected contents; in a store from before the run, what this run has written.
  ExpectedState& expected() { return expected_; }

  // Its known number of entries, for those who open it again: reported when it changes.
  uint64_t entries() const { return entries_; }
  void KnowEntries(uint64_t entries);
  // What a workload finds in it, if that is known. Of a store from before the run, the number of
  // keys that the run is made for stands for the planned one.
  std::optional<Held> held() const;
  // After a workload that has changed it. Nothing: not known.
  void NoteHeld(std::optional<uint64_t> entries) { held_ = entries; }
  // That the last fill of it writes in all.
  void set_planned_entries(uint64_t entries) { planned_entries_ = entries; }
  // As last read back; 0: not all of it was.
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
  std::string durability_;  // Its class while it is open.
  ExpectedState expected_;
  uint64_t entries_;  // See StoreContent; as the driver knows it.
  uint64_t live_bytes_ = 0;
  std::optional<uint64_t> held_;
  uint64_t planned_entries_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_KNOWN_STORE_H_
