#pragma once
// The smallest sound file of each format: one tet (0,0,0) (1,0,0) (0,1,0) (0,0,1), or its surface.
#include <cstring>
#include <string>
#include <string_view>

#include "dashpot/mesh/read.hpp"

namespace dashpot::testing {

inline const std::string tiny_msh22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 9 "tip"
2 7 "floor"
3 5 "soft body"
$EndPhysicalNames
$Nodes
4
10 0 0 0
20 1 0 0
30 0 1 0
40 0 0 1
$EndNodes
$Elements
3
1 15 2 9 1 40
2 2 2 7 1 10 20 30
3 4 2 5 1 10 20 30 40
$EndElements
)";

inline const std::string tiny_msh41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 9 "tip"
2 7 "floor"
3 5 "soft body"
$EndPhysicalNames
$Entities
1 0 1 1
4 0 0 1 1 9
1 0 0 0 1 1 0 1 7 0
1 0 0 0 1 1 1 1 5 1 1
$EndEntities
$Nodes
2 4 10 40
0 4 0 1
40
0 0 1
3 1 0 3
10
20
30
0 0 0
1 0 0
0 1 0
$EndNodes
$Elements
3 3 1 3
0 4 15 1
1 40
2 1 2 1
2 10 20 30
3 1 4 1
3 10 20 30 40
$EndElements
)";

inline const std::string tiny_veg = R"(# one soft and one hard tet
*VERTICES
5 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1

*ELEMENTS
TET
2 4 0
1 1 2 3 4
2 2 3 4 5

*MATERIAL soft
ENU, 1000, 1e6, 0.45
*MATERIAL hard
ENU, 2000, 1e7, 0.3

*SET upper
2
*SET marked
1,

*REGION
allElements, soft
*REGION
upper, hard
)";

inline const std::string tiny_node = "# tetgen\n4 3 1 1\n1 0 0 0 5 0\n2 1 0 0 5 0\n3 0 1 0 5 0\n4 0 0 1 5 3\n";
inline const std::string tiny_ele = "1 4 1\n1 1 2 3 4 17\n";
inline const std::string tiny_obj =
    "# tet\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\ng skin\nf 1/1/1 3//1 2\nf 1 2 4\nf -3 -2 -1\nf 1 4 3\n";
inline const std::string tiny_off =
    "OFF\n# tet\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3 255 0 0\n3 0 3 2\n";
inline const std::string tiny_ply_header_end =
    "comment tet\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
    "property list uchar int vertex_indices\nend_header\n";
inline const std::string tiny_ply = "ply\nformat ascii 1.0\n" + tiny_ply_header_end +
                                    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

inline constexpr float tet_corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
inline constexpr int tet_skin[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

template <class T>
void append_bytes(std::string& out, T value, bool big_endian = false) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) out += bytes[big_endian ? sizeof(T) - 1 - i : i];
}

inline std::string tiny_binary_ply(bool big_endian) {
  std::string out =
      std::string("ply\nformat binary_") + (big_endian ? "big" : "little") + "_endian 1.0\n" + tiny_ply_header_end;
  for (const auto& corner : tet_corners)
    for (const float c : corner) append_bytes(out, c, big_endian);
  for (const auto& face : tet_skin) {
    out += '\3';
    for (const int n : face) append_bytes(out, n, big_endian);
  }
  return out;
}

inline std::string tiny_stl() {
  std::string out = "solid tet\n";
  for (const auto& face : tet_skin) {
    out += " facet normal 0 0 0\n  outer loop\n";
    for (const int n : face) {
      out += "   vertex";
      for (const float c : tet_corners[n]) out.append(" ").append(std::to_string(c));
      out += "\n";
    }
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid tet\n";
}

inline std::string tiny_binary_stl(const char* title = "made by hand") {
  std::string out(title);
  out.resize(80, ' ');
  append_bytes(out, std::uint32_t{4});
  for (const auto& face : tet_skin) {
    for (int c = 0; c < 3; ++c) append_bytes(out, 0.0F);
    for (const int n : face)
      for (const float c : tet_corners[n]) append_bytes(out, c);
    append_bytes(out, std::uint16_t{0});
  }
  return out;
}

}  // namespace dashpot::testing
