#include "base/removal.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/clock.h"

namespace levelfield {

bool RemovePatiently(const std::function<bool()>& remove) {
  constexpr uint64_t kPatienceNs = 2'000'000'000;
  const uint64_t begun_ns = MonotonicNs();
  while (!remove()) {
    if (MonotonicNs() - begun_ns > kPatienceNs) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::error_code RemoveAll(const std::string& path) {
  std::error_code error;
  (void)RemovePatiently([&] {
    std::filesystem::remove_all(path, error);
    return error != std::errc::directory_not_empty && error != std::errc::device_or_resource_busy;
  });
  return error;
}

}  // namespace levelfield
