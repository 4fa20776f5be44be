// What each operation says that it does to a store, against what its engine was asked to do.
#include <map>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "engine/loader.h"
#include "worker/roles_for_test.h"
#include "workload/file/numbers.h"
#include "workload/trace/trace_writer.h"
#include "workload/workload_file.h"

namespace levelfield::effects_test {

// What the engine was asked. C functions have nowhere else to keep it.
std::atomic<bool> was_read, was_written, was_erased, was_committed;
std::atomic<uint64_t> keys_asked, places_asked;
thread_local bool is_in_transaction = false;
std::atomic<bool> all_conflict = false;
std::atomic<bool> has_snapshots = true;

lf_code Committed(lf_code code, std::atomic<bool>& how) {
  how = true;
  if (!is_in_transaction) was_committed = true;
  return code;
}
lf_code Get(lf_session* session, lf_bytes key, lf_bytes* value) {
  was_read = true;
  ++keys_asked;
  return honest.get(session, key, value);
}
lf_code Put(lf_session* session, lf_bytes key, lf_bytes value) {
  return Committed(honest.put(session, key, value), was_written);
}
lf_code EraseRange(lf_session* session, lf_bytes from, lf_bytes to) {
  const std::string end(to.data, to.size);
  std::string next(from.data, from.size);
  lf_bytes key;
  lf_bytes value;
  while (honest.seek(session, LF_AT_OR_AFTER, {next.data(), next.size()}, &key, &value) == LF_OK) {
    next.assign(key.data, key.size);
    if (next >= end) break;
    if (const lf_code code = honest.erase(session, {next.data(), next.size()}); code != LF_OK) {
      return code;
    }
  }
  return Committed(LF_OK, was_erased);
}

// The memory engine with all calls that an engine may have, each of which is noted.
lf_engine NotingTable() {
  lf_engine table = honest;
  table.get = Get;
  table.put = table.merge = Put;
  table.erase = [](lf_session* session, lf_bytes key) {
    return Committed(honest.erase(session, key), was_erased);
  };
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    for (size_t i = 0; i < count; ++i) (entries[i].erase != 0 ? was_erased : was_written) = true;
    was_committed = true;
    return honest.write(session, entries, count);
  };
  table.delete_range = EraseRange;
  table.compact_level = [](lf_store*, uint32_t) { return LF_OK; };
  table.multi_get = [](lf_session* session, const lf_bytes* keys, size_t count, lf_bytes* values,
                       lf_code* codes) {
    for (size_t i = 0; i < count; ++i) codes[i] = Get(session, keys[i], &values[i]);
    return LF_OK;
  };
  table.seek = [](lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found,
                  lf_bytes* value) {
    was_read = true;
    ++places_asked;
    return honest.seek(session, how, key, found, value);
  };
  table.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
    was_read = true;
    return honest.next(session, key, value);
  };
  table.prev = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
    was_read = true;
    return honest.prev(session, key, value);
  };
  table.take_snapshot = [](lf_session*, lf_snapshot** snapshot) {
    if (!has_snapshots) return LF_UNSUPPORTED;
    static char any;
    *snapshot = reinterpret_cast<lf_snapshot*>(&any);
    return LF_OK;
  };
  table.release_snapshot = [](lf_session*, lf_snapshot*) {};
  table.get_at = [](lf_session* session, lf_snapshot*, lf_bytes key, lf_bytes* value) {
    return Get(session, key, value);
  };
  table.new_iterator = [](lf_session*) { return LF_OK; };
  table.begin_transaction = [](lf_session*) {
    is_in_transaction = true;
    return LF_OK;
  };
  table.get_for_update = Get;
  table.commit_transaction = [](lf_session*) {
    is_in_transaction = false;
    if (all_conflict) return LF_CONFLICT;
    was_committed = true;
    return LF_OK;
  };
  table.roll_back_transaction = [](lf_session*) {
    is_in_transaction = false;
    return LF_OK;
  };
  table.flush = table.wait_for_background = table.verify_checksums = [](lf_store*) {
    return LF_OK;
  };
  return table;
}

