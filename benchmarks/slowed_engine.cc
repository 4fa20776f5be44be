// An engine with known slowness: a plug-in that passes each call on to another plug-in's, and makes
// a get, a put, a seek and a step of a scan take SLOWED_PERCENT longer than it took. What a
// comparison must find (power.sh). LEVELFIELD_SLOWED is the other plug-in's file.
#include <dlfcn.h>
#include <x86intrin.h>

#include <cstdlib>

#include "levelfield/engine_abi.h"

#ifndef SLOWED_PERCENT
#define SLOWED_PERCENT 0
#endif

namespace {

lf_engine slowed;
const lf_engine* original = nullptr;

constexpr unsigned long long kMostTicks = 60'000;  // 20 us or less.
constexpr unsigned long long kPortionTicks = 2'000;

template <class Call>
lf_code Slowed(Call call) {
  const unsigned long long begin = __rdtsc();
  const lf_code code = call();
  const unsigned long long end = __rdtsc();
  // One that was put off its processor meanwhile is no slower for that.
  const unsigned long long took = end - begin < kMostTicks ? end - begin : kMostTicks;
  // Paid in portions: waiting for less than the clock's own price would take longer than that.
  static thread_local unsigned long long owed = 0;
  owed += took * SLOWED_PERCENT;
  if (owed >= 100 * kPortionTicks) {
    while (__rdtsc() - end < owed / 100) {
    }
    owed = 0;
  }
  return code;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() {
  if (original != nullptr) return &slowed;
  const char* const file = std::getenv("LEVELFIELD_SLOWED");
  void* const library = file != nullptr ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return nullptr;
  original = reinterpret_cast<levelfield_engine_function>(dlsym(library, "levelfield_engine"))();
  slowed = *original;
  slowed.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
    return Slowed([&] { return original->get(session, key, value); });
  };
  slowed.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return Slowed([&] { return original->put(session, key, value); });
  };
  slowed.seek = [](lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found,
                   lf_bytes* value) {
    return Slowed([&] { return original->seek(session, how, key, found, value); });
  };
  slowed.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
    return Slowed([&] { return original->next(session, key, value); });
  };
  return &slowed;
}
