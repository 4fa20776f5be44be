#include "settings/dialects/ycsb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "settings/dialects/ycsb_properties.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

// What YCSB's, YCSB-cpp's and go-ycsb's bindings call the place of a store.
constexpr std::string_view kPlaceNames[] = {"dir",    "dbname", "dbpath", "path",
                                            "dbhome", "home",   "db"};

constexpr std::pair<std::string_view, std::string_view> kBindings[] = {{"sqlite", "sqlite3"},
                                                                       {"basic", "null"}};

constexpr uint64_t kMostRecords = 1'000'000'000'000'000;
constexpr uint64_t kMostInt = 2'147'483'647;  // As in Java.
constexpr uint64_t kRoom = 100'000;
constexpr uint64_t kLeastRecord = 16;  // By which a value is checked (workload/value_source.h).

// The lengths of a record: each field with its name, and four bytes before either, as YCSB's
// binding of RocksDB packs them.
struct RecordLengths {
  uint64_t frame = 0;  // Bytes beside the fields.
  uint64_t fields = 0;
  uint64_t least = 0;  // Of a field.
  uint64_t most = 0;
};

// As a line of a workload file says it.
std::string ValueSizeText(const RecordLengths& of) {
  const uint64_t most = of.frame + of.fields * of.most;
  const uint64_t least = std::clamp(of.frame + of.fields * of.least, kLeastRecord, most);
  if (least == most) return std::to_string(most);
  if (of.fields == 1) return fmt::format("uniform {}..{}", least, most);
  const auto lengths = static_cast<double>(of.most - of.least + 1);
  const double deviation = std::sqrt(static_cast<double>(of.fields) * (lengths * lengths - 1) / 12);
  return fmt::format("normal {}..{} mean {} deviation {:.4f}", least, most,
                     static_cast<double>(least + most) / 2, deviation);
}

class Translator {
 public:
  Translator(bool loads, const std::string& engine, const Properties& given)
      : loads_(loads), engine_(engine), given_(given), reader_(given, request_.refusals) {}

  YcsbRequest Translate() {
    CheckNames();
    CheckWorkload();
    TakeSizes();
    TakeOutput();
    TakeLoad();
    if (!loads_) TakeRun();
    AddDifferences();
    return std::move(request_);
  }

 private:
  void CheckNames() {
    for (const auto& [name, value] : given_) {
      if (const YcsbProperty* const property = YcsbPropertyNamed(name)) {
        CheckProperty(*property, value);
      } else {
        TakeOther(name, value);
      }
    }
  }

  void CheckProperty(const YcsbProperty& property, const std::string& value) {
    if (property.taken == Taken::kHonoured || value == property.value) return;
    const std::optional<double> number = WholeNumber<double>(value);
    if (number && number == WholeNumber<double>(property.value)) return;
    if (property.taken == Taken::kAtDefault) return reader_.Refuse(property.name, property.why);
    request_.notes.push_back(
        fmt::format("{}={}: changes nothing: {}", property.name, Printable(value), property.why));
  }

  // A property of the engine, of another one, or of nobody.
  void TakeOther(const std::string& name, const std::string& value) {
    const size_t dot = name.find('.');
    if (dot == std::string::npos) {
      request_.notes.push_back(fmt::format("{}={}: changes nothing: YCSB has no such property{}",
                                           Printable(name), Printable(value),
                                           DidYouMean(name, YcsbPropertyNames())));
      return;
    }
    const std::string option = name.substr(dot + 1);
    if (EngineOfBinding(name.substr(0, dot)) != EngineName(engine_)) {
      request_.notes.push_back(fmt::format("{}={}: changes nothing: is for another store than {}",
                                           Printable(name), Printable(value), Printable(engine_)));
    } else if (std::ranges::find(kPlaceNames, option) != std::end(kPlaceNames)) {
      request_.place = value;
    } else {
      request_.words.push_back(fmt::format("--{}.{}={}", EngineName(engine_), option, value));
    }
  }

  void CheckWorkload() {
    const std::string name = reader_.Text("workload");
    const std::string last = name.substr(name.rfind('.') + 1);
    if (last == "CoreWorkload" || last == "core") return;
    reader_.Refuse("workload", "only CoreWorkload can be had");
  }

