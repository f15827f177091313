#include "dashpot/reduce/forms_cache.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"

namespace dashpot {
namespace {

constexpr std::string_view magic = "dashpot strain polynomials 1\n";
constexpr std::size_t num_counts = 4;

std::string path_of(const std::string& folder, std::uint64_t key) {
  return (std::filesystem::path(folder) / fmt::format("strain-{:016x}.dpr", key)).string();
}

Vector doubles(const char* from, std::size_t count) {
  Vector values(static_cast<Eigen::Index>(count));
  std::memcpy(values.data(), from, count * sizeof(double));
  return values;
}

/// Empty: the bytes were good, and `forms` holds them.
std::string parse(const std::string& bytes, std::uint64_t key, StrainForms& forms) {
  const std::size_t header = magic.size() + num_counts * sizeof(std::uint64_t);
  if (bytes.size() < header + sizeof(std::uint64_t)) return "it ends too early";
  if (bytes.compare(0, magic.size(), magic) != 0) return "it is not such a file, or of another version";
  std::uint64_t counts[num_counts], checksum = 0;
  std::memcpy(counts, bytes.data() + magic.size(), sizeof counts);
  const auto [its_key, variables, energies, pairs] = counts;
  if (its_key != key) return "it belongs to another body";
  const std::size_t room = (bytes.size() - header - sizeof checksum) / sizeof(double);
  const bool fits = variables >= 2 && variables <= max_subspace + 1 && energies <= room && pairs == room - energies;
  if (!fits || bytes.size() != header + room * sizeof(double) + sizeof checksum)
    return "its length is not what it says";
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  if (Hash().bytes(bytes.data(), bytes.size() - sizeof checksum).value() != checksum) return "its checksum is wrong";
  const int n = static_cast<int>(variables);
  forms.energy = QuarticForm(n);
  const char* values = bytes.data() + header;
  if (!forms.energy.set_values(doubles(values, energies))) return "it has too few coefficients";
  if (pairs > 0 && !forms.pairs.set_values(n, doubles(values + energies * sizeof(double), pairs)))
    return "it has too few coefficients";
  return {};
}

}  // namespace

std::string default_cache_folder() {
  // Read where a program starts up, before it has threads that could change them.
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return (std::filesystem::path(xdg) / "dashpot").string();
  if (const char* home = std::getenv("HOME"); home && *home)
    return (std::filesystem::path(home) / ".cache" / "dashpot").string();
  return {};
}

std::uint64_t forms_key(const StrainInput& input) {
  const TetBatch& batch = input.batch;
  Hash hash;
  hash.text(std::string(magic)).number(input.keep_pairs).number(batch.nodes_per_tet());
  for (int i = 0; i < batch.num_tets(); ++i) {
    hash.bytes(batch.blocks(i), static_cast<std::size_t>(batch.nodes_per_tet()) * sizeof(int));
    for (int p = 0; p < batch.num_points(); ++p) {
      hash.number(batch.weight(i, p));
      for (int a = 0; a < batch.nodes_per_tet(); ++a) hash.bytes(batch.gradient(i, p, a).data(), 3 * sizeof(double));
    }
    const std::size_t element = static_cast<std::size_t>(batch.original(i));
    hash.number(input.lambda[element]).number(input.mu[element]);
  }
  hash.vector(input.rest).number(static_cast<double>(input.basis.cols()));
  hash.bytes(input.basis.data(), static_cast<std::size_t>(input.basis.size()) * sizeof(double));
  return hash.value();
}

CachedForms read_forms(const std::string& folder, std::uint64_t key) {
  const std::string path = path_of(folder, key);
  CachedForms result;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return result;
  StrainForms forms;
  try {
    result.problem = parse(read_file(path), key, forms);
  } catch (const Error& unreadable) {
    result.problem = unreadable.problems().front().found;
  }
  if (result.problem.empty())
    result.forms = std::move(forms);
  else
    result.problem = fmt::format("{} could not be used: {}", path, result.problem);
  return result;
}

std::string write_forms(const std::string& folder, std::uint64_t key, const StrainForms& forms) {
  const std::size_t energies = static_cast<std::size_t>(forms.energy.values().size()),
                    pairs = static_cast<std::size_t>(forms.pairs.values().size());
  const std::uint64_t counts[num_counts] = {key, static_cast<std::uint64_t>(forms.energy.num_variables()), energies,
                                            pairs};
  std::string bytes(magic);
  bytes.reserve(bytes.size() + sizeof counts + (energies + pairs + 1) * sizeof(double));
  bytes.append(reinterpret_cast<const char*>(counts), sizeof counts);
  bytes.append(reinterpret_cast<const char*>(forms.energy.values().data()), energies * sizeof(double));
  bytes.append(reinterpret_cast<const char*>(forms.pairs.values().data()), pairs * sizeof(double));
  const std::uint64_t checksum = Hash().text(bytes).value();
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  create_folder(folder);
  const std::string path = path_of(folder, key);
  write_file_atomically(path, bytes);
  return path;
}

}  // namespace dashpot
