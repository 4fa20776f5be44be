// The directories that were made for a store that then came to nothing; taken away again when this
// ends, unless they are kept. Used by one thread, the one that makes them (store_place.h).
#ifndef LEVELFIELD_STORE_MADE_DIRECTORIES_H_
#define LEVELFIELD_STORE_MADE_DIRECTORIES_H_

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/unique_fd.h"

namespace levelfield {

class MadeDirectories {
 public:
  MadeDirectories() = default;
  MadeDirectories(MadeDirectories&&) = default;
  MadeDirectories& operator=(MadeDirectories&&) = delete;
  ~MadeDirectories() {
    while (!made_.empty()) {
      // Only ever succeeds on an empty directory.
      unlinkat(made_.back().first.get(), made_.back().second.c_str(), AT_REMOVEDIR);
      made_.pop_back();
    }
  }
  void Add(UniqueFd parent, std::string name) {
    made_.emplace_back(std::move(parent), std::move(name));
  }
  void Keep() { made_.clear(); }
  bool any() const { return !made_.empty(); }

 private:
  std::vector<std::pair<UniqueFd, std::string>> made_;  // With what they are in, outermost first.
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_MADE_DIRECTORIES_H_