  void TakeSizes() {
    records_ = reader_.Count("recordcount", 1, kMostRecords);
    loaded_ = reader_.Has("insertcount") ? reader_.Count("insertcount", 1, records_) : records_;
    if (!loads_ && loaded_ != records_) {
      reader_.Refuse("insertcount", fmt::format("is that of a part of the records, and a run works "
                                                "on all of them; {}",
                                                "one process has the whole store"));
    }
    request_.records = loaded_;
    // The room for inserts follows from the records alone, so that load and run agree on the keys.
    range_ = std::max(2 * records_, records_ + kRoom);
    threads_ = reader_.Count("threadcount", 1, limits::kThreads);
    target_ = reader_.Count("target", 0, limits::kRate);
    seconds_ = reader_.Count("maxexecutiontime", 0, kMostInt);
    is_ordered_ = reader_.Text("insertorder") != "hashed";
    const uint64_t digits = is_ordered_ ? fmt::formatted_size("{}", range_) : kHashDigits;
    const uint64_t padding = reader_.Count("zeropadding", 0, 1000);
    key_digits_ = std::max<uint64_t>(padding, digits);
    TakeRecord();
    Add("engine", engine_);
    Add("num", std::to_string(records_));
    Add("threads", std::to_string(threads_));
    Add("key_prefix", std::to_string(reader_.Text("keyprefix").size()));
    Add("key_size", std::to_string(key_digits_));
    // Random bytes, in which snappy and lz4 find nothing.
    Add("compression_ratio", "1");
    if (seconds_ != 0) Add("duration", std::to_string(seconds_));
  }

  void TakeRecord() {
    RecordLengths of{.fields = reader_.Count("fieldcount", 1, 1'000'000)};
    of.most = reader_.Count("fieldlength", 1, limits::kValueBytes);
    const std::string lengths = reader_.Text("fieldlengthdistribution");
    const bool varies = lengths == "uniform";
    of.least = varies ? reader_.Count("minfieldlength", 1, of.most) : of.most;
    if (!varies && lengths != "constant") {
      reader_.Refuse("fieldlengthdistribution", "constant or uniform can be had");
    }
    if (varies && reader_.Switch("dataintegrity")) {
      reader_.Refuse("dataintegrity",
                     "YCSB checks fields of a constant length only; here every "
                     "byte is checked anyway, so leave it out");
    }
    const uint64_t prefix = reader_.Text("fieldnameprefix").size();
    for (uint64_t i = 0; i < of.fields; ++i) of.frame += 8 + prefix + fmt::formatted_size("{}", i);
    if (of.frame + of.fields * of.most < kLeastRecord) {
      reader_.Refuse("fieldlength",
                     fmt::format("such a record has fewer than the {} bytes by which it is checked",
                                 kLeastRecord));
      of.most = kLeastRecord;
    }
    if (of.frame + of.fields * of.most > limits::kValueBytes) {
      reader_.Refuse("fieldlength", fmt::format("{} such fields are more than the {} bytes that a "
                                                "value may have",
                                                of.fields, Grouped(limits::kValueBytes)));
    }
    value_size_ = ValueSizeText(of);
    if (varies && of.fields > 1) {
      request_.differences.push_back(
          "the sum of the lengths of a record's fields is drawn from the normal distribution with "
          "its mean and deviation");
    }
  }

  void TakeOutput() {
    YcsbOutput& output = request_.output;
    const std::string type = reader_.Text("measurementtype");
    if (type == "raw" || type == "hdrhistogram+raw") {
      reader_.Refuse("measurementtype",
                     "the latency of each single operation is not kept; "
                     "hdrhistogram, histogram and timeseries can be had");
    } else {
      output.measurement = reader_.Choice<YcsbMeasurement>("measurementtype");
    }
    output.latency = reader_.Choice<YcsbLatency>("measurement.interval");
    output.exporter = reader_.Choice<YcsbExporter>("exporter");
    output.file = reader_.Text("exportfile");
    output.buckets = reader_.Count("histogram.buckets", 1, 1'000'000);
    output.has_all_buckets = reader_.Switch("measurement.histogram.verbose");
    output.granularity_ms = reader_.Count("timeseries.granularity", 1, kMostInt);
    output.verifies = reader_.Switch("dataintegrity");
    output.has_status = reader_.Switch("status");
    output.status_seconds = reader_.Count("status.interval", 1, kMostInt);
    output.label = reader_.Text("label");
    output.percentiles.clear();
    for (const std::string& part : Parts(reader_.Text("hdrhistogram.percentiles"), ',')) {
      const std::optional<double> percentile = WholeNumber<double>(Trim(part));
      if (percentile && *percentile > 0 && *percentile <= 100) {
        output.percentiles.push_back(*percentile);
      } else {
        reader_.Refuse("hdrhistogram.percentiles", "is a list like 50,95,99.9");
      }
    }
    if (output.measurement != YcsbMeasurement::kSeries) return;
    if (output.granularity_ms % 100 != 0) {
      reader_.Refuse("timeseries.granularity", "is a multiple of 100 ms");
    }
    Add("interval_seconds", fmt::format("{}", static_cast<double>(output.granularity_ms) / 1000));
  }

