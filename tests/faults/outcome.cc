#include "outcome.h"

#include "result/outcome.h"

namespace levelfield {
namespace {

struct Row {
  const char* fault;
  const char* engine;  // Empty: every one that has no row of its own.
  std::vector<Word> words;
  const char* why = "";
};

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"sync_fails", "", {"ERR"}},
      {"write_fails", "", {"ERR"}},
      {"write_fails", "berkeleydb", {"ERR", "OK"}, "tries a failed write again"},
      {"write_fails", "treedb", {"ERR", "SIG", "NONE"}, "writes by its mapping"},
      {"write_short", "", {"ERR", "OK"}, "the rest is written by a second call"},
      {"write_short", "treedb", {"ERR", "OK", "SIG", "NONE"}, "writes by its mapping"},
      {"each_write_fails", "", {"ERR"}},
      {"each_write_fails",
       "rocksdb",
       {"ERR", "OK"},
       "its LOG is for people: a lost line harms none"},
      {"each_write_fails", "berkeleydb", {"ERR", "OK"}, "tries a failed write again"},
      {"each_write_fails", "treedb", {"ERR", "SIG", "NONE"}, "writes by its mapping"},
      {"each_write_short", "", {"ERR", "OK"}, "the rest is written by a second call"},
      {"each_write_short", "treedb", {"ERR", "OK", "SIG", "NONE"}, "writes by its mapping"},
      {"each_sync_fails", "", {"ERR"}},
      {"each_sync_fails", "rocksdb", {"ERR", "OK"}, "after the last put, of a log that it closes"},
      {"each_sync_fails", "sqlite3", {"ERR", "OK"}, "passes over a failed sync of the directory"},
      {"each_malloc_fails", "", {"ERR", "SIG", "OK", "NONE"}, "C++ throws, and nobody catches it"},
      {"no_space_left", "", {"ERR", "SIG"}},
      {"no_space_left", "treedb", {"ERR", "SIG", "NONE"}, "writes by its mapping"},
      {"resize_fails", "", {"OK", "ERR", "SIG", "NONE"}, "room is asked for ahead, by some"},
      {"read_fails", "", {"ERR", "DET", "OK"}, "a read that failed may be tried again"},
      {"read_fails", "lmdb", {"ERR", "OK", "NONE"}, "reads by its mapping"},
      {"read_fails", "leveldb", {"ERR", "OK", "NONE"}, "reads tables by a mapping"},
      {"read_fails", "treedb", {"ERR", "OK", "NONE"}, "reads by its mapping"},
      {"no_descriptor", "", {"ERR", "OK"}, "who opens no further file needs none"},
      {"no_descriptor", "berkeleydb", {"ERR", "OK", "DOG"}, "a put waits for ever"},
      {"few_descriptors", "", {"OK", "ERR"}},
      {"malloc_fails", "", {"ERR", "SIG", "OK", "NONE"}, "C++ throws, and nobody catches it"},
      {"out_of_memory", "", {"OOM"}},
      {"stopped_process", "", {"DOG"}},
      {"clock_steps", "", {"OK"}},
      {"disk_full", "", {"ERR", "SIG"}},
      {"full_disk_reopened", "", {"OK", "ERR", "SIG"}, "recovery may need room"},
      {"room_again", "", {"OK"}},
      {"room_again",
       "treedb",
       {"OK", "ERR"},
       "a close that finds no room leaves it broken, and says so"},
      {"space_guard", "", {"STOP"}},
      {"read_only", "", {"OK"}},
      {"locked", "", {"NO"}},
      {"held_elsewhere", "", {"NO"}},
      {"held_engine", "", {"ERR"}},
      {"held_engine",
       "sqlite3",
       {"OPEN"},
       "shares the file: processes lock it for each transaction "
       "(https://www.sqlite.org/lockingv3.html)"},
      {"held_engine",
       "lmdb",
       {"OPEN"},
       "shares the file: processes have a lock file in common, and one writes at a time "
       "(http://www.lmdb.tech/doc/)"},
      {"held_engine",
       "berkeleydb",
       {"OPEN"},
       "does not lock: a private environment that a second process opens is likely to be corrupted "
       "(https://docs.oracle.com/cd/E17275_01/html/api_reference/C/envopen.html, DB_PRIVATE)"},
      {"flipped_byte", "", {"DET", "SELF", "OK"}, "free space has bytes too"},
      {"flipped_byte", "lmdb", {"DET", "SELF", "OK", "SIG"}, "a page number leads out of the map"},
      {"flipped_byte", "treedb", {"DET", "SELF", "OK", "SIG", "DOG"}, "an offset leads anywhere"},
      {"flipped_byte", "berkeleydb", {"DET", "SELF", "OK", "SIG"}, "pages have no checksum"},
      {"flipped_log", "", {"DET", "SELF", "OK"}, "what was written after is as if it never was"},
      {"truncated", "", {"DET", "SELF", "SIG"}},
      {"truncated", "berkeleydb", {"DET", "SELF", "SIG", "DOG", "OK"}, "its log has it all"},
      {"truncated", "treedb", {"DET", "SELF", "SIG", "DOG"}, "the file is grown again, with zeros"},
  };
  return rows;
}

bool Has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

Word WordOf(const RunResult& run) {
  switch (run.outcome) {
    case Outcome::kOk:
      return "OK";
    case Outcome::kStopped:
      return "STOP";
    case Outcome::kWrong:
      return "SELF";
    case Outcome::kFailed:
      break;
    default:
      return std::string(OutcomeName(run.outcome));
  }
  std::string message = run.message;
  for (const PhaseResult& phase : run.phases) {
    if (message.empty() && phase.outcome == Outcome::kFailed) message = phase.message;
  }
  if (Has(message, "hung:")) return "DOG";
  if (Has(message, "out of memory:")) return "OOM";
  if (Has(message, "died by")) return "SIG";
  if (Has(message, "cannot use ")) return "NO";
  return "ERR";
}

Allowed AllowedOf(const std::string& fault, const std::string& engine) {
  Allowed allowed;
  for (const Row& row : Rows()) {
    if (row.fault != fault || (*row.engine != '\0' && row.engine != engine)) continue;
    if (*row.engine != '\0' || allowed.words.empty()) allowed = {row.words, row.why};
  }
  return allowed;
}

}  // namespace levelfield
