// Shared by the plug-ins of caches: the text behind lf_cache_table::last_error, one for each
// thread, and the deleter in LevelDB's and RocksDB's form.
#ifndef LEVELFIELD_CACHES_PLUG_IN_H_
#define LEVELFIELD_CACHES_PLUG_IN_H_

#include <string>
#include <utility>

#include "levelfield/cache_abi.h"

namespace levelfield {

inline std::string& CacheError() {
  thread_local std::string text;
  return text;
}

inline lf_code CacheFailed(lf_code code, std::string text) {
  CacheError() = std::move(text);
  return code;
}

// A library's `void (*)(const Slice&, void*)`, whose Slice is a pointer and a size as lf_bytes is.
// It is the same call in the ABI, though not in the language; the cast by `void (*)()` tells GCC
// so. A function of our own in between would cost a jump for every value.
template <class Deleter>
Deleter DeleterAs(lf_cache_deleter deleter) {
  return reinterpret_cast<Deleter>(reinterpret_cast<void (*)()>(deleter));
}

}  // namespace levelfield

#endif  // LEVELFIELD_CACHES_PLUG_IN_H_
