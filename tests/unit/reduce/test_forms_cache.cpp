#include "dashpot/reduce/forms_cache.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "reduced_bar.hpp"

namespace dashpot::test_forms_cache {
namespace {

class FormsCache : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  /// Says where the polynomials of the bar came from.
  std::string reduce(double young = 1e5) {
    testing::ElasticBodyOptions options = testing::held_bar();
    options.material.young = young;
    options.beta = 0.01;
    const auto full = testing::elastic_body(testing::bar_mesh({3, 1, 1}), options);
    const ReducedModel model = *reduce_system(full, *modal_basis(*full, {2, 5}), {}, {folder_});
    Vector gradient = Vector::Zero(5);
    const Vector z = 0.1 * Vector::Ones(5);
    EnergyRequest request{z};
    request.gradient = &gradient;
    model.system->energies()[0]->evaluate(request);
    force_ = gradient;
    return model.methods[0];
  }
  std::string only_file() const { return std::filesystem::directory_iterator(folder_)->path().string(); }

  std::string folder_ =
      (std::filesystem::path(::testing::TempDir()) / ("forms_cache_" + std::to_string(::getpid()))).string();
  Vector force_;
};

TEST_F(FormsCache, GivesBackTheSameBits) {
  EXPECT_NE(reduce().find("kept in"), std::string::npos);
  const Vector first = force_;
  ASSERT_GT(first.norm(), 0);
  EXPECT_NE(reduce().find("from the cache"), std::string::npos);
  EXPECT_EQ(first, force_);
}

TEST_F(FormsCache, DoesNotMixUpMaterials) {
  reduce(1e5);
  EXPECT_EQ(reduce(2e5).find("from the cache"), std::string::npos);
}

TEST_F(FormsCache, RebuildsDamagedFilesAndSaysSo) {
  reduce();
  const Vector first = force_;
  const std::string whole = read_file(only_file());
  std::string flipped = whole, lying = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
  lying[29 + 8 + 7] = 0x7f;  // more variables than memory
  for (const std::string& bad :
       {whole.substr(0, 20), whole.substr(0, whole.size() - 9), flipped, lying, std::string("x")}) {
    write_file_atomically(only_file(), bad);
    const std::string said = reduce();
    EXPECT_NE(said.find("could not be used"), std::string::npos) << said;
    EXPECT_EQ(first, force_);
    EXPECT_EQ(read_file(only_file()), whole);
  }
}

TEST_F(FormsCache, AFolderThatCannotBeWrittenDoesNoHarm) {
  folder_ = "/proc/none";
  EXPECT_NE(reduce().find("not kept"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_forms_cache
