// Not broken: has all that the memory engine has, and merges, erases ranges and the like besides,
// but cannot compact.
#include <string>
#include <vector>

#include "memory_with.h"

static void Change(lf_engine& table) {
  table.compact = [](lf_store*) { return levelfield::Unsupported("uncompacted: cannot compact"); };
  table.merge = [](lf_session* session, lf_bytes key, lf_bytes operand) {
    return kEngine.put(session, key, operand);
  };
  table.multi_get = [](lf_session* session, const lf_bytes* keys, size_t count, lf_bytes* values,
                       lf_code* codes) {
    // Each value is to stay until the next call.
    thread_local std::vector<std::string> kept;
    kept.assign(count, "");
    for (size_t i = 0; i < count; ++i) {
      lf_bytes value{};
      codes[i] = kEngine.get(session, keys[i], &value);
      if (codes[i] == LF_OK) kept[i].assign(value.data, value.size);
      values[i] = levelfield::Bytes(kept[i]);
    }
    return LF_OK;
  };
  table.delete_range = [](lf_session* session, lf_bytes from, lf_bytes to) {
    lf_bytes key{};
    lf_bytes value{};
    while (kEngine.seek(session, LF_AT_OR_AFTER, from, &key, &value) == LF_OK &&
           levelfield::View(key) < levelfield::View(to)) {
      const std::string found(key.data, key.size);
      (void)kEngine.erase(session, levelfield::Bytes(found));
    }
    return LF_OK;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("uncompacted", Change)
