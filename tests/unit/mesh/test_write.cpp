#include "dashpot/mesh/write.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::test_write {
namespace {

constexpr MshDialect dialects[] = {MshDialect::v41_ascii, MshDialect::v41_binary, MshDialect::v22_ascii,
                                   MshDialect::v22_binary};

/// A bar with two regions, node sets, and coordinates that have no short decimals.
Mesh two_region_bar() {
  Mesh bar = make_bar(Vec3(2, 1, 1), {4, 2, 2});
  int k = 0;
  for (Vec3& x : bar.nodes)
    for (int c = 0; c < 3; ++c) x[c] += 0.01 * testing::rnd(k++);
  bar.regions = {"soft end", "hard end"};
  bar.groups[0].region.assign(static_cast<std::size_t>(bar.groups[0].size()), 1);
  for (std::size_t e = 0; e < 48; ++e) bar.groups[0].region[e] = 0;
  bar.node_sets = {{"clamp", nodes_in_box(bar, Vec3(-1, -1, -1), Vec3(0.1, 2, 2))}, {"tip", {40, 44}}};
  return bar;
}

void expect_equal(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.regions, b.regions);
  EXPECT_EQ(a.node_sets, b.node_sets);
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    EXPECT_EQ(a.groups[g].kind, b.groups[g].kind);
    EXPECT_EQ(a.groups[g].nodes, b.groups[g].nodes);
    EXPECT_EQ(a.groups[g].region, b.groups[g].region);
  }
}

TEST(WriteMsh, EveryDialectReadsBackBitForBit) {
  const Mesh bar = two_region_bar();
  ASSERT_FALSE(bar.node_sets[0].second.empty());
  const Mesh one_region = [] {
    Mesh mesh = make_sphere(1, 2, ElementKind::tet10);
    mesh.regions = {"ball"};
    return mesh;
  }();
  for (const Mesh& mesh : {bar, to_quadratic(bar), one_region, make_cloth(1, 1, {3, 3}),
                           make_chain(Vec3(0, 0, 0), Vec3(1, 2, 3), 5), make_points({Vec3(1, 2, 3), Vec3(4, 5, 6)})})
    for (const MshDialect dialect : dialects) {
      SCOPED_TRACE(static_cast<int>(dialect));
      expect_equal(read_msh(msh_bytes(mesh, dialect), "back.msh"), mesh);
    }
}

TEST(WriteMsh, MixedKindsReadBackWhenLowerDimensionsAreKept) {
  Mesh mesh = make_bar(Vec3(1, 1, 1), {1, 1, 1});
  mesh.group_or_new(ElementKind::edge).nodes = {0, 7, 1, 6};
  ReadOptions keep;
  keep.keep_lower_dimensions = true;
  for (const MshDialect dialect : dialects) {
    const Mesh back = read_msh(msh_bytes(mesh, dialect), "mixed.msh", nullptr, keep);
    EXPECT_EQ(back.group(ElementKind::edge)->nodes, mesh.group(ElementKind::edge)->nodes);
    EXPECT_EQ(back.tets()->nodes, mesh.tets()->nodes);
    EXPECT_EQ(read_msh(msh_bytes(mesh, dialect), "mixed.msh").groups.size(), 1u);
  }
}

TEST(WriteMsh, SwappedByteOrderIsUnderstood) {
  // One tet in version 2.2, written big-endian by hand.
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  const auto append = [&](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    for (std::size_t i = sizeof value; i-- > 0;) bytes += raw[i];
  };
  append(1);
  bytes += "\n$EndMeshFormat\n$Nodes\n4\n";
  const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    append(i + 1);
    for (const double c : x[i]) append(c);
  }
  bytes += "\n$EndNodes\n$Elements\n1\n";
  for (const int value : {4, 1, 2, 1, 0, 1, 1, 2, 3, 4}) append(value);
  bytes += "\n$EndElements\n";
  const Mesh mesh = read_msh(bytes, "big.msh");
  EXPECT_EQ(mesh.nodes[3], Vec3(0, 0, 1));
  EXPECT_EQ(mesh.tets()->nodes, (std::vector<int>{0, 1, 2, 3}));
}

