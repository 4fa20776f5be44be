#include "result/circumstances_json.h"

#include <utility>

#include "result/json_reader.h"

namespace levelfield {
namespace {

Json ToJson(const Resources::Device& device) {
  Json json = {{"read_bytes", device.read_bytes}, {"written_bytes", device.written_bytes}};
  if (device.flushes) json["flushes"] = *device.flushes;
  if (device.writes) json["writes"] = *device.writes;
  return json;
}

StatusOr<Resources::Device> DeviceFromJson(const Json& json) {
  Reader reader(json, "the device's bytes of a phase");
  Resources::Device device = {.read_bytes = reader.Get<uint64_t>("read_bytes"),
                              .written_bytes = reader.Get<uint64_t>("written_bytes")};
  if (json.is_object() && json.contains("flushes")) {
    device.flushes = reader.Get<uint64_t>("flushes");
  }
  if (json.is_object() && json.contains("writes")) device.writes = reader.Get<uint64_t>("writes");
  if (const Status status = reader.status(); !status.ok()) return status;
  return device;
}

constexpr std::pair<const char*, std::optional<double> Conditions::*> kConditions[] = {
    {"stolen_share", &Conditions::stolen_share},
    {"others_share", &Conditions::others_share},
    {"cpu_wait_share", &Conditions::cpu_wait_share},
    {"io_wait_share", &Conditions::io_wait_share},
    {"memory_wait_share", &Conditions::memory_wait_share},
    {"begin_mhz", &Conditions::begin_mhz},
    {"end_mhz", &Conditions::end_mhz},
};

// A number that may not be there.
void Put(Json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = *value;
}

}  // namespace

Json ToJson(const Resources& used) {
  Json json = {{"user_seconds", used.user_seconds},
               {"system_seconds", used.system_seconds},
               {"peak_resident_bytes", used.peak_resident_bytes},
               {"minor_faults", used.minor_faults},
               {"major_faults", used.major_faults},
               {"voluntary_switches", used.voluntary_switches},
               {"involuntary_switches", used.involuntary_switches}};
  if (used.io) {
    json["io"] = {{"read_call_bytes", used.io->read_call_bytes},
                  {"write_call_bytes", used.io->write_call_bytes},
                  {"storage_read_bytes", used.io->storage_read_bytes},
                  {"dirtied_bytes", used.io->dirtied_bytes}};
  }
  if (used.device) {
    json["device"] = ToJson(*used.device);
  }
  if (used.synced_device) json["synced_device"] = ToJson(*used.synced_device);
  if (used.foreground_seconds) json["foreground_seconds"] = *used.foreground_seconds;
  if (used.watcher_seconds) json["watcher_seconds"] = *used.watcher_seconds;
  if (used.memory) {
    json["memory"] = {{"anonymous_bytes", used.memory->anonymous_bytes},
                      {"file_bytes", used.memory->file_bytes},
                      {"shared_bytes", used.memory->shared_bytes},
                      {"proportional_bytes", used.memory->proportional_bytes}};
  }
  if (used.syncs) {
    json["syncs"] = {{"calls", used.syncs->calls},
                     {"waited_seconds", used.syncs->waited_seconds},
                     {"synced_files", used.syncs->synced_files}};
    if (used.syncs->kinds) json["syncs"]["kinds"] = CountsJson(*used.syncs->kinds);
  }
  return json;
}

StatusOr<Resources> ResourcesFromJson(const Json& json) {
  Reader reader(json, "a phase's resources");
  Resources used;
  used.user_seconds = reader.Get<double>("user_seconds");
  used.system_seconds = reader.Get<double>("system_seconds");
  used.peak_resident_bytes = reader.Get<uint64_t>("peak_resident_bytes");
  used.minor_faults = reader.Get<uint64_t>("minor_faults");
  used.major_faults = reader.Get<uint64_t>("major_faults");
  used.voluntary_switches = reader.Get<uint64_t>("voluntary_switches");
  used.involuntary_switches = reader.Get<uint64_t>("involuntary_switches");
  const auto has = [&](const char* name) { return json.is_object() && json.contains(name); };
  const auto read_device = [&](const char* name) -> std::optional<Resources::Device> {
    if (!has(name)) return std::nullopt;
    const StatusOr<Resources::Device> device = DeviceFromJson(json[name]);
    if (!device.ok()) reader.Fail(device.status());
    return device.ok() ? std::optional(*device) : std::nullopt;
  };
  if (has("io")) {
    Reader io(json["io"], "the bytes of a phase");
    used.io = {.read_call_bytes = io.Get<uint64_t>("read_call_bytes"),
               .write_call_bytes = io.Get<uint64_t>("write_call_bytes"),
               .storage_read_bytes = io.Get<uint64_t>("storage_read_bytes"),
               .dirtied_bytes = io.Get<uint64_t>("dirtied_bytes")};
    reader.Fail(io.status());
  }
  used.device = read_device("device");
  used.synced_device = read_device("synced_device");
  if (has("foreground_seconds")) used.foreground_seconds = reader.Get<double>("foreground_seconds");
  if (has("watcher_seconds")) used.watcher_seconds = reader.Get<double>("watcher_seconds");
  if (has("memory")) {
    Reader memory(json["memory"], "the memory of a phase");
    used.memory = {.anonymous_bytes = memory.Get<uint64_t>("anonymous_bytes"),
                   .file_bytes = memory.Get<uint64_t>("file_bytes"),
                   .shared_bytes = memory.Get<uint64_t>("shared_bytes"),
                   .proportional_bytes = memory.Get<uint64_t>("proportional_bytes")};
    reader.Fail(memory.status());
  }
  if (has("syncs")) {
    Reader syncs(json["syncs"], "the sync calls of a phase");
    used.syncs = {.calls = syncs.Get<uint64_t>("calls"),
                  .waited_seconds = syncs.Get<double>("waited_seconds"),
                  .synced_files = syncs.Get<uint64_t>("synced_files")};
    if (json["syncs"].is_object() && json["syncs"].contains("kinds")) {
      used.syncs->kinds = syncs.Counts("kinds");
    }
    reader.Fail(syncs.status());
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return used;
}

Json ToJson(const Conditions& conditions) {
  Json json = {{"seconds", conditions.seconds}};
  for (const auto& [name, member] : kConditions) Put(json, name, conditions.*member);
  return json;
}

StatusOr<Conditions> ConditionsFromJson(const Json& json) {
  Reader reader(json, "the conditions of a phase");
  Conditions conditions{.seconds = reader.Get<double>("seconds")};
  for (const auto& [name, member] : kConditions) {
    if (json.is_object() && json.contains(name)) conditions.*member = reader.Get<double>(name);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return conditions;
}

Json ToJson(const Ceilings& ceilings) {
  Json json = {{"copy_bytes_per_second", ceilings.copy_bytes_per_second},
               {"syncs", ceilings.syncs},
               {"least_sync_seconds", ceilings.least_sync_seconds},
               {"median_sync_seconds", ceilings.median_sync_seconds},
               {"most_sync_seconds", ceilings.most_sync_seconds},
               {"overwrites", ceilings.overwrites},
               {"least_overwrite_seconds", ceilings.least_overwrite_seconds},
               {"median_overwrite_seconds", ceilings.median_overwrite_seconds}};
  if (ceilings.device_flushes) json["device_flushes"] = *ceilings.device_flushes;
  if (ceilings.device_writes) json["device_writes"] = *ceilings.device_writes;
  return json;
}

StatusOr<Ceilings> CeilingsFromJson(const Json& json) {
  Reader reader(json, "the ceilings of a phase");
  Ceilings ceilings{.copy_bytes_per_second = reader.Get<double>("copy_bytes_per_second"),
                    .syncs = reader.Get<uint64_t>("syncs"),
                    .least_sync_seconds = reader.Get<double>("least_sync_seconds"),
                    .median_sync_seconds = reader.Get<double>("median_sync_seconds"),
                    .most_sync_seconds = reader.Get<double>("most_sync_seconds")};
  if (json.is_object() && json.contains("overwrites")) {
    ceilings.overwrites = reader.Get<uint64_t>("overwrites");
    ceilings.least_overwrite_seconds = reader.Get<double>("least_overwrite_seconds");
    ceilings.median_overwrite_seconds = reader.Get<double>("median_overwrite_seconds");
  }
  for (const auto& [name, count] : {std::pair("device_flushes", &ceilings.device_flushes),
                                    std::pair("device_writes", &ceilings.device_writes)}) {
    if (json.is_object() && json.contains(name)) *count = reader.Get<uint64_t>(name);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return ceilings;
}

Json ToJson(const PageCacheShare& share) {
  return {{"was_dropped", share.was_dropped},
          {"file_bytes", share.file_bytes},
          {"cached_bytes", share.cached_bytes},
          {"end_file_bytes", share.end_file_bytes},
          {"end_cached_bytes", share.end_cached_bytes}};
}

StatusOr<PageCacheShare> PageCacheFromJson(const Json& json) {
  Reader reader(json, "the page cache of a phase");
  const PageCacheShare share{.was_dropped = reader.Get<bool>("was_dropped"),
                             .file_bytes = reader.Get<uint64_t>("file_bytes"),
                             .cached_bytes = reader.Get<uint64_t>("cached_bytes"),
                             .end_file_bytes = reader.Get<uint64_t>("end_file_bytes"),
                             .end_cached_bytes = reader.Get<uint64_t>("end_cached_bytes")};
  if (const Status status = reader.status(); !status.ok()) return status;
  return share;
}

Json ToJson(const Audit& audit) {
  Json json = {{"commits", audit.commits},
               {"without_flush", audit.without_flush},
               {"flushes", audit.flushes},
               {"acknowledged_bytes", audit.acknowledged_bytes},
               {"written_bytes", audit.written_bytes}};
  if (audit.dirty_pages) {
    json["dirty_pages"] = *audit.dirty_pages;
    json["dirty_files"] = CountsJson(audit.dirty_files);
  }
  if (audit.device_flushes) json["device_flushes"] = *audit.device_flushes;
  json["reason"] = audit.reason;
  if (!audit.uncounted.empty()) json["uncounted"] = audit.uncounted;
  if (audit.flushes_past_libc) json["flushes_past_libc"] = *audit.flushes_past_libc;
  return json;
}

StatusOr<Audit> AuditFromJson(const Json& json) {
  Reader reader(json, "the audit of a phase");
  Audit audit{.commits = reader.Get<uint64_t>("commits"),
              .without_flush = reader.Get<uint64_t>("without_flush"),
              .flushes = reader.Get<uint64_t>("flushes"),
              .acknowledged_bytes = reader.Get<uint64_t>("acknowledged_bytes"),
              .written_bytes = reader.Get<uint64_t>("written_bytes"),
              .reason = reader.Get<std::string>("reason")};
  if (json.is_object() && json.contains("dirty_pages")) {
    audit.dirty_pages = reader.Get<uint64_t>("dirty_pages");
    audit.dirty_files = reader.Counts("dirty_files");
  }
  if (json.is_object() && json.contains("device_flushes")) {
    audit.device_flushes = reader.Get<uint64_t>("device_flushes");
  }
  if (json.is_object() && json.contains("uncounted")) {
    audit.uncounted = reader.Get<std::string>("uncounted");
  }
  if (json.is_object() && json.contains("flushes_past_libc")) {
    audit.flushes_past_libc = reader.Get<uint64_t>("flushes_past_libc");
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return audit;
}

Json ToJson(const Medium& medium) {
  Json json = {{"filesystem", medium.filesystem},
               {"write_cache", medium.write_cache},
               {"volatile_because", medium.volatile_because},
               {"doubt", medium.doubt}};
  if (medium.unverifiable_because) {
    json["devices"] = medium.devices;
    json["unverifiable_because"] = *medium.unverifiable_because;
  }
  return json;
}

StatusOr<Medium> MediumFromJson(const Json& json) {
  Reader reader(json, "what lies under the store of a phase");
  Medium medium{.filesystem = reader.Get<std::string>("filesystem"),
                .write_cache = reader.Get<std::string>("write_cache"),
                .volatile_because = reader.Get<std::string>("volatile_because"),
                .doubt = reader.Get<std::string>("doubt")};
  if (json.is_object() && json.contains("unverifiable_because")) {
    medium.unverifiable_because = reader.Get<std::string>("unverifiable_because");
    medium.devices = reader.Get<std::string>("devices");
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return medium;
}

Json ToJson(const FileSystem& file_system) {
  return {{"kind", file_system.kind},
          {"mounted_as", file_system.mounted_as},
          {"mount_options", file_system.mount_options},
          {"mkfs", file_system.mkfs},
          {"mkfs_version", file_system.mkfs_version},
          {"journal", file_system.journal},
          {"bytes", file_system.bytes},
          {"image_on", file_system.image_on},
          {"direct_io", file_system.direct_io},
          {"medium", ToJson(file_system.medium)}};
}

StatusOr<FileSystem> FileSystemFromJson(const Json& json) {
  Reader reader(json, "the file system of a run");
  FileSystem file_system{.kind = reader.Get<std::string>("kind"),
                         .mounted_as = reader.Get<std::string>("mounted_as"),
                         .mount_options = reader.Get<std::string>("mount_options"),
                         .mkfs = reader.Get<std::string>("mkfs"),
                         .mkfs_version = reader.Get<std::string>("mkfs_version"),
                         .journal = reader.Get<std::string>("journal"),
                         .bytes = reader.Get<uint64_t>("bytes"),
                         .image_on = reader.Get<std::string>("image_on"),
                         .direct_io = reader.Get<bool>("direct_io")};
  if (const Status status = reader.status(); !status.ok()) return status;
  const auto medium = json.find("medium");
  StatusOr<Medium> on = MediumFromJson(medium != json.end() ? *medium : Json());
  if (!on.ok()) return on.status();
  file_system.medium = std::move(*on);
  return file_system;
}

StatusOr<Price> PriceFromJson(const Json& json) {
  Reader reader(json, "a price");
  Price price{.engine = reader.Get<std::string>("engine"),
              .keys = reader.Get<uint64_t>("keys"),
              .clock_ns = reader.Get<double>("clock_ns"),
              .workload_ns = {}};
  for (const auto& [name, ns] : reader.Member("workload_ns", false).items()) {
    if (ns.is_number()) {
      price.workload_ns.emplace_back(name, ns.get<double>());
    } else {
      reader.Fail("has a \"workload_ns\" that is no object of numbers");
    }
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return price;
}

Json ToJson(const Settle& settle) {
  Json json = {{"seconds", settle.seconds},
               {"how", settle.how},
               {"complete", settle.complete},
               {"cpu_seconds", settle.cpu_seconds}};
  if (settle.dirtied_bytes) json["dirtied_bytes"] = *settle.dirtied_bytes;
  return json;
}

StatusOr<Settle> SettleFromJson(const Json& json) {
  Reader reader(json, "the settling of a phase");
  Settle settle{.seconds = reader.Get<double>("seconds"),
                .how = reader.Get<std::string>("how"),
                .complete = reader.Get<bool>("complete"),
                .cpu_seconds = reader.Get<double>("cpu_seconds"),
                .dirtied_bytes = std::nullopt};
  if (json.is_object() && json.contains("dirtied_bytes")) {
    settle.dirtied_bytes = reader.Get<uint64_t>("dirtied_bytes");
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return settle;
}

Json ToJson(const Price& price) {
  Json workload_ns = Json::object();
  for (const auto& [name, ns] : price.workload_ns) workload_ns[name] = ns;
  return {{"engine", price.engine},
          {"keys", price.keys},
          {"clock_ns", price.clock_ns},
          {"workload_ns", std::move(workload_ns)}};
}

}  // namespace levelfield
