// LevelDB's own test of its C interface, db/c_test.c, for any engine through its table: the same
// tests in the same order, each doing what c_test does under that name. Parts that an engine's
// table cannot express are left out, and c_test_list.cc says so at their place.
//
// Runs on the calling thread in a process for this alone, because an engine may crash or hang.
#ifndef LEVELFIELD_DRIVER_C_TEST_LIST_H_
#define LEVELFIELD_DRIVER_C_TEST_LIST_H_

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/options.h"

namespace levelfield {

// Runs the list in `directory`, which is empty. Leaves it empty if the engine can destroy its
// stores. `print` gets the lines in pieces as they arise, so that they show where an engine died:
// "=== Test open", then " unsupported: <reason>" if the engine lacks it, and "PASS" at the end. The
// first failing test ends the list. The status says which and why.
Status RunCTest(const Engine& engine, const GivenOptions& options,
                const std::filesystem::path& directory,
                const std::function<void(std::string_view)>& print);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_C_TEST_LIST_H_
