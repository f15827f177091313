#include "dashpot/mesh/surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"

namespace dashpot {
namespace {

/// One face of a tet: its corners sorted, and 4 * tet + face.
struct FaceRecord {
  int middle, last, face;
};

/// Faces bucketed by their smallest corner: linear time, no hashing.
struct FaceBuckets {
  std::vector<int> start;
  std::vector<FaceRecord> records;
};

std::array<int, 3> sorted_corners(const int* tet, std::size_t face) {
  std::array<int, 3> corner{tet[tet_faces[face][0]], tet[tet_faces[face][1]], tet[tet_faces[face][2]]};
  std::sort(corner.begin(), corner.end());
  return corner;
}

FaceBuckets bucket_faces(const ElementGroup& tets, int num_nodes) {
  FaceBuckets buckets;
  buckets.start.assign(at(num_nodes) + 1, 0);
  for (int e = 0; e < tets.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) ++buckets.start[at(sorted_corners(tets.element(e), f)[0]) + 1];
  for (std::size_t n = 0; n < at(num_nodes); ++n) buckets.start[n + 1] += buckets.start[n];
  std::vector<int> fill(buckets.start.begin(), buckets.start.end() - 1);
  buckets.records.resize(at(tets.size()) * 4);
  for (int e = 0; e < tets.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      const auto corner = sorted_corners(tets.element(e), at(f));
      buckets.records[at(fill[at(corner[0])]++)] = {corner[1], corner[2], 4 * e + f};
    }
  return buckets;
}

/// Marks the faces that occur once; counts those that occur more than twice.
std::vector<char> single_faces(FaceBuckets& buckets, int num_tets, int& num_faces_of_three) {
  std::vector<char> single(at(num_tets) * 4, 0);
  const auto key = [](const FaceRecord& r) { return std::pair(r.middle, r.last); };
  for (std::size_t n = 0; n + 1 < buckets.start.size(); ++n) {
    const auto begin = buckets.records.begin() + buckets.start[n], end = buckets.records.begin() + buckets.start[n + 1];
    std::sort(begin, end, [&](const FaceRecord& a, const FaceRecord& b) { return key(a) < key(b); });
    for (auto run = begin; run != end;) {
      auto next = run;
      while (next != end && key(*next) == key(*run)) ++next;
      if (next - run == 1) single[at(run->face)] = 1;
      if (next - run > 2) ++num_faces_of_three;
      run = next;
    }
  }
  return single;
}

/// Local index of the middle node between corners a and b of a 10-node tet.
int middle_node(int a, int b) {
  for (int m = 0; m < 6; ++m) {
    const auto [i, j] = tet_edges[at(m)];
    if ((i == a && j == b) || (i == b && j == a)) return 4 + m;
  }
  return -1;
}

void append_face(Surface& surface, const ElementGroup& tets, int e, std::size_t f) {
  const auto [a, b, c] = tet_faces[f];
  const int* tet = tets.element(e);
  const auto add = [&](int i, int j, int k) {
    surface.triangles.push_back({tet[i], tet[j], tet[k]});
    surface.element.push_back(e);
  };
  if (tets.kind == ElementKind::tet4) return add(a, b, c);
  const int ab = middle_node(a, b), bc = middle_node(b, c), ca = middle_node(c, a);
  add(a, ab, ca);
  add(ab, b, bc);
  add(ca, bc, c);
  add(ab, bc, ca);
}

}  // namespace

Surface boundary_surface(const Mesh& mesh) {
  Surface surface;
  if (const ElementGroup* tets = mesh.tets()) {
    FaceBuckets buckets = bucket_faces(*tets, mesh.num_nodes());
    const std::vector<char> single = single_faces(buckets, tets->size(), surface.num_faces_of_three);
    for (int e = 0; e < tets->size(); ++e)
      for (std::size_t f = 0; f < 4; ++f)
        if (single[at(e) * 4 + f] != 0) append_face(surface, *tets, e, f);
  } else if (const ElementGroup* triangles = mesh.group(ElementKind::triangle)) {
    for (int e = 0; e < triangles->size(); ++e) {
      const int* t = triangles->element(e);
      surface.triangles.push_back({t[0], t[1], t[2]});
      surface.element.push_back(e);
    }
  }
  return surface;
}

std::vector<int> surface_nodes(const Surface& surface) {
  std::vector<int> nodes;
  for (const auto& triangle : surface.triangles) nodes.insert(nodes.end(), triangle.begin(), triangle.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles) {
  std::vector<Vec3> normals(positions.size(), Vec3::Zero());
  for (const auto& [a, b, c] : triangles) {
    const Vec3 twice_area = (positions[at(b)] - positions[at(a)]).cross(positions[at(c)] - positions[at(a)]);
    for (const int n : {a, b, c}) normals[at(n)] += twice_area;
  }
  for (Vec3& normal : normals)
    if (const double length = normal.norm(); length > 0) normal /= length;
  return normals;
}

std::vector<std::array<int, 2>> boundary_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::array<int, 2>> directed;
  directed.reserve(3 * triangles.size());
  for (const auto& [a, b, c] : triangles) directed.insert(directed.end(), {{a, b}, {b, c}, {c, a}});
  std::sort(directed.begin(), directed.end());
  std::vector<std::array<int, 2>> rim;
  for (const auto& edge : directed)
    if (!std::binary_search(directed.begin(), directed.end(), std::array<int, 2>{edge[1], edge[0]}))
      rim.push_back(edge);
  return rim;
}

double enclosed_volume(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) sum += positions[at(a)].dot(positions[at(b)].cross(positions[at(c)]));
  return sum / 6;
}

double surface_area(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) sum += triangle_area(positions[at(a)], positions[at(b)], positions[at(c)]);
  return sum;
}

}  // namespace dashpot
