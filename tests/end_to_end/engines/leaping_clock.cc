// A CLOCK_MONOTONIC that leaps: preloaded, from half a second after a process began it is 50 ms
// ahead of the machine's, as behind a suspend or a migration. The time-stamp counter is not.
#include <dlfcn.h>

#include <atomic>
#include <ctime>

namespace {

constexpr long kSecond = 1'000'000'000;
constexpr long kAfterNs = kSecond / 2;
constexpr long kLeapNs = 50'000'000;

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Call = int (*)(clockid_t, timespec*);
  static const Call call = reinterpret_cast<Call>(dlsym(RTLD_NEXT, "clock_gettime"));
  static std::atomic<long> began_ns{0};
  const int result = call(clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC) return result;
  const long now_ns = time->tv_sec * kSecond + time->tv_nsec;
  long never = 0;
  began_ns.compare_exchange_strong(never, now_ns);
  if (now_ns - began_ns.load() < kAfterNs) return result;
  time->tv_nsec += kLeapNs;
  time->tv_sec += time->tv_nsec / kSecond;
  time->tv_nsec %= kSecond;
  return result;
}
