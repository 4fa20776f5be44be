// The allocator of this process, which an engine that is loaded into it uses: the one behind
// `malloc` as the dynamic linker finds it, which is the first in its order and not any that is
// loaded. An engine that was linked with one of its own, statically, is not found out.
//
// Called by the worker, once its engine is loaded.
#ifndef LEVELFIELD_PROBE_ALLOCATOR_H_
#define LEVELFIELD_PROBE_ALLOCATOR_H_

#include <string>
#include <string_view>

namespace levelfield {

// "glibc 2.36", "jemalloc 5.3.0-0-g...", "tcmalloc 2.10"; with those that are loaded besides.
std::string AllocatorInForce();

// The same from its parts: the file that `malloc` lies in, what it says its version is (empty: it
// does not tell), and the text of /proc/self/maps.
std::string DescribeAllocator(std::string_view file, std::string_view version,
                              std::string_view maps);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_ALLOCATOR_H_
