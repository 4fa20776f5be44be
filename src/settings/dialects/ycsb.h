// What the properties of YCSB's core workload and of its client are here: flags of `levelfield
// run`, two workloads as text, and the lines to print. Each property is a row with its default; one
// that cannot be had is a refusal with its reason, and one that changes nothing is a note.
//
// Defaults and constants are those of YCSB 0.17.0. Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_YCSB_H_
#define LEVELFIELD_SETTINGS_DIALECTS_YCSB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "settings/dialects/ycsb_words.h"

namespace levelfield {

// measurementtype=.
enum class YcsbMeasurement { kHdr, kBuckets, kHdrAndBuckets, kSeries };
inline constexpr EnumName<YcsbMeasurement> kYcsbMeasurementNames[] = {
    {YcsbMeasurement::kHdr, "hdrhistogram"},
    {YcsbMeasurement::kBuckets, "histogram"},
    {YcsbMeasurement::kHdrAndBuckets, "hdrhistogram+histogram"},
    {YcsbMeasurement::kSeries, "timeseries"}};
constexpr std::span<const EnumName<YcsbMeasurement>> NamesOf(YcsbMeasurement) {
  return kYcsbMeasurementNames;
}

// measurement.interval=: from when an operation began, or from when it was due.
enum class YcsbLatency { kOperation, kIntended, kBoth };
inline constexpr EnumName<YcsbLatency> kYcsbLatencyNames[] = {{YcsbLatency::kOperation, "op"},
                                                              {YcsbLatency::kIntended, "intended"},
                                                              {YcsbLatency::kBoth, "both"}};
constexpr std::span<const EnumName<YcsbLatency>> NamesOf(YcsbLatency) { return kYcsbLatencyNames; }

// exporter=, by the last part of the class's name.
enum class YcsbExporter { kText, kJson, kJsonArray };
inline constexpr EnumName<YcsbExporter> kYcsbExporterNames[] = {
    {YcsbExporter::kText, "TextMeasurementsExporter"},
    {YcsbExporter::kJson, "JSONMeasurementsExporter"},
    {YcsbExporter::kJsonArray, "JSONArrayMeasurementsExporter"}};
constexpr std::span<const EnumName<YcsbExporter>> NamesOf(YcsbExporter) {
  return kYcsbExporterNames;
}

// What is printed of a phase.
struct YcsbOutput {
  YcsbMeasurement measurement = YcsbMeasurement::kHdr;
  YcsbLatency latency = YcsbLatency::kOperation;
  YcsbExporter exporter = YcsbExporter::kText;
  std::vector<double> percentiles = {50, 95, 99};
  uint64_t buckets = 1000;  // Of a millisecond each.
  bool has_all_buckets = false;
  uint64_t granularity_ms = 1000;  // Of a time series.
  bool verifies = false;           // dataintegrity=true.
  bool has_status = false;         // -s
  uint64_t status_seconds = 10;
  std::string label = {};
  std::string file = {};  // Empty: standard output.
};

struct YcsbRequest {
  std::vector<std::string> words;  // Flags, but for those that say where the store is.
  std::string load;                // The workload that fills the store, as text,
  std::string run;                 // and the one that works on it.
  std::string place = {};          // The store's directory. Empty: none was named.
  uint64_t records = 0;
  uint64_t operations = 0;  // 0: until the time is over.
  YcsbOutput output = {};
  std::vector<std::string> notes = {};        // What was given and changes nothing, a line each.
  std::vector<std::string> differences = {};  // Where this is not what YCSB does, a line each.
  std::vector<std::string> refusals = {};     // What was given and cannot be had.
};

// `engine` is the name of YCSB's binding, or ours.
YcsbRequest RequestOf(bool loads, const std::string& engine, const Properties& given);

// Our name for the engine of a binding.
std::string EngineOfBinding(const std::string& binding);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_YCSB_H_
