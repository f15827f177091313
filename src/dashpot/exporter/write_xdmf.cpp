// XDMF 3 (text) with its arrays in HDF5 beside it: a temporal collection of one unstructured grid of all actors.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "dashpot/core/file.hpp"
#include "dashpot/core/markup.hpp"
#include "dashpot/exporter/fields.hpp"
#include "dashpot/exporter/hdf5_file.hpp"
#include "dashpot/exporter/writers.hpp"

namespace dashpot::exporter {
namespace {

/// How XDMF names and numbers the kinds of elements.
struct XdmfKind {
  const char* name;
  std::int32_t id;
  bool is_counted;  ///< in mixed topologies the number of nodes follows the id
};

XdmfKind xdmf_kind(ElementKind kind) {
  static constexpr XdmfKind kinds[] = {{"Polyvertex", 1, true},
                                       {"Polyline", 2, true},
                                       {"Triangle", 4, false},
                                       {"Tetrahedron", 6, false},
                                       {"Tetrahedron_10", 0x26, false}};
  return kinds[static_cast<std::size_t>(kind)];
}

/// XDMF orders the middle nodes of a 10-node tet as VTK does: edges 13, 23 where ours are 32, 31.
int xdmf_node(ElementKind kind, int a) { return kind == ElementKind::tet10 && a >= 8 ? 17 - a : a; }

struct Topology {
  std::vector<std::int32_t> numbers, region;
  std::size_t columns = 0;  ///< nodes per element; 0: mixed
  std::string opening;      ///< <Topology ...>
};

Topology topology_of(const Mesh& mesh) {
  Topology topology;
  const bool is_mixed = mesh.groups.size() != 1;
  for (const ElementGroup& group : mesh.groups) {
    const int n = nodes_per_element(group.kind);
    const XdmfKind kind = xdmf_kind(group.kind);
    for (int e = 0; e < group.size(); ++e) {
      if (is_mixed) topology.numbers.push_back(kind.id);
      if (is_mixed && kind.is_counted) topology.numbers.push_back(n);
      for (int a = 0; a < n; ++a) topology.numbers.push_back(group.element(e)[xdmf_node(group.kind, a)]);
      topology.region.push_back(group.region_of(e));
    }
    topology.columns = is_mixed ? 0 : static_cast<std::size_t>(n);
  }
  topology.opening = is_mixed
                         ? fmt::format("<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">", mesh.num_elements())
                         : fmt::format("<Topology TopologyType=\"{}\" NumberOfElements=\"{}\" NodesPerElement=\"{}\">",
                                       xdmf_kind(mesh.groups[0].kind).name, mesh.num_elements(), topology.columns);
  return topology;
}

std::vector<float> single(const std::vector<double>& values) { return {values.begin(), values.end()}; }

class XdmfWriter {
 public:
  XdmfWriter(const WriterContext& context, const std::string& h5_path, const std::string& h5_name)
      : context_(context), h5_(h5_path), h5_name_(h5_name) {}

  /// Fills the HDF5 file and returns the text of the .xdmf file.
  std::string write() {
    const Animation& animation = context_.animation;
    const Stamp& stamp = context_.options.stamp;
    Ticker ticker(context_.hooks, static_cast<double>(animation.times().size()));
    h5_.attribute("creator", Stamp::program());
    h5_.attribute("scene_hash", stamp.scene_hash);
    h5_.attribute("title", animation.title());
    const Topology topology = topology_of(joined_mesh(animation.actors()));
    h5_.write("/mesh/topology", topology.numbers, topology.columns);
    h5_.write("/mesh/region", topology.region, 0);
    add("<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n<Domain>\n");
    add("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", escape_markup(animation.title()));
    for (std::size_t f = 0; f < animation.times().size(); ++f) {
      frame(topology, f);
      ticker.step();
    }
    add("</Grid>\n");
    information("creator", stamp.text());
    std::vector<std::string> names;
    for (const Actor& actor : animation.actors()) names.push_back(actor.name);
    information("bodies", fmt::format("{}", fmt::join(names, "; ")));
    add("</Domain>\n</Xdmf>\n");
    h5_.close();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void information(const char* name, const std::string& value) {
    add("<Information Name=\"{}\" Value=\"{}\"/>\n", name, escape_markup(value));
  }

  void item(const std::string& name, const char* type, std::size_t count, std::size_t columns) {
    const std::string sizes = columns == 0 ? fmt::format("{}", count) : fmt::format("{} {}", count / columns, columns);
    add("<DataItem DataType=\"{}\" Precision=\"4\" Format=\"HDF\" Dimensions=\"{}\">{}:{}</DataItem>", type, sizes,
        escape_markup(h5_name_), name);
  }

  void frame(const Topology& topology, std::size_t f) {
    const Fields fields = joined_fields(context_.animation, f);
    const std::string folder = fmt::format("/frames/{:05}/", f);
    std::vector<float> positions;
    for (const Vec3& x : fields.points)
      for (int c = 0; c < 3; ++c) positions.push_back(static_cast<float>(x[c]));
    h5_.write(folder + "positions", positions, 3);
    add("<Grid Name=\"frame {}\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n", f, context_.animation.times()[f]);
    add("{}", topology.opening);
    item("/mesh/topology", "Int", topology.numbers.size(), topology.columns);
    add("</Topology>\n<Geometry GeometryType=\"XYZ\">");
    item(folder + "positions", "Float", positions.size(), 3);
    add("</Geometry>\n");
    for (const DataArray& array : fields.arrays) {
      const std::size_t columns = array.components == 1 ? 0 : static_cast<std::size_t>(array.components);
      h5_.write(folder + array.name, single(array.values), columns);
      add("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">", array.name,
          array.components == 1 ? "Scalar" : "Vector");
      item(folder + array.name, "Float", array.values.size(), columns);
      add("</Attribute>\n");
    }
    add("<Attribute Name=\"region\" AttributeType=\"Scalar\" Center=\"Cell\">");
    item("/mesh/region", "Int", topology.region.size(), 0);
    add("</Attribute>\n</Grid>\n");
  }

  const WriterContext& context_;
  Hdf5File h5_;
  std::string h5_name_, out_;
};

}  // namespace

void write_xdmf(const WriterContext& context) {
  const std::string& path = context.options.path;
  const std::string h5_path = without_extension(path) + ".h5";
  PendingName h5(h5_path);
  const std::string text =
      XdmfWriter(context, h5.partial(), std::filesystem::path(h5_path).filename().string()).write();
  h5.finish();
  write_file_atomically(path, text);
  context.report.files = {path, h5_path};
}

}  // namespace dashpot::exporter
