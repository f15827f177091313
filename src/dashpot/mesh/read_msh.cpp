#include <fmt/format.h>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {
namespace {

/// $MeshFormat: version, ASCII or binary, size of a real. Returns the version times ten.
int read_header(MshCursor& cursor, RawMesh& raw) {
  if (cursor.line() != "$MeshFormat")
    raw.fail(1, "the file does not begin with $MeshFormat", "a Gmsh .msh file of version 2.2 or 4.1");
  const double version = cursor.text_real();
  const std::int64_t type = cursor.text_integer(), real_size = cursor.text_integer();
  const bool is_2 = version >= 2 && version < 3, is_41 = version == 4.1;
  if (!is_2 && !is_41)
    raw.fail(cursor.place(), fmt::format("Gmsh format version {}", version), "2.2 or 4.1",
             "convert it: gmsh old.msh -save -format msh41 -o new.msh");
  if (type != 0 && type != 1) raw.fail(cursor.place(), fmt::format("file type {}", type), "0 (ASCII) or 1 (binary)");
  if (real_size != 8) raw.fail(cursor.place(), fmt::format("numbers of {} bytes", real_size), "8");
  cursor.end_line();
  if (type == 1) {
    cursor.is_binary = raw.places_are_bytes = true;
    cursor.read_byte_order();
  }
  raw.format = fmt::format("Gmsh {}, {}", version, type == 1 ? "binary" : "ASCII");
  cursor.expect_end("MeshFormat");
  return is_2 ? 22 : 41;
}

/// $PhysicalNames is text in binary files too: count, then `dimension tag "name"`.
void read_physical_names(MshCursor& cursor, MshBuilder& builder) {
  RawMesh& raw = cursor.raw();
  const std::size_t count = raw.claimed(cursor.text_integer(), 7, cursor.remaining(), cursor.place(), "physical names");
  cursor.end_line();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view line = cursor.line();
    Words words(line);
    const auto dimension = parse_integer(words.next()), tag = parse_integer(words.next());
    const std::string_view name = trimmed(words.rest());
    const bool ok = dimension && tag && *dimension >= 0 && *dimension <= 3 && *tag > -2147483647 && *tag < 2147483647 &&
                    name.size() >= 2 && name.front() == '"' && name.back() == '"';
    if (!ok)
      raw.fail(cursor.place(), line.empty() ? "the file ends here" : in_quotes(line), "dimension, tag, \"name\"");
    builder.name_group(static_cast<int>(*dimension), static_cast<int>(*tag),
                       std::string(name.substr(1, name.size() - 2)));
  }
  cursor.expect_end("PhysicalNames");
}

}  // namespace

Mesh read_msh(std::string_view bytes, const std::string& name, MeshReport* report, const ReadOptions& options) {
  RawMesh raw(name, "Gmsh");
  raw.index_base = 1;
  MshCursor cursor(bytes, raw);
  MshBuilder builder(raw);
  const int version = read_header(cursor, raw);
  MshEntities entities;
  while (true) {
    const std::string_view line = cursor.line();
    if (line.empty()) break;
    if (line.front() != '$') raw.fail(cursor.place(), in_quotes(line), "a section such as $Nodes");
    const std::string_view section = line.substr(1);
    if (section == "PhysicalNames")
      read_physical_names(cursor, builder);
    else if (section == "Nodes" || section == "Elements" || (section == "Entities" && version == 41))
      version == 22 ? read_msh22_section(section, cursor, builder)
                    : read_msh41_section(section, cursor, builder, entities);
    else if (section == "ElementData")
      read_msh_element_data(cursor, builder);
    else
      cursor.skip_section(section);  // $Periodic, $NodeData, $Comments ...: nothing of the mesh's shape
  }
  builder.build(options);
  return raw.finish(options, report);
}

}  // namespace dashpot
