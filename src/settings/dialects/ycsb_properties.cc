#include "settings/dialects/ycsb_properties.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/quote.h"

namespace levelfield {
namespace {

constexpr std::string_view kOneClient =
    "one process has the whole store here, and its threads share the load";
constexpr std::string_view kFirstError =
    "the first insertion that fails ends the run and is shown, because a repetition can hide what "
    "an "
    "engine lost";
constexpr std::string_view kWholeRecord =
    "a store of keys and values reads the whole record, as YCSB's own binding of RocksDB does";
constexpr std::string_view kNoJava = "no Java runs here";
constexpr std::string_view kErrorsEnd = "the first error of an engine ends the run and is shown";
constexpr std::string_view kOfOthers = "only other stores than these have it";
constexpr std::string_view kOfRaw = "is for measurementtype=raw";
constexpr std::string_view kHlog =
    "`levelfield report --format=hlog --to=DIRECTORY RESULT` writes such logs, in nanoseconds";

constexpr YcsbProperty kProperties[] = {
    {"recordcount", ""},
    {"operationcount", ""},
    {"workload", "site.ycsb.workloads.CoreWorkload"},
    {"threadcount", "1"},
    {"target", "0"},
    {"maxexecutiontime", "0"},
    {"insertstart", "0", Taken::kAtDefault, kOneClient},
    {"insertcount", ""},
    {"fieldcount", "10"},
    {"fieldnameprefix", "field"},
    {"fieldlength", "100"},
    {"minfieldlength", "1"},
    {"fieldlengthdistribution", "constant"},
    {"fieldlengthhistogram", "", Taken::kNothing, "is for fieldlengthdistribution=histogram"},
    {"readallfields", "true", Taken::kNothing, kWholeRecord},
    {"readallfieldsbyname", "false", Taken::kNothing, kWholeRecord},
    {"writeallfields", "false"},
    {"dataintegrity", "false"},
    {"readproportion", "0.95"},
    {"updateproportion", "0.05"},
    {"insertproportion", "0"},
    {"scanproportion", "0"},
    {"readmodifywriteproportion", "0"},
    {"requestdistribution", "uniform"},
    {"hotspotdatafraction", "0.2"},
    {"hotspotopnfraction", "0.8"},
    {"exponential.percentile", "95", Taken::kAtDefault, "this distribution has YCSB's constants"},
    {"exponential.frac", "0.8571428571", Taken::kAtDefault,
     "this distribution has YCSB's constants"},
    {"minscanlength", "1"},
    {"maxscanlength", "1000"},
    {"scanlengthdistribution", "uniform"},
    {"insertorder", "hashed"},
    {"zeropadding", "1"},
    {"keyprefix", "user"},
    {"core_workload_insertion_retry_limit", "0", Taken::kNothing, kFirstError},
    {"core_workload_insertion_retry_interval", "3", Taken::kNothing, kFirstError},
    {"core_workload_insertion_keep_going_on_error", "false", Taken::kNothing, kFirstError},
    {"measurementtype", "hdrhistogram"},
    {"measurement.interval", "op"},
    {"measurement.histogram.verbose", "false"},
    {"measurement.trackjvm", "false", Taken::kNothing, kNoJava},
    {"measurement.raw.output_file", "", Taken::kNothing, kOfRaw},
    {"measurement.raw.no_summary", "false", Taken::kNothing, kOfRaw},
    {"histogram.buckets", "1000"},
    {"timeseries.granularity", "1000"},
    {"hdrhistogram.percentiles", "50,95,99"},
    {"hdrhistogram.fileoutput", "false", Taken::kNothing, kHlog},
    {"hdrhistogram.output.path", "", Taken::kNothing, kHlog},
    {"exporter", "site.ycsb.measurements.exporter.TextMeasurementsExporter"},
    {"exportfile", ""},
    {"status", "false"},
    {"status.interval", "10"},
    {"label", ""},
    {"spin.sleep", "false", Taken::kNothing,
     "with measurement.interval=intended a thread wakes up early enough to be in time"},
    {"db", "", Taken::kNothing, "the engine is named behind load or run"},
    {"dotransactions", "", Taken::kNothing, "load and run say it"},
    {"table", "usertable", Taken::kNothing, "these stores have one table, without a name"},
    {"columnfamily", "", Taken::kNothing, kOfOthers},
    {"reportlatencyforeacherror", "false", Taken::kNothing, kErrorsEnd},
    {"latencytrackederrors", "", Taken::kNothing, kErrorsEnd},
    {"maxscanrate", "0", Taken::kNothing, kOfOthers},
    {"scanoptimelimit", "0", Taken::kNothing, kOfOthers},
    {"discardscannedrecord", "false", Taken::kNothing, kOfOthers}};

}  // namespace

const YcsbProperty* YcsbPropertyNamed(std::string_view name) {
  const auto* const it = std::ranges::find(kProperties, name, &YcsbProperty::name);
  return it == std::end(kProperties) ? nullptr : it;
}

std::vector<std::string> YcsbPropertyNames() {
  std::vector<std::string> names;
  for (const YcsbProperty& property : kProperties) names.emplace_back(property.name);
  return names;
}

std::string PropertyReader::Text(std::string_view name) const {
  const auto it = given_.find(std::string(name));
  return it != given_.end() ? it->second : std::string(YcsbPropertyNamed(name)->value);
}

uint64_t PropertyReader::Count(std::string_view name, uint64_t least, uint64_t most) {
  const std::string text = Text(name);
  const std::optional<uint64_t> count = Digits(text);
  if (count && *count >= least && *count <= most) return *count;
  if (text.empty()) {
    Refuse(name, "is not given, and has no default");
  } else {
    Refuse(name, fmt::format("is a whole number from {} to {}", least, Grouped(most)));
  }
  return least;
}

double PropertyReader::Ratio(std::string_view name, double most) {
  const std::optional<double> ratio = WholeNumber<double>(Text(name));
  if (ratio && *ratio >= 0 && *ratio <= most) return *ratio;
  Refuse(name, fmt::format("is a number from 0 to {}", most));
  return 0;
}

bool PropertyReader::Switch(std::string_view name) const {
  return std::ranges::equal(Text(name), std::string_view("true"), {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

void PropertyReader::Refuse(std::string_view name, std::string_view why) {
  refusals_.push_back(fmt::format("{}={}: {}", name, Printable(Text(name)), why));
}

}  // namespace levelfield