TEST(WriteVeg, ReadsBackWithRegionsAndMaterials) {
  Mesh bar = two_region_bar();
  bar.regions = {"soft", "hard"};
  bar.node_sets.clear();
  VegaProperties properties;
  properties.materials = {{"rubber", "ENU", 1070, 263800, 0.49, {263800, 0.49}},
                          {"steel", "ENU", 7850, 2.1e11, 0.3, {2.1e11, 0.3}}};
  properties.regions = {{"soft", "rubber"}, {"hard", "steel"}};
  VegaProperties back;
  expect_equal(read_veg(veg_bytes(bar, &properties), "back.veg", &back), bar);
  ASSERT_EQ(back.materials.size(), 2u);
  EXPECT_EQ(back.materials[0].name, "rubber");
  EXPECT_EQ(back.materials[0].young, 263800);
  EXPECT_EQ(back.regions[1].material, "steel");
}

TEST(WriteVeg, MeshWithoutMaterialsGetsAPlaceholderAndOneWithoutTetsIsRefused) {
  const Mesh bar = make_bar(Vec3(1, 1, 1), {2, 1, 1});
  VegaProperties properties;
  const Mesh back = read_veg(veg_bytes(bar), "back.veg", &properties);
  EXPECT_EQ(back.tets()->nodes, bar.tets()->nodes);
  EXPECT_EQ(properties.materials.size(), 1u);
  EXPECT_THROW(veg_bytes(make_cloth(1, 1, {2, 2})), Error);
}

TEST(WriteObj, SurfacesReadBackAndTetsLeaveTheirSkin) {
  Mesh cloth = make_cloth(1, 2, {3, 4});
  cloth.regions = {"left", "right"};
  cloth.groups[0].region.assign(24, 1);
  cloth.groups[0].region[0] = 0;
  expect_equal(read_obj(obj_bytes(cloth), "back.obj"), cloth);
  const Mesh ball = make_sphere(1, 3);
  const Mesh skin = read_obj(obj_bytes(ball), "skin.obj");
  EXPECT_EQ(skin.group(ElementKind::triangle)->size(), 180);
  EXPECT_NEAR(enclosed_volume(skin.nodes, boundary_surface(skin).triangles), mesh_info(ball).volume, 1e-12);
}

/// The content of the DataArray of that name.
std::string data_array(const std::string& vtu, const std::string& name) {
  const std::size_t at = vtu.find("Name=\"" + name + "\"");
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t begin = vtu.find('>', at) + 2;
  return vtu.substr(begin, vtu.find('\n', begin) - begin);
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    buffer = buffer << 6U | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(buffer >> static_cast<unsigned>(bits) & 255U);
    }
  }
  return out;
}

TEST(WriteVtu, BothEncodingsHoldTheSameNumbers) {
  Mesh mesh = to_quadratic(make_bar(Vec3(1, 1, 1), {1, 1, 1}));
  DataArray velocity{"velocity", 3, {}};
  for (int i = 0; i < 3 * mesh.num_nodes(); ++i) velocity.values.push_back(testing::rnd(i));
  const std::string ascii = vtu_bytes(mesh, {velocity}, nullptr, VtuEncoding::ascii);
  const std::string binary = vtu_bytes(mesh, {velocity});
  std::istringstream stream(data_array(ascii, "velocity"));
  const std::string raw = from_base64(data_array(binary, "velocity"));
  std::uint64_t size = 0;
  std::memcpy(&size, raw.data(), 8);
  ASSERT_EQ(size, velocity.values.size() * 8);
  ASSERT_EQ(raw.size(), size + 8);
  for (std::size_t i = 0; i < velocity.values.size(); ++i) {
    double text = 0, bits = 0;
    stream >> text;
    std::memcpy(&bits, raw.data() + 8 + 8 * i, 8);
    EXPECT_EQ(text, velocity.values[i]);
    EXPECT_EQ(bits, velocity.values[i]);
  }
}

TEST(WriteVtu, QuadraticTetsFollowTheNodeOrderOfVtk) {
  Mesh mesh;
  mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  mesh.group_or_new(ElementKind::tet4).nodes = {0, 1, 2, 3};
  mesh = to_quadratic(mesh);
  std::istringstream stream(data_array(vtu_bytes(mesh, {}, nullptr, VtuEncoding::ascii), "connectivity"));
  std::array<std::size_t, 10> n{};
  for (std::size_t& i : n) stream >> i;
  constexpr int vtk_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (std::size_t m = 0; m < 6; ++m) {
    const Vec3 middle = 0.5 * (mesh.nodes[n[static_cast<std::size_t>(vtk_edges[m][0])]] +
                               mesh.nodes[n[static_cast<std::size_t>(vtk_edges[m][1])]]);
    EXPECT_EQ(mesh.nodes[n[4 + m]], middle) << "middle node " << m;
  }
}

