#include <gtest/gtest.h>

#include <cstdlib>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"
#include "support/source_folder.hpp"

namespace dashpot::test_scene_page {
namespace {

TEST(ScenePage, TheTablesOfTheFormatPageAreThoseOfTheRegistry) {
  const std::string path = source_folder() + "/docs/theory/scene.md";
  const std::string mark = "<!-- generated -->\n";
  std::string page = read_file(path);
  const std::size_t at = page.find(mark);
  ASSERT_NE(at, std::string::npos);
  const std::string wanted = page.substr(0, at + mark.size()) + "\n" + scene_tables();
  if (std::getenv("DASHPOT_UPDATE_DOCS") != nullptr) write_file_atomically(path, wanted);
  ASSERT_NE(wanted.find("| `young` | E | Pa |"), std::string::npos);
  EXPECT_EQ(read_file(path), wanted) << "run DASHPOT_UPDATE_DOCS=1 build/bin/test_scene";
}

TEST(ScenePage, EveryReferenceOfAModelIsInTheBibliography) {
  const std::string bibliography = read_file(source_folder() + "/docs/references.bib");
  int count = 0;
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.reference.empty()) continue;
    ++count;
    EXPECT_NE(bibliography.find("{" + entry.reference + ","), std::string::npos)
        << entry.name << ": " << entry.reference;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace dashpot::test_scene_page
