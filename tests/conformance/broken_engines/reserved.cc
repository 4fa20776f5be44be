// Not broken: answers LF_UNSUPPORTED, with a reason, to all that an engine may answer so to. What
// it cannot do it does not have to do, and nothing may fail over it.
#include "kept_in_a_file.h"

namespace {

// A call of any type that says only that.
template <class Call>
struct Unable;
template <class... Arguments>
struct Unable<lf_code (*)(Arguments...)> {
  static lf_code Call(Arguments...) { return levelfield::Unsupported("reserved: cannot do that"); }
};

template <class Call>
void Refuse(Call& member) {
  member = Unable<Call>::Call;
}

const lf_durability kClaims[] = {{"none", LF_D0_NONE, "written when it is closed"},
                                 {"process", LF_REFUSED, "not before that"},
                                 {"synced", LF_REFUSED, "does not sync"},
                                 {nullptr, LF_REFUSED, nullptr}};

lf_code OpenInItsClass(const char* directory, const lf_setting* settings, size_t count,
                       lf_store** store) {
  if (EngineSettings(settings, count).Durability() != "none") {
    return levelfield::Unsupported("reserved: has the class `none` only");
  }
  return Open(directory, settings, count, store);
}

void Change(lf_engine& table) {
  KeepInAFile(table);
  table.capabilities = LF_BATCH_ATOMIC;
  table.durabilities = kClaims;
  table.describe = [](void* context, lf_fact_sink sink) {
    sink(context, "version", "1");
    sink(context, "library", "/proc/self/exe");
  };
  table.open = OpenInItsClass;
  Refuse(table.sync);
  Refuse(table.compact);
  Refuse(table.size_on_disk);
  Refuse(table.property);
  table.properties = nullptr;
  Refuse(table.recognize);
  Refuse(table.destroy);
  Refuse(table.repair);
  Refuse(table.compact_range);
  Refuse(table.approximate_bytes);
  Refuse(table.take_snapshot);
  table.release_snapshot = [](lf_session*, lf_snapshot*) {};
  Refuse(table.get_at);
  Refuse(table.merge);
  Refuse(table.multi_get);
  Refuse(table.delete_range);
  Refuse(table.flush);
  Refuse(table.wait_for_background);
  Refuse(table.backup);
  Refuse(table.restore);
  Refuse(table.verify_checksums);
  Refuse(table.begin_transaction);
  Refuse(table.get_for_update);
  Refuse(table.commit_transaction);
  Refuse(table.roll_back_transaction);
  Refuse(table.new_iterator);
}

}  // namespace

LEVELFIELD_EXPORT_CHANGED_ENGINE("reserved", Change)
