// What a plan has to know of its machine: memory, disks and processors, the engines and what they
// say of settings, the stores that are there, the texts of files. Plain data, found out by
// facts/facts_here.h, or read from a file, or written in a test: a plan is made of it and of
// settings alone (make_plan.h).
//
// Facts say only what a plan has asked. Known reads them, and notes what they do not say.
#ifndef LEVELFIELD_PLAN_FACTS_H_
#define LEVELFIELD_PLAN_FACTS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/status.h"
#include "engine/description.h"
#include "engine/engine_probe.h"
#include "result/fields.h"
#include "store/store_marker.h"
#include "workload/find_workload.h"
#include "workload/trace/trace_plan.h"

namespace levelfield {

struct MachineFacts {
  uint64_t memory_available_bytes = 0;
  uint64_t descriptor_limit = 0;  // Files that a process may have open.
  std::string processors = {};    // That this program may use: "0-3". Empty: not known.

  static constexpr Fields kFields{
      "a machine", Field("memory_available_bytes", &MachineFacts::memory_available_bytes),
      Field("descriptor_limit", &MachineFacts::descriptor_limit),
      Field("processors", &MachineFacts::processors)};
};

// The engines that are installed.
struct PlugInFacts {
  Status found = Status::Ok();  // Why there is none.
  std::vector<std::string> names = {};

  static constexpr Fields kFields{"the plug-ins", Field("found", &PlugInFacts::found),
                                  Field("names", &PlugInFacts::names)};
};

// What an engine said of settings.
struct SettingsFacts {
  SettingList settings = {};  // Canonical, with the class of durability.
  // It was asked whether it opens this store so, without changing a byte. Empty: it was asked
  // whether it takes the settings.
  std::string read_only = {};
  Status found = Status::Ok();

  static constexpr Fields kFields{"an engine's answer", Field("settings", &SettingsFacts::settings),
                                  Field("read_only", &SettingsFacts::read_only).UnlessEmpty(),
                                  Field("found", &SettingsFacts::found)};
};

struct EngineFacts {
  std::string spec;
  Status found = Status::Ok();  // Why it cannot be loaded.
  std::optional<EngineDescription> description = {};
  std::vector<SettingsFacts> answers = {};

  static constexpr Fields kFields{
      "an engine", Field("spec", &EngineFacts::spec), Field("found", &EngineFacts::found),
      Field("description", &EngineFacts::description), Field("answers", &EngineFacts::answers)};
};

// What lies at a path.
struct PlaceFacts {
  std::string path;               // As it is typed.
  std::string why_not_seen = {};  // Why nothing is known of it. Empty: it is there.
  bool is_missing = false;        // Because nothing is there.
  bool is_file = false;
  bool has_files = false;             // A directory with files of its own.
  std::string why_not_readable = {};  // Empty: this user may read it,
  std::string why_not_writable = {};  // or may write to it.
  std::string real_path = {};         // Without symlinks, as far as it exists.
  std::string why_no_real_path = {};
  std::string nearest = {};               // The directory on its way that is there,
  std::string why_nothing_new = {};       // and why this user can make nothing in it.
  std::optional<StoreContent> ours = {};  // The marker of a store of ours.

  static constexpr Fields kFields{
      "a place",
      Field("path", &PlaceFacts::path),
      Field("why_not_seen", &PlaceFacts::why_not_seen).UnlessEmpty(),
      Field("is_missing", &PlaceFacts::is_missing).UnlessEmpty(),
      Field("is_file", &PlaceFacts::is_file).UnlessEmpty(),
      Field("has_files", &PlaceFacts::has_files).UnlessEmpty(),
      Field("why_not_readable", &PlaceFacts::why_not_readable).UnlessEmpty(),
      Field("why_not_writable", &PlaceFacts::why_not_writable).UnlessEmpty(),
      Field("real_path", &PlaceFacts::real_path).UnlessEmpty(),
      Field("why_no_real_path", &PlaceFacts::why_no_real_path).UnlessEmpty(),
      Field("nearest", &PlaceFacts::nearest).UnlessEmpty(),
      Field("why_nothing_new", &PlaceFacts::why_nothing_new).UnlessEmpty(),
      Field("ours", &PlaceFacts::ours)};
};

// The store that a path lies in, whether the path exists yet or not, or that it is itself, unless
// it may be one.
struct EnclosingStore {
  std::string path;  // The asked one.
  bool may_be_one = false;
  std::string store = {};   // Empty: it lies in none.
  std::string engine = {};  // Empty: not known.

  static constexpr Fields kFields{"a store around a path", Field("path", &EnclosingStore::path),
                                  Field("may_be_one", &EnclosingStore::may_be_one),
                                  Field("store", &EnclosingStore::store),
                                  Field("engine", &EnclosingStore::engine)};
};

// Whether an engine recognizes what lies there as a store of its own.
struct RecognitionFacts {
  std::string path;
  std::string engine;
  bool is_its = false;

  static constexpr Fields kFields{"a recognition", Field("path", &RecognitionFacts::path),
                                  Field("engine", &RecognitionFacts::engine),
                                  Field("is_its", &RecognitionFacts::is_its)};
};

struct DiskFacts {
  std::string path;
  Status found = Status::Ok();
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  uint64_t free_files = 0;

  static constexpr Fields kFields{"a disk",
                                  Field("path", &DiskFacts::path),
                                  Field("found", &DiskFacts::found),
                                  Field("free_bytes", &DiskFacts::free_bytes),
                                  Field("total_bytes", &DiskFacts::total_bytes),
                                  Field("free_files", &DiskFacts::free_files)};
};

struct WorkloadFacts {
  std::string path;
  Status found = Status::Ok();
  std::string name = {};
  std::string text = {};

