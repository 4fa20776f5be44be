// Holds the worker's store open with the durability that a phase asks for: opens, closes, empties
// it, and times that. Knows no workload.
#ifndef LEVELFIELD_WORKER_STORE_HOST_H_
#define LEVELFIELD_WORKER_STORE_HOST_H_

#include <optional>
#include <string>

#include "engine/engine.h"
#include "plan/messages.h"

namespace levelfield {

class StoreHost {
 public:
  // `hints` are the settings that every engine gets beside its own: expected_keys and so on.
  StoreHost(Engine engine, std::string directory, SettingList settings, SettingList hints,
            bool has_integer_keys, MessageWriter& events)
      : engine_(std::move(engine)),
        directory_(std::move(directory)),
        settings_(std::move(settings)),
        hints_(std::move(hints)),
        has_integer_keys_(has_integer_keys),
        events_(events) {}

  // Opens the store with this class, after closing it if it is open with another. `seconds` is what
  // the opening took, 0 if it was open.
  Status EnsureOpen(const std::string& durability, double* seconds);
  // Nothing is in the store after it; it is closed then, and opens with these keys from now on.
  Status Empty(bool with_integer_keys);
  // Nothing to do is Ok.
  Status Close(double* seconds);

  // What a store with this class is opened with.
  SettingList SettingsWith(const std::string& durability) const;

  bool is_open() const { return store_.has_value(); }
  Store& store() { return *store_; }
  const Engine& engine() const { return engine_; }

 private:
  Engine engine_;
  std::string directory_;
  SettingList settings_;
  SettingList hints_;
  bool has_integer_keys_;
  MessageWriter& events_;
  std::optional<Store> store_;
  std::string durability_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STORE_HOST_H_
