// The sharded map with one thing wrong: what is included behind this finds its table as `Sound()`.
#ifndef LEVELFIELD_TESTS_CACHES_BROKEN_SHARDED_MAP_WITH_H_
#define LEVELFIELD_TESTS_CACHES_BROKEN_SHARDED_MAP_WITH_H_

#define LEVELFIELD_EXPORT_CACHE(table) \
  static lf_cache_table Sound() { return table; }
#include "caches/sharded_map.cc"

#define LEVELFIELD_EXPORT_BROKEN_CACHE(name_of_it, change)                                     \
  extern "C" __attribute__((visibility("default"))) const lf_cache_table* levelfield_cache() { \
    static const lf_cache_table table = [] {                                                   \
      lf_cache_table broken = Sound();                                                         \
      broken.name = name_of_it;                                                                \
      change(broken);                                                                          \
      return broken;                                                                           \
    }();                                                                                       \
    return &table;                                                                             \
  }

#endif  // LEVELFIELD_TESTS_CACHES_BROKEN_SHARDED_MAP_WITH_H_
