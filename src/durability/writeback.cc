#include "durability/writeback.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/random.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// What fails here fails because the power is off, or the engine has just removed the file.
void WriteFilesBack(const std::string& directory) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored)) continue;
    const UniqueFd file(open(it->path().c_str(), O_RDONLY | O_CLOEXEC));
    if (file.ok()) (void)sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  }
}

void SyncFileSystem(const std::string& directory) {
  const UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.ok()) (void)syncfs(fd.get());
}

}  // namespace

Writeback::Writeback(std::string directory, uint64_t seed)
    : thread_([directory = std::move(directory), seed](const std::stop_token& stop) {
        Random random(seed);
        while (!stop.stop_requested()) {
          // 1 to 16 ms: some times in a burst of writes.
          for (uint64_t left = uint64_t{1} << random.Below(5); left > 0 && !stop.stop_requested();
               --left) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          random.Below(2) == 0 ? WriteFilesBack(directory) : SyncFileSystem(directory);
        }
      }) {}

}  // namespace levelfield