// Roles of each operation, as a workload file has them; of those that choose, one for each kind of
// their calls. Without `needs`, the store is full.
const std::multimap<std::string_view, std::string> kRoles = {
    {"get", "op = get\nkeys = uniform\n"},
    {"put", "op = put\nkeys = shuffled\n"},
    {"put", "op = put\nkeys = shuffled\nbatch = 10\n"},
    {"erase", "op = erase\nkeys = shuffled\n"},
    {"erase", "op = erase\nkeys = shuffled\nbatch = 10\n"},
    {"merge", "op = merge\nkeys = shuffled\n"},
    {"multi_get", "op = multi_get\nkeys = uniform\nbatch = 10\n"},
    {"update", "op = update\nkeys = shuffled\n"},
    {"transaction", "op = transaction\nkeys = drawn\nrange = 100\nsets = 2\n"},
    {"new_iterator", "op = new_iterator\n"},
    {"append", "op = append\nkeys = shuffled\n"},
    {"xor", "op = xor\nkeys = shuffled\n"},
    {"triple", "op = triple\nrange = 300\nget_percent = 100\nerase_percent = 0\n"},
    {"triple", "op = triple\nrange = 300\nget_percent = 0\nerase_percent = 0\n"},
    {"triple", "op = triple\nrange = 300\nget_percent = 0\nerase_percent = 100\n"},
    {"replace", "needs = empty store\nop = replace\nrange = 500\nstddev = 3\n"},
    {"dispose",
     "needs = empty store\nop = dispose\ndisposable_batch = 0\ndisposable_value_size = 20\n"
     "persistent_batch = 10\npersistent_value_size = 20\ndelay_us = 0\n"},
    {"dispose",
     "needs = empty store\nop = dispose\ndisposable_batch = 10\ndisposable_value_size = 20\n"
     "persistent_batch = 10\npersistent_value_size = 20\ndelay_us = 0\n"},
    {"series put", "needs = empty store\nop = series put\nids = 10\ntime_range = 50\n"},
    {"series read",
     "needs = empty store\nop = series put\nids = 10\ntime_range = 50\nstop = after 2000 "
     "operations\n[reader]\nop = series read\nstop = when r ends\n"},
    {"series expire",
     "needs = empty store\nop = series put\nids = 10\ntime_range = 50\nstop = after 2000 "
     "operations\n[eraser]\nop = series expire\nstop = when r ends\n"},
    {"row index", "op = row index\nrows = 1000\nindexes = 2\n"},
    {"row insert", "op = row insert\nrows = 1000\ndeletes = 1\n"},
    {"row scan",
     "op = row insert\nrows = 1000\nstop = after 300 operations\n[reader]\nop = row scan\n"
     "nexts = 3\nstop = when r ends\n"},
    {"graph", "op = graph\n"},
    {"graph of one number", "op = graph of one number\n"},
    {"seek", "op = seek\nkeys = uniform\n"},
    {"seek", "op = seek\nkeys = uniform\nnexts = 3\n"},
    {"seek again", "op = seek again\nkeys = uniform\nnexts = 3\n"},
    {"ycsb", "op = ycsb 100% read\n"},
    {"ycsb", "op = ycsb 100% update\n"},
    {"ycsb", "op = ycsb 100% insert\n"},
    {"ycsb", "op = ycsb 100% scan\nscan_length = 10\n"},
    {"ycsb", "op = ycsb 100% rmw\n"},
    {"ycsb", "op = ycsb 50% update, 50% delete\n"},
    {"next", "op = next\n"},
    {"prev", "op = prev\n"},
    {"erase range", "op = 100% get, 0% erase range\n"},
    {"erase range", "op = 100% put, 0% erase range\n"},
    {"erase range", "op = 100% erase range\nnexts = 3\n"},
    {"mix", "op = 100% get, else put\nkeys = shuffled\n"},
    {"mix", "op = 0% get, else put\nkeys = shuffled\n"},
    {"mix", "op = 100% merge, else get\nkeys = shuffled\n"},
    {"mix", "op = 100% seek, 0% put\nkeys = shuffled\n"},
};

