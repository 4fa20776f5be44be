#include "base/bounded_json.h"

#include <vector>

#include "base/json_text.h"
#include "base/quote.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostLevels = 32;
constexpr size_t kMostMembers = 1024;

struct TooMuch {
  const char* what;
};

}  // namespace

StatusOr<Json> ParseBoundedJson(std::string_view text) {
  std::vector<size_t> members;  // Of the objects that are open.
  const auto count = [&](int level, Json::parse_event_t event, Json&) {
    if (level > kMostLevels) throw TooMuch{"nested deeper than 32 levels"};
    if (event == Json::parse_event_t::object_start) members.push_back(0);
    if (event == Json::parse_event_t::object_end) members.pop_back();
    if (event == Json::parse_event_t::key && ++members.back() > kMostMembers) {
      throw TooMuch{"an object with more than 1024 members"};
    }
    return true;
  };
  try {
    Json json = Json::parse(text, count);
    RestoreBytes(json);
    return json;
  } catch (const TooMuch& refused) {
    return Status::Failed(refused.what);
  } catch (const Json::exception& error) {
    return Status::Failed(Printable(error.what()));
  }
}

}  // namespace levelfield
