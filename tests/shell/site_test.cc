// The documentation as a site: every link between its pages leads somewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "command.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

using ::testing::ContainsRegex;
using ::testing::IsEmpty;
using ::testing::Not;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of a page: the links to files and anchors that are not there.
std::vector<std::string> DeadLinks(const fs::path& page, const std::string& html) {
  static const std::regex kLink("(?:href|src)=\"?([^\" >]+)");
  std::vector<std::string> dead;
  for (std::sregex_iterator it(html.begin(), html.end(), kLink), end; it != end; ++it) {
    const std::string link = (*it)[1];
    if (link.starts_with("https://") || link.starts_with("http://www.lmdb.tech/") ||
        link.starts_with("data:"))
      continue;
    const size_t hash = std::min(link.find('#'), link.size());
    std::string path = link.substr(0, std::min(hash, link.find('?')));
    const fs::path target = path.empty() ? page : page.parent_path() / path;
    const bool is_there = fs::is_regular_file(target) || (path == "." && fs::exists(target));
    if (!is_there) {
      dead.push_back(link);
    } else if (hash + 1 < link.size() && target.extension() == ".html") {
      const std::string anchor = link.substr(hash + 1);
      const std::string text = path.empty() ? html : ReadFile(target);
      const bool has = text.find("id=\"" + anchor + "\"") != std::string::npos ||
                       text.find("id=" + anchor) != std::string::npos;
      if (!has) dead.push_back(link);
    }
  }
  return dead;
}

TEST(Site, HasNoDeadLink) {
  const std::string root = SOURCE_DIRECTORY;
  const std::string script = "'" + root + "/scripts/build_site.sh' ";
  const std::string tools = LinesOf(RunCommand(script + "--where").out).front();
  if (!fs::exists(tools + "/done")) {
    GTEST_SKIP() << "what makes the site is not installed: `make site` installs it";
  }
  const fs::path site =
      fs::temp_directory_path() / ("levelfield_site_test_" + std::to_string(getpid()));
  const CommandResult built = RunCommand(script + "'" + site.string() + "'");
  ASSERT_EQ(built.exit_code, 0) << built.out;
  size_t pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(site)) {
    if (entry.path().extension() != ".html" || entry.path().filename() == "404.html") continue;
    EXPECT_THAT(DeadLinks(entry.path(), ReadFile(entry.path())), IsEmpty()) << entry.path();
    EXPECT_THAT(ReadFile(entry.path()), Not(ContainsRegex("(src=|stylesheet href=).?https?:")))
        << "it asks a network for something";
    ++pages;
  }
  EXPECT_GE(pages, 22u);
  EXPECT_EQ(DeadLinks(site / "index.html",
                      "<a href=\"nowhere.html\"> <a href=docs/flags.html#no-such> "
                      "<a href=\"docs/flags.html\">"),
            (std::vector<std::string>{"nowhere.html", "docs/flags.html#no-such"}));
  fs::remove_all(site);
}

}  // namespace
}  // namespace levelfield
