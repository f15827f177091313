// What no reader may do: crash, hang, allocate what only a header claims, or accept what is not a mesh.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/write.hpp"
#include "support/portable_noise.hpp"
#include "tiny_files.hpp"

namespace dashpot::test_bad_input {
namespace {

using namespace dashpot::testing;

struct Format {
  std::string name;
  std::function<Mesh(std::string_view)> read;
  std::string good;
};

std::vector<Format> formats() {
  const auto msh = [](std::string_view b) { return read_msh(b, "t.msh"); };
  const auto ply = [](std::string_view b) { return read_ply(b, "t.ply"); };
  const auto stl = [](std::string_view b) { return read_stl(b, "t.stl"); };
  const Mesh tet = read_msh(tiny_msh41, "t.msh");
  return {{"msh 2.2", msh, tiny_msh22},
          {"msh 4.1", msh, tiny_msh41},
          {"msh 2.2 binary", msh, msh_bytes(tet, MshDialect::v22_binary)},
          {"msh 4.1 binary", msh, msh_bytes(tet, MshDialect::v41_binary)},
          {"veg", [](std::string_view b) { return read_veg(b, "t.veg"); }, tiny_veg},
          {"node", [](std::string_view b) { return read_tetgen(b, tiny_ele, "t"); }, tiny_node},
          {"ele", [](std::string_view b) { return read_tetgen(tiny_node, b, "t"); }, tiny_ele},
          {"obj", [](std::string_view b) { return read_obj(b, "t.obj"); }, tiny_obj},
          {"off", [](std::string_view b) { return read_off(b, "t.off"); }, tiny_off},
          {"ply", ply, tiny_ply},
          {"ply little", ply, tiny_binary_ply(false)},
          {"ply big", ply, tiny_binary_ply(true)},
          {"stl", stl, tiny_stl()},
          {"stl binary", stl, tiny_binary_stl()}};
}

/// The error must come in time and carry place and text; returns its text.
std::string refusal(const Format& format, const std::string& bytes) {
  const auto start = std::chrono::steady_clock::now();
  std::string text;
  try {
    format.read(bytes);
    ADD_FAILURE() << format.name << ": accepted\n" << bytes.substr(0, 500);
  } catch (const Error& error) {
    text = error.what();
    EXPECT_FALSE(error.problems().front().place.empty()) << format.name;
    EXPECT_LE(error.problems().size(), 22u) << format.name;
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0) << format.name;
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(BadMesh, TheGoodFilesAreAccepted) {
  for (const Format& format : formats())
    EXPECT_EQ(format.read(format.good).num_nodes(), format.name == "veg" ? 5 : 4) << format.name;
}

TEST(BadMesh, EmptyFilesAndGarbageAreRefused) {
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(static_cast<int>(1e6 * std::abs(rnd(i))) % 256);
  for (const Format& format : formats()) {
    refusal(format, "");
    refusal(format, "\n\n\n");
    refusal(format, garbage);
    refusal(format, std::string(1000, '\0'));
  }
}

TEST(BadMesh, NoPrefixOfAFileCrashesAndStructuredOnesAreRefused) {
  for (const Format& format : formats()) {
    int refused = 0;
    for (std::size_t length = 0; length < format.good.size(); ++length) {
      try {
        format.read(std::string_view(format.good).substr(0, length));
      } catch (const Error&) {
        ++refused;
      }
    }
    // The last letters may be dispensable (a line end, the title after endsolid, materials of .veg, faces of .obj), the
    // rest is not.
    if (format.name != "obj" && format.name != "veg") {
      EXPECT_GT(refused, static_cast<int>(format.good.size()) - 8) << format.name;
    }
  }
}

TEST(BadMesh, NoChangedByteCrashes) {
  int accepted = 0, refused = 0;
  for (const Format& format : formats())
    for (std::size_t at = 0; at < format.good.size(); ++at)
      for (const int change : {1, 16, 128, 255}) {
        std::string bytes = format.good;
        bytes[at] = static_cast<char>(bytes[at] ^ change);
        try {
          format.read(bytes);
          ++accepted;
        } catch (const Error&) {
          ++refused;
        }
      }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

TEST(BadMesh, HeadersThatClaimTenMillionElementsAreRefusedBeforeAnythingIsAllocated) {
  const auto all = formats();
  EXPECT_NE(refusal(all[0], replaced(tiny_msh22, "$Elements\n3", "$Elements\n10000000")).find("claims 10000000"),
            std::string::npos);
  refusal(all[0], replaced(tiny_msh22, "$Nodes\n4", "$Nodes\n9000000000000000000"));
  refusal(all[1], replaced(tiny_msh41, "$Nodes\n2 4", "$Nodes\n2 10000000"));
  refusal(all[1], replaced(tiny_msh41, "3 1 4 1\n", "3 1 4 10000000\n"));
  refusal(all[1], replaced(tiny_msh41, "$Entities\n1 0 1", "$Entities\n10000000 0 1"));
  refusal(all[4], replaced(tiny_veg, "5 3 0 0", "10000000 3 0 0"));
  refusal(all[4], replaced(tiny_veg, "2 4 0", "10000000 4 0"));
  refusal(all[5], replaced(tiny_node, "4 3 1 1", "10000000 3 1 1"));
  refusal(all[6], replaced(tiny_ele, "1 4 1", "10000000 4 1"));
  refusal(all[8], replaced(tiny_off, "4 4 6", "4 10000000 6"));
  refusal(all[9], replaced(tiny_ply, "vertex 4", "vertex 10000000"));
  refusal(all[10], replaced(tiny_binary_ply(false), "face 4", "face 10000000"));
  refusal(all[10], replaced(tiny_binary_ply(false), "face 4", "face -1"));
  std::string stl = tiny_binary_stl();
  const std::uint32_t claim = 10000000;
  std::memcpy(stl.data() + 80, &claim, 4);
  EXPECT_NE(refusal(all[13], stl).find("byte 80"), std::string::npos);
}

TEST(BadMesh, NanAndInfinityAreRefusedWithTheirLine) {
  const auto all = formats();
  for (const char* bad : {"nan", "inf", "-inf", "1e999", "1e200"}) {
    const std::string number(bad);
    EXPECT_NE(refusal(all[0], replaced(tiny_msh22, "20 1 0 0", "20 " + number + " 0 0")).find("t.msh:13"),
              std::string::npos)
        << bad;
    EXPECT_NE(
        refusal(all[1], replaced(tiny_msh41, "\n1 0 0\n0 1 0\n", "\n" + number + " 0 0\n0 1 0\n")).find("t.msh:26"),
        std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[4], replaced(tiny_veg, "2 1 0 0", "2 " + number + " 0 0")).find("t.veg:5"), std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[5], replaced(tiny_node, "2 1 0 0", "2 " + number + " 0 0")).find("t.node:4"),
              std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[7], replaced(tiny_obj, "v 1 0 0", "v " + number + " 0 0")).find("t.obj:3"), std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[8], replaced(tiny_off, "\n1 0 0", "\n" + number + " 0 0")).find("t.off:5"), std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[9], replaced(tiny_ply, "\n1 0 0", "\n" + number + " 0 0")).find("t.ply:12"),
              std::string::npos)
        << bad;
    EXPECT_NE(refusal(all[12], replaced(tiny_stl(), "vertex 1.000000", "vertex " + number)).find("t.stl:6"),
              std::string::npos)
        << bad;
  }
  std::string stl = tiny_binary_stl();
  const float nan = std::nanf("");
  std::memcpy(stl.data() + 84 + 12, &nan, 4);
  refusal(all[13], stl);
}