  bool IsOpenLoop() const {
    return target_ != 0 && request_.output.latency != YcsbLatency::kOperation;
  }

  // The lines that both workloads have. An open loop's rate is a flag.
  std::string Client(std::string_view operation, uint64_t operations, bool at_most) {
    return fmt::format(
        "family = ycsb\n[client]\nthreads = {}\nop = {}\nkeys = {}\nrange = {}\nrecords = {}\n"
        "value_size = {}\nrate = {}\nstop = after {} operations{}\n",
        threads_, operation, is_ordered_ ? "sequential" : "shuffled", range_, loaded_, value_size_,
        IsOpenLoop() ? 0 : target_, operations, at_most ? " at most" : "");
  }

  void TakeLoad() {
    if (IsOpenLoop()) {
      Add("rate", std::to_string(target_));
      Add("arrival", "constant");
    }
    request_.operations = loaded_;
    request_.load = fmt::format("summary = inserts YCSB's {} records\nneeds = empty store\n{}",
                                loaded_, Client("put", loaded_, false));
  }

  // "50% read, 50% update".
  std::string MixText() {
    constexpr std::pair<std::string_view, std::string_view> kShares[] = {
        {"readproportion", "read"},
        {"updateproportion", "update"},
        {"insertproportion", "insert"},
        {"scanproportion", "scan"},
        {"readmodifywriteproportion", "rmw"}};
    std::vector<std::pair<double, std::string_view>> parts;
    double sum = 0;
    for (const auto& [property, name] : kShares) {
      const double weight = reader_.Ratio(property, 1e9);
      if (weight == 0) continue;
      parts.emplace_back(weight, name);
      sum += weight;
      if (name == "insert") inserts_ = weight;
      if (name == "rmw") has_modifies_ = true;
      if (name == "update") has_updates_ = true;
    }
    if (parts.empty())
      request_.refusals.emplace_back("all proportions are 0: nothing is to be done");
    inserts_ = sum > 0 ? inserts_ / sum : 0;
    std::vector<std::string> texts;
    for (const auto& [weight, name] : parts) {
      texts.push_back(fmt::format("{}% {}", 100 * weight / sum, name));
    }
    return Joined(texts, ", ");
  }

