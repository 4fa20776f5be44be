// A library that an operation of the machine measures, loaded in the worker when it is asked for:
// the program itself is linked with none of them. Never unloaded, as engines are not.
#ifndef LEVELFIELD_OPERATIONS_SHARED_LIBRARY_H_
#define LEVELFIELD_OPERATIONS_SHARED_LIBRARY_H_

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/status.h"

namespace levelfield {

class SharedLibrary {
 public:
  // "libsnappy.so.1", as the system finds it.
  explicit SharedLibrary(const char* name)
      : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) Complain();
  }

  // Sets `function` to the library's; the first one that is not there fails the library.
  template <class Function>
  void Find(const char* symbol, Function*& function) {
    if (!error_.empty()) return;
    function = reinterpret_cast<Function*>(dlsym(handle_, symbol));
    if (function == nullptr) return Complain();
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(function), &info) != 0) path_ = info.dli_fname;
  }

  Status status() const { return error_.empty() ? Status::Ok() : Status::Usage(error_); }
  // Of the file that the functions were found in.
  const std::string& path() const { return path_; }

 private:
  void Complain() {
    const char* const reason = dlerror();
    error_ = fmt::format("{} cannot be loaded: {}", name_, reason != nullptr ? reason : "unknown");
  }

  const char* name_;
  void* handle_;
  std::string error_;
  std::string path_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SHARED_LIBRARY_H_
