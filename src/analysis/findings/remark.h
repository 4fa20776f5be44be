// What a result says besides its figures, as data: that a store was smaller than a workload is made
// for, that the machine was busy, which settings an engine does not have. A remark is true or not
// before anything writes it, and nothing decides by its words. A writer decides only how many it
// has room for.
//
// Each kind is a row of remarks.inc, with all that is ever said of it, and a function that finds
// it (a file of_*.cc). So a new kind touches two files. Pure.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_REMARK_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_REMARK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_names.h"

namespace levelfield {

enum class RemarkKind : uint8_t {
#define LEVELFIELD_REMARK(kind, ...) kind,
#include "analysis/findings/remarks.inc"
#undef LEVELFIELD_REMARK
};

// How a number of a remark is written for people. Programs read the number and the unit's name.
enum class RemarkUnit : uint8_t {
  kCount,        // "1,000,000"
  kKeys,         // "1,000,000 keys"
  kRounds,       // "6 rounds"
  kFigures,      // "3 figures"
  kRows,         // "3 rows"
  kShare,        // 0.14 is "14 %"
  kTimes,        // "38"
  kPerSecond,    // "1.23 M"
  kSeconds,      // "2.1 s"
  kNanoseconds,  // "38.1 ms"
  kBytes,        // "11.1 MiB"
  kKilobytes,    // "8192 KB"
};

struct RemarkNumber {
  std::string_view name;  // As the sentences of its kind spell it.
  double value = 0;
  RemarkUnit unit = RemarkUnit::kCount;

  bool operator==(const RemarkNumber&) const = default;
};

// Texts of others: an engine's message, a setting's name. Printable.
using RemarkTexts = std::vector<std::pair<std::string_view, std::string>>;

// What is true of one engine, of one workload, or of both together. An empty name: of none.
struct RemarkCase {
  std::string engine = {};
  std::string workload = {};
  std::vector<RemarkNumber> numbers = {};
  RemarkTexts texts = {};
  std::optional<size_t> place = {};   // The workload's, in the plan.
  std::optional<size_t> series = {};  // The engine's, among all series.

  bool operator==(const RemarkCase&) const = default;
};

struct Remark {
  RemarkKind kind;
  std::vector<RemarkCase> cases = {};
  std::vector<RemarkNumber> numbers = {};
  RemarkTexts texts = {};

  bool operator==(const Remark&) const = default;

  // Each once, in the order of the cases.
  std::vector<std::string> Engines() const;
  std::vector<std::string> Workloads() const;
};

enum class RemarkTone : uint8_t { kPlain, kWarning };

// A row of remarks.inc.
struct RemarkRow {
  RemarkKind kind;
  std::string_view name;  // In JSON.
  RemarkTone tone = RemarkTone::kPlain;
  // Behind each figure, or workload, that the remark is about, in every table. Empty: it has none.
  std::string_view mark = {};
  std::string_view item = {};    // Of one case.
  std::string_view group = {};   // Of the cases of one workload.
  std::string_view screen = {};  // On the first screen. Empty: there is no room for it.
  // In a whole report. Empty: as on the screen. kElsewhere: a report says it at the figure itself.
  std::string_view report = {};
};
inline constexpr std::string_view kElsewhere = "-";

const RemarkRow& RowOf(RemarkKind kind);
std::span<const EnumName<RemarkKind>> NamesOf(RemarkKind);

// The sentences of a remark. Empty: it is not said there.
std::string ScreenWords(const Remark& remark);
std::string ReportWords(const Remark& remark);

// The number for people.
std::string InWords(const RemarkNumber& number);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_REMARK_H_
