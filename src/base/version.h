// The version of Levelfield: the project's in CMakeLists.txt.
#ifndef LEVELFIELD_BASE_VERSION_H_
#define LEVELFIELD_BASE_VERSION_H_

namespace levelfield {

inline constexpr const char* kVersion = LEVELFIELD_VERSION;

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_VERSION_H_