std::string Words(Effects effects) {
  std::string words;
  for (const auto& [effect, name] : kEffectNames) {
    if (effects.Has(effect)) words += std::string(name) + " ";
  }
  return words;
}

class EffectsOfOperations : public ::testing::Test {
 protected:
  EffectsOfOperations() : clock_(Clock::Calibrate(false)), values_(7, 2000, 0.5) {
    honest = Must(LoadEngine(*ParseEngineSpec("memory"), EnginePlaces())).table();
    all_conflict = false;
    settings_.num = 500;
    settings_.reads = 200;
    settings_.value_size = 64;
    settings_.mix_get_ratio = 0.4;
    settings_.mix_put_ratio = settings_.mix_seek_ratio = 0.3;
  }

  Workload Parsed(std::string role) {
    std::string needs = "needs = any store\n";
    if (role.starts_with("needs")) {
      needs = role.substr(0, role.find('\n') + 1);
      role.erase(0, needs.size());
    }
    if (role.find("ycsb") != role.npos) {
      role += "requests = uniform\nkeys = shuffled\nrange = 1000\nrecords = 500\n";
    }
    if (role.find("stop") == role.npos) role += "stop = after 200 operations\n";
    return Must(ParseWorkload("w", "summary = s\nfamily = f\n" + needs + "[r]\n" + role, settings_));
  }

  PhaseRun Run(Store& store, const Workload& workload, const TraceSteps* trace = nullptr) {
    const std::vector<uint32_t> counters(workload.roles.front().key_count());
    PhaseRun run = RunPhase({.workload = &workload,
                             .settings = &settings_,
                             .store = &store,
                             .values = &values_,
                             .clock = &clock_,
                             .first_version = state_.NextVersion(),
                             .trace = trace,
                             .before = &state_,
                             .versions_before = &counters,
                             .is_interrupted = [] { return false; },
                             .report_progress = [](uint64_t, uint64_t) {}});
    EXPECT_EQ(run.code, LF_OK) << run.error;
    for (const WriteLayer& layer : LayersOf(workload, run)) state_.Add(layer);
    return run;
  }

  // What the statistics of a workload say, which has to be what its calls did; of those that did
  // anything.
  Effects Said(const Workload& workload, const TraceSteps* trace = nullptr) {
    Store store = Must(
        Store::Open(Engine(*ParseEngineSpec("memory"), "/p", NotingTable()), directory_.path(), {}));
    state_ = ExpectedState();
    if (workload.need != StoreNeed::kEmpty) {
      Run(store, Parsed("op = put\nkeys = shuffled\nstop = after 500 operations\n"));
    }
    was_read = was_written = was_erased = was_committed = false;
    keys_asked = places_asked = 0;
    const PhaseRun run = Run(store, workload, trace);
    Effects said = Effects::None();
    std::map<Lookup, uint64_t> looks;
    for (const RoleResult& role : Summarize(workload, run, false)) {
      for (const OperationStatistics& stats : role.statistics) {
        EXPECT_TRUE(stats.effects) << stats.operation;
        // Before anything can have expired, an expiry asks the engine for nothing: a miss.
        const uint64_t asking = stats.operation == "expire" ? stats.hits : stats.operations;
        if (asking != 0) said = said | stats.effects.value_or(Effects::None());
        looks[stats.lookup] += stats.operations;
      }
    }
    Effects done = Effects::None();
    if (was_read) done = done | Effect::kReads;
    if (was_written) done = done | Effect::kWrites;
    if (was_erased) done = done | Effect::kErases;
    if (was_committed) done = done | Effect::kCommits;
    EXPECT_EQ(Words(said), Words(done));
    EXPECT_LE(looks[Lookup::kKey], keys_asked);
    EXPECT_LE(looks[Lookup::kPlace], places_asked);
    if (workload.roles.size() == 1 && looks[Lookup::kNone] == 0) {  // Else others may look, too.
      EXPECT_EQ(looks[Lookup::kKey] == 0, keys_asked == 0);
      EXPECT_EQ(looks[Lookup::kPlace] == 0, places_asked == 0);
    }
    return said;
  }

