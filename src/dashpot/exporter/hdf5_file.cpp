#include "dashpot/exporter/hdf5_file.hpp"

#include <hdf5.h>

#include "dashpot/core/error.hpp"

namespace dashpot::exporter {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t), "handles are stored as int64");

/// Closes what was opened, whatever happens in between.
struct Handle {
  hid_t id;
  herr_t (*close)(hid_t);
  ~Handle() {
    if (id >= 0) close(id);
  }
};

}  // namespace

Hdf5File::Hdf5File(std::string path) : path_(std::move(path)) {
  // At exit the library would once more write to files that could not be written (a full disk), and crash. Has no
  // effect where somebody else opened the library before.
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  file_ = check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create the file");
  creation_ = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(creation_, 1);
}

Hdf5File::~Hdf5File() {
  if (creation_ >= 0) H5Pclose(creation_);
  if (file_ >= 0) H5Fclose(file_);
}

std::int64_t Hdf5File::check(std::int64_t id, const std::string& action) const {
  if (id < 0) throw Error(Problem{path_, "cannot " + action, "", "check the folder and the free space on the disk"});
  return id;
}

void Hdf5File::write(const std::string& name, const std::vector<float>& values, std::size_t columns) {
  write(name, H5T_NATIVE_FLOAT, values.size(), values.data(), columns);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int32_t>& values, std::size_t columns) {
  write(name, H5T_NATIVE_INT32, values.size(), values.data(), columns);
}

void Hdf5File::write(const std::string& name, std::int64_t type, std::size_t count, const void* data,
                     std::size_t columns) {
  const hsize_t sizes[2] = {columns == 0 ? count : count / columns, columns};
  const Handle space{check(H5Screate_simple(columns == 0 ? 1 : 2, sizes, nullptr), "describe " + name), H5Sclose};
  const Handle set{
      check(H5Dcreate2(file_, name.c_str(), type, space.id, creation_, H5P_DEFAULT, H5P_DEFAULT), "create " + name),
      H5Dclose};
  if (count > 0) check(H5Dwrite(set.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write " + name);
}

void Hdf5File::attribute(const std::string& name, const std::string& text) {
  const Handle space{check(H5Screate(H5S_SCALAR), "describe " + name), H5Sclose};
  const Handle type{check(H5Tcopy(H5T_C_S1), "describe " + name), H5Tclose};
  H5Tset_size(type.id, text.size() + 1);
  H5Tset_cset(type.id, H5T_CSET_UTF8);
  const Handle attribute{
      check(H5Acreate2(file_, name.c_str(), type.id, space.id, H5P_DEFAULT, H5P_DEFAULT), "create " + name), H5Aclose};
  check(H5Awrite(attribute.id, type.id, text.c_str()), "write " + name);
}

void Hdf5File::close() {
  const std::int64_t file = file_;
  file_ = -1;
  check(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? (H5Fclose(file), -1) : H5Fclose(file), "finish the file");
}

}  // namespace dashpot::exporter