  static constexpr Fields kFields{"a workload's file", Field("path", &WorkloadFacts::path),
                                  Field("found", &WorkloadFacts::found),
                                  Field("name", &WorkloadFacts::name),
                                  Field("text", &WorkloadFacts::text)};
};

// What DescribeTrace finds in the first records of a trace.
struct TraceFacts {
  std::string path;
  uint64_t most_records = 0;
  bool is_loaded = true;
  Status found = Status::Ok();
  std::vector<uint64_t> operations = {};
  uint64_t keys = 0;
  uint64_t loaded_keys = 0;
  uint64_t duration_ns = 0;
  uint64_t longest_gap_ns = 0;
  uint64_t largest_value = 0;
  uint64_t smallest_value = 0;
  uint64_t live_bytes = 0;
  uint64_t key_bytes = 0;
  uint64_t expiring = 0;
  uint64_t records_of_file = 0;
  uint64_t keys_of_file = 0;
  uint64_t left_out = 0;
  bool is_spread = false;
  bool has_no_times = false;
  uint64_t checksum = 0;
  std::string source = {};

  static constexpr Fields kFields{"a trace",
                                  Field("path", &TraceFacts::path),
                                  Field("most_records", &TraceFacts::most_records),
                                  Field("is_loaded", &TraceFacts::is_loaded),
                                  Field("found", &TraceFacts::found),
                                  Field("operations", &TraceFacts::operations),
                                  Field("keys", &TraceFacts::keys),
                                  Field("loaded_keys", &TraceFacts::loaded_keys),
                                  Field("duration_ns", &TraceFacts::duration_ns),
                                  Field("longest_gap_ns", &TraceFacts::longest_gap_ns),
                                  Field("largest_value", &TraceFacts::largest_value),
                                  Field("smallest_value", &TraceFacts::smallest_value),
                                  Field("live_bytes", &TraceFacts::live_bytes),
                                  Field("key_bytes", &TraceFacts::key_bytes),
                                  Field("expiring", &TraceFacts::expiring),
                                  Field("records_of_file", &TraceFacts::records_of_file),
                                  Field("keys_of_file", &TraceFacts::keys_of_file),
                                  Field("left_out", &TraceFacts::left_out),
                                  Field("is_spread", &TraceFacts::is_spread),
                                  Field("has_no_times", &TraceFacts::has_no_times).UnlessEmpty(),
                                  Field("checksum", &TraceFacts::checksum),
                                  Field("source", &TraceFacts::source)};
};

TraceFacts FactsOf(const TracePlan& trace, const Status& found = Status::Ok());
// Fills in what DescribeTrace would.
void TakeFacts(const TraceFacts& facts, TracePlan& trace);

// What a machine can be asked to check.
enum class MachineCheck {
  kMemoryLimit,    // Whether it can limit the memory of a process,
  kFileSystem,     // or make a file system of this kind.
  kNotRedirected,  // Whether nobody else can redirect this path.
  kNotUsed,        // Whether no other program has this store open.
  kNewStore,       // Whether a new store can be made there.
};
inline constexpr EnumName<MachineCheck> kCheckNames[] = {
    {MachineCheck::kMemoryLimit, "memory limit"},     {MachineCheck::kFileSystem, "file system"},
    {MachineCheck::kNotRedirected, "not redirected"}, {MachineCheck::kNotUsed, "not used"},
    {MachineCheck::kNewStore, "new store"},
};
constexpr std::span<const EnumName<MachineCheck>> NamesOf(MachineCheck) { return kCheckNames; }

struct CheckFacts {
  MachineCheck check = MachineCheck::kMemoryLimit;
  std::string of = {};  // A path, or a kind.
  Status found = Status::Ok();

  static constexpr Fields kFields{"a check", Field("check", &CheckFacts::check),
                                  Field("of", &CheckFacts::of).UnlessEmpty(),
                                  Field("found", &CheckFacts::found)};
};

struct Facts {
  std::optional<MachineFacts> machine = {};
  std::optional<PlugInFacts> plug_ins = {};
  std::vector<EngineFacts> engines = {};
  std::vector<PlaceFacts> places = {};
  std::vector<EnclosingStore> enclosing_stores = {};
  std::vector<RecognitionFacts> recognitions = {};
  std::vector<DiskFacts> disks = {};
  std::vector<WorkloadFacts> workloads = {};
  std::vector<TraceFacts> traces = {};
  std::vector<CheckFacts> checks = {};

  static constexpr Fields kFields{"the facts",
                                  Field("machine", &Facts::machine),
                                  Field("plug_ins", &Facts::plug_ins),
                                  Field("engines", &Facts::engines).UnlessEmpty(),
                                  Field("places", &Facts::places).UnlessEmpty(),
                                  Field("enclosing_stores", &Facts::enclosing_stores).UnlessEmpty(),
                                  Field("recognitions", &Facts::recognitions).UnlessEmpty(),
                                  Field("disks", &Facts::disks).UnlessEmpty(),
                                  Field("workloads", &Facts::workloads).UnlessEmpty(),
                                  Field("traces", &Facts::traces).UnlessEmpty(),
                                  Field("checks", &Facts::checks).UnlessEmpty()};
};

nlohmann::ordered_json ToJson(const Facts& facts);
StatusOr<Facts> FactsFromJson(const nlohmann::ordered_json& json);
// For a worker, which needs no others: a list, and an object with it as the member "traces".
nlohmann::ordered_json ToJson(const std::vector<TraceFacts>& traces);
StatusOr<std::vector<TraceFacts>> TracesFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_FACTS_H_
