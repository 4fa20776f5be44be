// LevelDB's own test of its C interface, db/c_test.c, asked of any engine through its table: the
// same tests in the same order, each doing what c_test does by that name. What c_test hands to
// LevelDB and an engine's table does not take is left out, and said at its place in c_test_list.cc.
//
// On the calling thread, which loads nothing else: an engine may crash or hang in it.
#ifndef LEVELFIELD_DRIVER_C_TEST_LIST_H_
#define LEVELFIELD_DRIVER_C_TEST_LIST_H_

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/options.h"

namespace levelfield {

// Runs the list in `directory`, which is empty, and leaves it empty where the engine can destroy
// its stores. `print` gets the lines as they come about, in pieces, so that they tell where an
// engine died: "=== Test open", then " unsupported: <reason>" where the engine has no such thing,
// and "PASS" at the end. The first test that fails ends it: the status says which and why.
Status RunCTest(const Engine& engine, const GivenOptions& options,
                const std::filesystem::path& directory,
                const std::function<void(std::string_view)>& print);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_C_TEST_LIST_H_
