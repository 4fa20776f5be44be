// Not broken: can do a part of what an engine need not do at all, and refuses the rest with a
// reason: ranges with both ends, backups that only its vendor can restore, and short keys, the
// empty one among them.
#include "memory_with.h"

static bool IsLong(lf_bytes key) { return key.size > 1000; }
static lf_code RefuseKey() { return levelfield::Unsupported("partial: takes keys of up to 1000"); }

static void Change(lf_engine& table) {
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return IsLong(key) ? RefuseKey() : kEngine.put(session, key, value);
  };
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (IsLong(entries[i].key)) return RefuseKey();
    }
    return kEngine.write(session, entries, count);
  };
  table.compact_range = [](lf_store*, lf_bytes from, lf_bytes to) {
    if (from.data != nullptr && to.data != nullptr) return LF_OK;
    return levelfield::Unsupported("partial: compacts ranges with both ends");
  };
  table.approximate_bytes = [](lf_store*, lf_bytes from, lf_bytes to, uint64_t* bytes) {
    *bytes = 500'000;
    if ((from.data == nullptr) == (to.data == nullptr)) return LF_OK;
    return levelfield::Unsupported("partial: measures ranges with both ends");
  };
  table.backup = [](lf_store*, const char*) { return LF_OK; };
  table.restore = [](const char*, const char*) {
    return levelfield::Unsupported("partial: its vendor restores backups");
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("partial", Change)
