#include "engine/configuration.h"

#include "base/status.h"

namespace levelfield {

std::string ConfigurationOf(Store& store, const std::string& directory) {
  constexpr size_t kMostBytes = 256 << 10;  // RocksDB's is 10 KiB.
  StatusOr<std::string> text = store.Property("options");
  if (!text.ok()) return "unknown: " + text.status().message();
  if (text->empty()) return "unknown: the engine's text is empty";
  if (!directory.empty()) {
    for (size_t at = 0; (at = text->find(directory, at)) != std::string::npos;) {
      text->replace(at, directory.size(), "<store>");
    }
  }
  if (text->size() > kMostBytes) text->resize(kMostBytes);
  return std::move(*text);
}

}  // namespace levelfield
