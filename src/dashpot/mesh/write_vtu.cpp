// VTK's XML files: .vtu (one unstructured grid) and .pvd (a list of them by time) [Schroeder2006].
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>

#include "dashpot/core/markup.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says LittleEndian");

std::string base64(const char* data, std::size_t size) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (i + j < size ? static_cast<unsigned char>(data[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += i + j <= size ? digits[group >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

int vtk_type(ElementKind kind) {
  static constexpr int types[] = {1, 3, 5, 10, 24};
  return types[static_cast<std::size_t>(kind)];
}

/// VTK orders the last two middle nodes of a 10-node tet as edges 13, 23; ours are 32, 31.
int vtk_node(ElementKind kind, int a) { return kind == ElementKind::tet10 && a >= 8 ? 17 - a : a; }

class VtuWriter {
 public:
  explicit VtuWriter(VtuEncoding encoding) : encoding_(encoding) {}

  template <class T>
  void array(const std::string& name, const char* type, int components, const std::vector<T>& values) {
    line("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\">", type, escape_markup(name),
         components, encoding_ == VtuEncoding::ascii ? "ascii" : "binary");
    if (encoding_ == VtuEncoding::ascii) {
      for (const T& value : values) fmt::format_to(std::back_inserter(out), "{} ", value);
    } else {
      // A block is its size in bytes and its content, encoded together.
      const std::uint64_t size = values.size() * sizeof(T);
      std::string block(sizeof size, '\0');
      std::memcpy(block.data(), &size, sizeof size);
      block.append(reinterpret_cast<const char*>(values.data()), size);
      out += base64(block.data(), block.size());
    }
    line("\n</DataArray>");
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
  }

  std::string out;

 private:
  VtuEncoding encoding_;
};

void check_data(const std::vector<DataArray>& data, const Mesh& mesh) {
  std::vector<Problem> problems;
  for (const DataArray& array : data)
    if (array.components < 1 || array.values.size() != mesh.nodes.size() * static_cast<std::size_t>(array.components))
      problems.push_back({"", fmt::format("node data '{}' has {} values", array.name, array.values.size()),
                          fmt::format("{} x {}", mesh.nodes.size(), array.components), ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

void append_cells(VtuWriter& writer, const Mesh& mesh) {
  std::vector<std::int64_t> connectivity, offsets;
  std::vector<std::int32_t> types_wide, region;
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size(); ++e) {
      for (int a = 0; a < nodes_per_element(group.kind); ++a)
        connectivity.push_back(group.element(e)[vtk_node(group.kind, a)]);
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      types_wide.push_back(vtk_type(group.kind));
      region.push_back(group.region_of(e));
    }
  writer.line("<Cells>");
  writer.array("connectivity", "Int64", 1, connectivity);
  writer.array("offsets", "Int64", 1, offsets);
  writer.array("types", "Int32", 1, types_wide);
  writer.line("</Cells>");
  writer.line("<CellData>");
  writer.array("region", "Int32", 1, region);
  std::set<std::string> names;
  for (const ElementGroup& group : mesh.groups)
    for (const ElementField& field : group.fields) names.insert(field.name);
  for (const std::string& name : names) {
    std::vector<double> values;
    for (const ElementGroup& group : mesh.groups) {
      const ElementField* field = group.field(name);
      for (int e = 0; e < group.size(); ++e)
        values.push_back(field != nullptr ? field->values[static_cast<std::size_t>(e)]
                                          : std::numeric_limits<double>::quiet_NaN());
    }
    writer.array(name, "Float64", 1, values);
  }
  writer.line("</CellData>");
}

}  // namespace

std::string vtu_bytes(const Mesh& mesh, const std::vector<DataArray>& node_data, const std::vector<Vec3>* positions,
                      VtuEncoding encoding) {
  check_data(node_data, mesh);
  const std::vector<Vec3>& points = positions != nullptr ? *positions : mesh.nodes;
  if (points.size() != mesh.nodes.size())
    throw Error(Problem{"", fmt::format("{} positions", points.size()),
                        fmt::format("one per node: {}", mesh.nodes.size()), ""});
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& x : points) coordinates.insert(coordinates.end(), {x[0], x[1], x[2]});

  VtuWriter writer(encoding);
  writer.line("<?xml version=\"1.0\"?>");
  writer.line("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
  writer.line("<UnstructuredGrid>");
  writer.line("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", points.size(), mesh.num_elements());
  writer.line("<Points>");
  writer.array("Points", "Float64", 3, coordinates);
  writer.line("</Points>");
  append_cells(writer, mesh);
  writer.line("<PointData>");
  for (const DataArray& array : node_data) writer.array(array.name, "Float64", array.components, array.values);
  for (const auto& [name, set] : mesh.node_sets) {
    std::vector<std::int32_t> is_member(mesh.nodes.size(), 0);
    for (const int n : set) is_member[static_cast<std::size_t>(n)] = 1;
    writer.array("set " + name, "Int32", 1, is_member);
  }
  writer.line("</PointData>");
  writer.line("</Piece>\n</UnstructuredGrid>\n</VTKFile>");
  return std::move(writer.out);
}

std::string pvd_bytes(const std::vector<PvdEntry>& entries) {
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const PvdEntry& entry : entries)
    fmt::format_to(std::back_inserter(out), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                   escape_markup(entry.file));
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace dashpot