  std::string RequestLines() {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"uniform", "uniform"}, {"zipfian", "ycsb-zipf"},       {"latest", "latest"},
        {"hotspot", "hotspot"}, {"exponential", "exponential"}, {"sequential", "sequential"}};
    const std::string name = reader_.Text("requestdistribution");
    const auto* const it =
        std::ranges::find(kNames, name, [](const auto& pair) { return pair.first; });
    if (it == std::end(kNames)) {
      reader_.Refuse("requestdistribution",
                     "uniform, zipfian, latest, hotspot, exponential or sequential can be had");
      return "";
    }
    std::string lines = fmt::format("requests = {}\n", it->second);
    if (name == "latest") {
      request_.differences.push_back(
          "`latest` follows Zipf's law exactly, where YCSB approximates it");
    }
    if (name != "hotspot") return lines;
    return lines + fmt::format("hot_keys = {}\nhot_requests = {}\n",
                               reader_.Ratio("hotspotdatafraction", 1),
                               reader_.Ratio("hotspotopnfraction", 1));
  }

  std::string ScanLines() {
    const uint64_t most = reader_.Count("maxscanlength", 1, limits::kScanned);
    const uint64_t least = reader_.Count("minscanlength", 1, most);
    const std::string lengths = reader_.Text("scanlengthdistribution");
    if (lengths != "uniform" && lengths != "zipfian") {
      reader_.Refuse("scanlengthdistribution", "uniform or zipfian can be had");
    }
    return fmt::format("scan_length = {}\nleast_scan = {}\nscan_lengths = {}\n", most, least,
                       lengths == "zipfian" ? "zipf" : "uniform");
  }

  void TakeRun() {
    const std::string mix = MixText();
    const std::string lines = RequestLines() + ScanLines();
    const bool has_count = reader_.Has("operationcount") && reader_.Text("operationcount") != "0";
    request_.operations = has_count ? reader_.Count("operationcount", 1, kMostRecords) : 0;
    if (!has_count && seconds_ == 0) {
      request_.refusals.emplace_back(
          "operationcount is not given, and without maxexecutiontime the run would never end");
    }
    const double inserts = inserts_ * static_cast<double>(request_.operations);
    if (inserts > static_cast<double>(range_ - records_)) {
      reader_.Refuse("operationcount",
                     fmt::format("inserts about {:.0f} records, and {} have room behind the {} of "
                                 "recordcount; lower it, or raise recordcount for load and run",
                                 inserts, Grouped(range_ - records_), Grouped(records_)));
    }
    const bool reads = !reader_.Switch("writeallfields");
    request_.run = fmt::format(
        "summary = YCSB: {}\nneeds = loaded store\n{}{}updates = {}\ninserts = new or again\n{}",
        mix, Client("ycsb " + mix, has_count ? request_.operations : 1, has_count), lines,
        reads ? "fields" : "whole records", TimesParts() ? "rmw_times = whole and parts\n" : "");
    if (has_updates_ && reads) {
      request_.notes.emplace_back(
          "[UPDATE] reads the record and writes it with one field anew, as YCSB's binding of "
          "RocksDB "
          "does; writeallfields=true writes it without reading");
    }
  }

  void AddDifferences() {
    request_.differences.push_back(
        fmt::format("a record is one value of {} bytes, as many as YCSB's binding of RocksDB packs "
                    "into one, and "
                    "every byte that is read is checked",
                    value_size_));
    if (is_ordered_) {
      request_.differences.push_back(
          fmt::format("keys are padded to {} digits, so that they have the order of their numbers",
                      key_digits_));
    }
    if (has_modifies_ && !TimesParts()) {
      request_.differences.emplace_back(
          "of a time series, and of times from when an operation was due, a read-modify-write is "
          "in [READ-MODIFY-WRITE] alone; YCSB counts its read and its update in [READ] and "
          "[UPDATE] as well");
    }
    request_.differences.emplace_back(
        "there are no [TOTAL_GC...] and [CLEANUP] lines: no Java runs here");
  }

  // The read and the update of a read-modify-write have latencies of their own.
  bool TimesParts() const {
    return has_modifies_ && request_.output.measurement != YcsbMeasurement::kSeries &&
           request_.output.latency == YcsbLatency::kOperation;
  }

  void Add(std::string_view flag, const std::string& value) {
    request_.words.push_back(fmt::format("--{}={}", flag, value));
  }

  static constexpr uint64_t kHashDigits = 19;  // Of the largest positive number of Java's.

  const bool loads_;
  const std::string& engine_;
  const Properties& given_;
  YcsbRequest request_;
  PropertyReader reader_;
  uint64_t records_ = 0;
  uint64_t loaded_ = 0;
  uint64_t range_ = 0;
  uint64_t threads_ = 1;
  uint64_t target_ = 0;
  uint64_t seconds_ = 0;
  uint64_t key_digits_ = 0;
  bool is_ordered_ = false;
  std::string value_size_;
  double inserts_ = 0;  // Their share.
  bool has_modifies_ = false;
  bool has_updates_ = false;
};

}  // namespace

std::string EngineOfBinding(const std::string& binding) {
  const auto* const it =
      std::ranges::find(kBindings, binding, [](const auto& pair) { return pair.first; });
  return it == std::end(kBindings) ? binding : std::string(it->second);
}

YcsbRequest RequestOf(bool loads, const std::string& engine, const Properties& given) {
  return Translator(loads, engine, given).Translate();
}

}  // namespace levelfield
