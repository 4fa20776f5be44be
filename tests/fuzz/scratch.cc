#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/quote.h"
#include "base/text.h"
#include "targets.h"

namespace levelfield::fuzz {
namespace {

namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch()
      : path_((fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
              "levelfield_fuzz_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string ScratchPath(const std::string& name) {
  static const Scratch scratch;
  return scratch.path() + "/" + name;
}

void WriteScratch(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) std::abort();
}

void MustBePlain(std::string_view text) {
  std::string of_people(text);
  std::ranges::replace(of_people, '\t', ' ');
  for (const std::string& line : LinesOf(of_people)) {
    if (Printable(line) == line) continue;
    std::fprintf(stderr, "a control character, or no UTF-8, in a text for people:\n%s\nis\n%s\n",
                 line.c_str(), Printable(line).c_str());
    std::abort();
  }
}

}  // namespace levelfield::fuzz
