#include "worker/store_operations.h"

#include "base/clock.h"
#include "worker/judge.h"

namespace levelfield {

Status RunStoreOperations(const Role& role, const std::string& durability, bool timed,
                          StoreHost& host, const std::function<bool(uint64_t)>& go_on,
                          RoleResult& result) {
  if (role.operation->on_store == nullptr && host.engine().Has(LF_VOLATILE)) {
    return Status::Usage("closing it loses what it holds, so there is nothing to open again");
  }
  result.name = role.name;
  result.threads = 1;
  LaneResult& lane = result.lanes.emplace_back();
  lane.operation = role.operation->result_name;
  if (timed) lane.latency_ns.emplace();
  uint64_t busy_ns = 0;
  for (uint64_t i = 0; i < role.operations && go_on(i); ++i) {
    const uint64_t start_ns = MonotonicNs();
    double seconds = 0;
    Status status = Status::Ok();
    if (role.operation->on_store != nullptr) {
      status = role.operation->on_store(host.store());
    } else {
      status = host.Close(&seconds);
      if (status.ok()) status = host.EnsureOpen(durability, &seconds);
    }
    const uint64_t took_ns = MonotonicNs() - start_ns;
    if (!status.ok()) return status;
    busy_ns += took_ns;
    ++lane.operations;
    ++lane.hits;
    if (timed) lane.latency_ns->Add(took_ns);
  }
  result.seconds = static_cast<double>(busy_ns) * 1e-9;
  result.thread_seconds = result.seconds;
  result.thread_operations = {lane.operations};
  result.thread_calls = {lane.operations};
  result.operations_per_second = result.OperationsPerSecond();
  return Status::Ok();
}

}  // namespace levelfield
