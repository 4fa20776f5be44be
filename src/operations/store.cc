// Operations on the store as a whole, which the worker's main thread does, and questions that are
// answered with a text.
#include "engine/engine.h"
#include "operations/heap_profile.h"
#include "operations/operations.h"
#include "workload/file/role_lines.h"
#include "workload/workload.h"

namespace levelfield {
namespace {

StatusOr<std::string> Property(Store& store, const Role& role, const std::string&) {
  return store.Property(role.property);
}

StatusOr<std::string> HeapProfile(Store&, const Role&, const std::string& directory) {
  StatusOr<std::string> path = WriteHeapProfile(directory);
  if (!path.ok()) return path;
  return "heap profile: " + *path + "\n";
}

constexpr RoleLine kPropertyLines[] = {
    {"property",
     [](ParsedWorkload& parsed, const FileNumbers&, std::string_view text) -> std::string {
       parsed.role().property = text;
       return !text.empty() ? "" : "the name of a property of the engine";
     },
     "names a property, but only `op = property` asks for one",
     "needs `property =`, the name of one"}};

Status CheckText(const RoleLines& lines) {
  if (lines.role().operations == 1) return Status::Ok();
  return lines.Error("stop", "gives one text: `stop = after 1 operation`");
}

}  // namespace

constinit const Operation operations::kCompact = {
    .name = "compact",
    .scope = OperationScope::kStore,
    .writes_files = true,
    .rewrites_entries = true,
    .on_store = [](Store& store) { return store.Compact(); }};

constinit const Operation operations::kOpen = {.name = "open", .scope = OperationScope::kStore};

constinit const Operation operations::kFlush = {
    .name = "flush",
    .scope = OperationScope::kStore,
    .writes_files = true,
    .on_store = [](Store& store) { return store.Flush(); }};

constinit const Operation operations::kWaitForBackground = {
    .name = "wait_for_background",
    .scope = OperationScope::kStore,
    .needs_whole_store = true,
    .on_store = [](Store& store) { return store.WaitForBackground(); }};

constinit const Operation operations::kVerifyChecksums = {
    .name = "verify_checksums",
    .scope = OperationScope::kStore,
    .needs_whole_store = true,
    .on_store = [](Store& store) { return store.VerifyChecksums(); }};

constinit const Operation operations::kBackup = {
    .name = "backup", .scope = OperationScope::kStore, .needs_whole_store = true, .backs_up = true};

constinit const Operation operations::kRestore = {
    .name = "restore", .scope = OperationScope::kStore, .restores = true};

constinit const Operation operations::kProperty = {.name = "property",
                                                   .scope = OperationScope::kStore,
                                                   .lines = kPropertyLines,
                                                   .check = CheckText,
                                                   .text = Property};

constinit const Operation operations::kHeapProfile = {.name = "heapprofile",
                                                      .scope = OperationScope::kStore,
                                                      .check = CheckText,
                                                      .text = HeapProfile};

}  // namespace levelfield