  Effects SaidOfTrace(const Operation& operation) {
    Effects said = Effects::None();
    for (const TraceOperation kind : {TraceOperation::kGet, TraceOperation::kPut,
                                      TraceOperation::kErase, TraceOperation::kModify}) {
      const std::string path =
          directory_ / fmt::format("{} {}", operation.name, static_cast<int>(kind));
      StatusOr<TraceWriter> writer = TraceWriter::Create(path, false);
      for (uint64_t i = 0; i < 100; ++i) {
        TraceRecord record{.time_ns = i, .value_size = 20};
        record.operation = kind;
        EXPECT_TRUE(writer->Add(std::to_string(i), record).ok());
      }
      EXPECT_TRUE(writer->Finish("a test", 0).ok());
      Workload workload;
      workload.need = StoreNeed::kEmpty;
      Role& role = workload.roles.emplace_back();
      role.name = "client";
      role.operation = &operation;
      if (operation.set != nullptr) operation.set(FileNumbers(settings_), role);
      role.trace.path = path;
      Must(DescribeTrace(role.trace));
      role.range = role.trace.keys;
      role.operations = role.trace.loads ? role.trace.loaded_keys : role.trace.records();
      role.value_size = role.trace.largest_value;
      if (role.operations == 0) continue;
      const TraceSteps steps = Must(TraceSteps::Make(role.trace, 1, 4, 1));
      said = said | Said(workload, &steps);
    }
    return said;
  }

  TemporaryDirectory directory_;
  Settings settings_;
  Clock clock_;
  ValueSource values_;
  ExpectedState state_;
};

TEST_F(EffectsOfOperations, AreThoseThatTheEngineIsAskedFor) {
  for (const Operation* const operation : Operations()) {
    SCOPED_TRACE(operation->name);
    Effects said = Effects::None();
    if (operation->replays_trace) {
      said = SaidOfTrace(*operation);
    } else if (!operation->is_of_store() && !operation->is_of_machine()) {
      const auto [begin, end] = kRoles.equal_range(operation->name);
      EXPECT_NE(begin, end) << "has no role in this test";
      for (auto role = begin; role != end; ++role) {
        SCOPED_TRACE(role->second);
        has_snapshots = operation->reads();  // Else it looks at its snapshot afterwards, unmeasured.
        said = said | Said(Parsed(role->second));
        // The eraser of a series may look before anything has expired, and end before the rest has.
        for (int again = 0; operation->has_writer_clock && again < 100; ++again) {
          if ((operation->effects | said) == said) break;
          said = said | Said(Parsed(role->second));
        }
      }
    }
    // Those on the whole store change no entry of it, and those of the machine have none. A series
    // has a writer.
    const Effects of_writer = operation->has_writer_clock ? kPuts : Effects::None();
    EXPECT_EQ(Words(said), Words(operation->effects | of_writer));
  }
}

TEST_F(EffectsOfOperations, OfATransactionThatGaveWayAreNotCommitted) {
  all_conflict = true;
  const Effects said = Said(Parsed(kRoles.find("transaction")->second));
  EXPECT_EQ(Words(said), "reads writes ");
}

TEST_F(EffectsOfOperations, OnTheStoreAsAWholeAreNone) {
  Store store = Must(
      Store::Open(Engine(*ParseEngineSpec("memory"), "/p", NotingTable()), directory_.path(), {}));
  was_read = was_written = was_erased = was_committed = false;
  for (const Operation* const operation : Operations()) {
    if (operation->on_store == nullptr) continue;
    Must(operation->on_store(store));
    EXPECT_FALSE(was_read || was_written || was_erased || was_committed) << operation->name;
  }
}

}  // namespace levelfield::effects_test
