#include "workload/file/operation_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "workload/expected_state.h"
#include "workload/file/keys.h"
#include "workload/value_source.h"

namespace levelfield {

Status FinishRate(uint64_t key_bytes, Role& role, const RoleLines& lines) {
  if (!lines.Has("rate")) return Status::Ok();
  if (role.operation->is_of_store() || role.operation->is_of_machine()) {
    return lines.Error("rate",
                       "has a rate, but does not read or write entries one after the other");
  }
  const uint64_t bytes = lines.section().bytes_per_second;
  if (bytes == 0) return Status::Ok();
  if (role.operation->name != "put" && role.operation->name != "erase" &&
      role.operation->name != "merge" && !role.operation->is_update) {
    return lines.Error(
        "rate",
        "has a rate in bytes, but only `put`, `erase`, `merge`, `update`, `append` and "
        "`xor` do, whose operations write one entry each");
  }
  const uint64_t value_bytes =
      role.operation->name == "erase" ? 0 : (role.value_size.least() + role.value_size.most()) / 2;
  const uint64_t entry_bytes = std::max<uint64_t>(key_bytes + value_bytes, 1);
  if (bytes < entry_bytes) {
    return lines.Error("rate",
                       fmt::format("has a rate of {} bytes a second, which is less than one "
                                   "entry of {} bytes; raise it, or make the values smaller",
                                   bytes, entry_bytes));
  }
  role.rate = std::min((bytes + entry_bytes / 2) / entry_bytes, kMaxRate);
  return Status::Ok();
}

Status CheckTransaction(const Role& role, const RoleLines& lines) {
  if (role.operation->name != "transaction") {
    if (!lines.Has("sets")) return Status::Ok();
    return lines.Error("sets", "has sets of keys, but only `op = transaction` changes one of each");
  }
  if (role.order != KeyOrder::kUniform || role.source != DrawSource::kOwn) {
    return lines.Error("keys",
                       "changes counters in transactions: their keys are `drawn`, by our own "
                       "generator");
  }
  if (role.value_size.least() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size",
                       fmt::format("counts in the versions of its values, which those "
                                   "below {} bytes do not have; this has {}",
                                   ValueSource::kHeaderBytes, role.value_size.least()));
  }
  const auto keys = static_cast<unsigned __int128>(role.range) * role.sets;
  if (keys > ExpectedState::kMostRemembered) {
    return lines.Error("sets",
                       fmt::format("has more than {} keys in all its sets, of each of which "
                                   "the counter would be remembered, in 4 bytes",
                                   ExpectedState::kMostRemembered));
  }
  if (role.as_batch && role.threads > 1) {
    return lines.Error(
        "threads", fmt::format("has {} threads, and without transactions they lose each other's "
                               "updates: one thread, or an engine's transactions "
                               "(--transaction_batches=0; RocksDB's db_bench: --transaction_db or "
                               "--optimistic_transaction_db)",
                               role.threads));
  }
  return Status::Ok();
}

Status CheckText(const Role& role, const RoleLines& lines) {
  const bool asks = role.operation->name == "property";
  if (asks != lines.Has("property")) {
    return lines.Error("property", asks
                                       ? "needs `property =`, the name of one"
                                       : "names a property, but only `op = property` asks for one");
  }
  if (role.operation->text != nullptr && role.operations != 1) {
    return lines.Error("stop", "gives one text: `stop = after 1 operation`");
  }
  return Status::Ok();
}

Status CheckMachine(const Workload& workload, const Role& role, const RoleLines& lines) {
  const bool has_codec = role.operation->name == "compress" ||
                         role.operation->name == "compress_reject" ||
                         role.operation->name == "uncompress";
  if (has_codec != lines.Has("codec")) {
    return lines.Error("codec", has_codec ? "needs `codec =`: snappy, zstd or lz4"
                                          : "names a codec, but only compress, compress_reject and "
                                            "uncompress have one");
  }
  if (role.operation->is_of_machine() != (workload.need == StoreNeed::kNone)) {
    return lines.Error("op", role.operation->is_of_machine()
                                 ? "measures the machine: its workload says `needs = no store`"
                                 : "works on a store, but the workload says `needs = no store`");
  }
  if (!role.operation->is_of_machine()) return Status::Ok();
  if (workload.roles.size() > 1) {
    return lines.Error("op", "measures the machine: its role is the only one");
  }
  if (role.value_size.vary()) {
    return lines.Error("value_size",
                       "varies, but blocks of the machine's operations have one size");
  }
  if (role.value_size.most() > ValueSource::kPoolBytes) {
    return lines.Error("value_size",
                       fmt::format("has blocks of more than {} bytes, which is all that "
                                   "the pool of values has",
                                   ValueSource::kPoolBytes));
  }
  return Status::Ok();
}

}  // namespace levelfield