TEST(WriteVtu, DataOfTheWrongSizeIsRefused) {
  const Mesh mesh = make_bar(Vec3(1, 1, 1), {1, 1, 1});
  EXPECT_THROW(vtu_bytes(mesh, {{"short", 3, {1, 2, 3}}}), Error);
  const std::vector<Vec3> few(3, Vec3::Zero());
  EXPECT_THROW(vtu_bytes(mesh, {}, &few), Error);
}

TEST(WritePvd, ListsEveryFrameWithItsTime) {
  const std::string text = pvd_bytes({{0, "a<0>.vtu"}, {0.1, "b.vtu"}});
  EXPECT_NE(text.find("timestep=\"0.1\" part=\"0\" file=\"b.vtu\""), std::string::npos) << text;
  EXPECT_NE(text.find("a&lt;0&gt;.vtu"), std::string::npos) << text;
}

TEST(WriteMesh, FilesOnDiskReadBackByTheirExtension) {
  const auto folder = std::filesystem::temp_directory_path() / ("dashpot_mesh_" + std::to_string(::getpid()));
  create_folder(folder.string());
  const Mesh bar = two_region_bar();
  write_mesh((folder / "bar.msh").string(), bar);
  expect_equal(read_mesh((folder / "bar.msh").string()), bar);
  write_mesh((folder / "bar.veg").string(), bar);
  EXPECT_EQ(read_mesh((folder / "bar.veg").string()).tets()->nodes, bar.tets()->nodes);
  write_mesh((folder / "bar.OBJ").string(), bar);
  EXPECT_GT(read_mesh((folder / "bar.OBJ").string()).groups[0].size(), 0);
  write_mesh((folder / "bar.vtu").string(), bar);
  EXPECT_THROW(write_mesh((folder / "bar.stl").string(), bar), Error);
  EXPECT_THROW(write_mesh((folder / "nowhere" / "bar.msh").string(), bar), Error);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(lost_in_format(bar, "bar.msh").empty());
  EXPECT_EQ(lost_in_format(bar, "bar.veg").size(), 1u);
  EXPECT_EQ(lost_in_format(bar, "bar.obj").size(), 2u);
}

TEST(MeshInfo, TellsSizeShapeAndParts) {
  Mesh bar = two_region_bar();
  bar = make_bar(Vec3(2, 1, 1), {4, 2, 2});
  bar.regions = {"a", "b"};
  bar.groups[0].region.assign(96, 0);
  for (std::size_t e = 48; e < 96; ++e) bar.groups[0].region[e] = 1;
  const MeshInfo info = mesh_info(bar);
  EXPECT_EQ(info.dimension, 3);
  EXPECT_NEAR(info.volume, 2, 1e-14);
  EXPECT_NEAR(info.surface_area, 10, 1e-13);
  EXPECT_NEAR(info.shortest_edge, 0.5, 1e-15);
  EXPECT_NEAR(info.longest_edge, std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(info.min_dihedral, 45, 1e-10);
  EXPECT_NEAR(info.max_dihedral, 90, 1e-10);
  EXPECT_EQ(info.num_rim_edges, 0);
  EXPECT_EQ(info.num_parts, 1);
  EXPECT_NEAR(info.regions[1].measure, 1, 1e-14);
  EXPECT_EQ(info.regions[1].num_nodes, 27);
  EXPECT_NE(to_text(info).find("volume          2 m^3"), std::string::npos) << to_text(info);
  EXPECT_NE(to_json(info).find("\"min_dihedral_degrees\""), std::string::npos);
}

TEST(ReadMsh, TwoHundredThousandTetsAreReadInAboutASecond) {
  const Mesh bar = make_bar(Vec3(1, 1, 1), {32, 32, 32});
  ASSERT_GT(bar.tets()->size(), 190000);
  const std::string bytes = msh_bytes(bar);
  const auto start = std::chrono::steady_clock::now();
  MeshReport report;
  const Mesh back = read_msh(bytes, "large.msh", &report);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_EQ(back.tets()->size(), bar.tets()->size());
  EXPECT_LT(seconds, 5) << "generous: other programs may run beside the test";
}

}  // namespace
}  // namespace dashpot::test_write