TEST(BadMesh, IndicesOutOfRangeAreRefusedWithTheirLine) {
  const auto all = formats();
  EXPECT_NE(refusal(all[0], replaced(tiny_msh22, "10 20 30 40", "10 20 30 99")).find("t.msh:21: element names node 99"),
            std::string::npos);
  EXPECT_NE(refusal(all[1], replaced(tiny_msh41, "3 10 20 30 40", "3 10 20 30 99")).find("node 99"), std::string::npos);
  EXPECT_NE(refusal(all[4], replaced(tiny_veg, "2 2 3 4 5", "2 2 3 4 6")).find("t.veg:14"), std::string::npos);
  EXPECT_NE(refusal(all[6], replaced(tiny_ele, "1 1 2 3 4", "1 1 2 3 5"))
                .find("t.ele:2: tet4 1 names node 5. Expected 1 to 4"),
            std::string::npos);
  refusal(all[6], replaced(tiny_ele, "1 1 2 3 4", "1 0 2 3 4"));
  refusal(all[6], replaced(tiny_ele, "1 1 2 3 4", "1 1 2 3 4294967299"));
  EXPECT_NE(refusal(all[7], replaced(tiny_obj, "f 1 2 4", "f 1 2 5")).find("t.obj:9"), std::string::npos);
  refusal(all[7], replaced(tiny_obj, "f -3 -2 -1", "f -5 -2 -1"));
  refusal(all[7], replaced(tiny_obj, "f 1 2 4", "f 1 2 0"));
  EXPECT_NE(refusal(all[8], replaced(tiny_off, "3 0 1 3", "3 0 1 4")).find("t.off:9"), std::string::npos);
  EXPECT_NE(refusal(all[9], replaced(tiny_ply, "3 0 1 3", "3 0 1 -1")).find("t.ply:16"), std::string::npos);
}

TEST(BadMesh, FlatTetsAreRefusedWithTheirLineAndNodes) {
  const auto all = formats();
  EXPECT_NE(
      refusal(all[6], replaced(tiny_ele, "1 1 2 3 4", "1 1 2 3 3")).find("t.ele:2: tet4 1 (nodes 1 2 3 3) is flat"),
      std::string::npos);
  EXPECT_NE(refusal(all[4], replaced(tiny_veg, "4 0 0 1", "4 1 1 1e-14")).find("t.veg:13"), std::string::npos);
  EXPECT_NE(refusal(all[0], replaced(tiny_msh22, "40 0 0 1", "40 0.5 0.5 0")).find("t.msh:21"), std::string::npos);
}

TEST(BadMesh, ManyProblemsAreListedUpToTwentyAndThenCounted) {
  std::string bytes = "v 0 0 0\n";
  for (int i = 0; i < 100; ++i) bytes += "v nan 0 0\n";
  try {
    read_obj(bytes, "many.obj");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 21u);
    EXPECT_EQ(error.problems()[0].place, "many.obj:2");
    EXPECT_NE(error.problems().back().found.find("and 80 more"), std::string::npos);
  }
}

TEST(BadMesh, MissingFilesAndUnknownFormatsAreNamed) {
  EXPECT_THROW(read_mesh("/nowhere/at/all.msh"), Error);
  EXPECT_THROW(read_mesh("part.xyz"), Error);
  EXPECT_THROW(read_mesh("part"), Error);
}

}  // namespace
}  // namespace dashpot::test_bad_input
