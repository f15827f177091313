#pragma once
// Just enough of HDF5 to write arrays into a new file. Failures throw dashpot::Error; libhdf5 prints nothing.

#include <cstdint>
#include <string>
#include <vector>

namespace dashpot::exporter {

class Hdf5File {
 public:
  explicit Hdf5File(std::string path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// Datasets of rows x columns numbers (columns = 0: one dimension). Groups in `name` ("/frames/0/velocity") are made.
  void write(const std::string& name, const std::vector<float>& values, std::size_t columns);
  void write(const std::string& name, const std::vector<std::int32_t>& values, std::size_t columns);
  /// An attribute of the root group.
  void attribute(const std::string& name, const std::string& text);
  /// Writes everything out; must be the last call.
  void close();

 private:
  void write(const std::string& name, std::int64_t type, std::size_t count, const void* data, std::size_t columns);
  std::int64_t check(std::int64_t id, const std::string& action) const;

  std::string path_;
  std::int64_t file_ = -1, creation_ = -1;
};

}  // namespace dashpot::exporter
