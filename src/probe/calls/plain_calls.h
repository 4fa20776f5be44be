// libc's own versions of the functions that the program redefines (sync_calls.h), to pass calls on.
// Any thread, also between fork and exec: they are looked up before main begins.
#ifndef LEVELFIELD_PROBE_CALLS_PLAIN_CALLS_H_
#define LEVELFIELD_PROBE_CALLS_PLAIN_CALLS_H_

#include <dlfcn.h>

#include <atomic>

namespace levelfield {

// The next function of that name after the program's own: libc's, or a preloaded library's.
template <class Function>
class PlainCall {
 public:
  constexpr explicit PlainCall(const char* name) : name_(name) {}

  // Other constructors may run before ours: then it is looked up here.
  Function* get() {
    Function* const known = function_.load(std::memory_order_relaxed);
    return known != nullptr ? known : Find();
  }
  [[gnu::noinline, gnu::cold]] Function* Find() {
    auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
    function_.store(found, std::memory_order_relaxed);
    return found;
  }

 private:
  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_PLAIN_CALLS_H_
