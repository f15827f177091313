// A real silicone beam, clamped and released (motion capture of srl-ethz/diffPD_sim2real, not part of the project):
// skipped where the recordings are absent. Folder: $DASHPOT_DATA/silicone_beam, or shared/data beside the source tree.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/analysis/ring_down.hpp"

namespace dashpot::analysis::test_silicone_beam {
namespace {

namespace fs = std::filesystem;

fs::path beam_folder() {
  std::error_code ignored;
  if (const char* data = std::getenv("DASHPOT_DATA")) return fs::path(data) / "silicone_beam";
  for (fs::path at = fs::current_path(); at.has_parent_path() && at != at.parent_path(); at = at.parent_path()) {
    const fs::path folder = at.parent_path() / "shared" / "data" / "silicone_beam";
    if (fs::exists(folder, ignored)) return folder;
  }
  return {};
}

#define SKIP_WITHOUT(file) \
  if (!fs::exists(file))   \
  GTEST_SKIP() << "no recording at " << (file) << "; set DASHPOT_DATA to the folder that holds silicone_beam"

/// Tip relative to base along its principal direction [mm].
RingDown measure(const Table& table, const std::vector<std::string>& tip, const std::vector<std::string>& base) {
  SignalRequest request;
  request.markers = tip;
  request.base = base;
  std::vector<double> value = measured_signal(table, request).value;
  for (double& v : value) v *= 1e3;
  return measure_ring_down(measured_times(table), value);
}

const std::vector<std::string> tip = {"Tip1", "Tip2", "Tip3"}, base = {"Base1", "Base2", "Base3"};

TEST(SiliconeBeam, RingsAtItsBeamFrequencyWithDampingThatFallsWithAmplitude) {
  const fs::path file = beam_folder() / "beam_gravity_V2_a.csv";
  SKIP_WITHOUT(file);
  const RingDown r = measure(read_measurement(file.string()), tip, base);
  EXPECT_GT(r.frequency, 7.7);
  EXPECT_LT(r.frequency, 7.8);
  EXPECT_NEAR(r.start_time, 0.7, 0.05);
  EXPECT_TRUE(r.has(RingDownFlag::amplitude_dependent));
  ASSERT_GE(r.by_amplitude.size(), 3u);
  int num_large = 0, num_small = 0;
  for (const AmplitudeBin& bin : r.by_amplitude) {
    if (bin.amplitude > 1.8 && bin.amplitude < 4.5) {
      EXPECT_NEAR(bin.zeta, 0.056, 0.003);
      ++num_large;
    }
    if (bin.amplitude > 0.6 && bin.amplitude < 1.0) {
      EXPECT_NEAR(bin.zeta, 0.042, 0.005);
      ++num_small;
    }
  }
  EXPECT_GT(num_large, 0);
  EXPECT_GT(num_small, 0);
}

TEST(SiliconeBeam, UnderALoadTheSmallMotionsAreDampedMost) {
  const fs::path file = beam_folder() / "beam_load101_V2_a.csv";
  SKIP_WITHOUT(file);
  const RingDown r = measure(read_measurement(file.string()), tip, base);
  double at_large = 0, at_small = 0;
  for (const RingCycle& cycle : r.cycles) {
    if (cycle.amplitude > 7) at_large = std::max(at_large, cycle.zeta);
    if (cycle.amplitude > 0.9 && cycle.amplitude < 1.6) at_small = std::max(at_small, cycle.zeta);
  }
  EXPECT_NEAR(at_large, 0.062, 0.006);
  EXPECT_NEAR(at_small, 0.13, 0.04);
}

TEST(SiliconeBeam, TheC3dTwinOfARecordingHoldsTheSameMotion) {
  for (const char* name : {"beam_gravity_V2_a", "beam_load101_V2_a"}) {
    const fs::path csv_file = beam_folder() / (std::string(name) + ".csv"),
                   c3d_file = beam_folder() / (std::string(name) + ".c3d");
    SKIP_WITHOUT(c3d_file);
    const Table csv = read_measurement(csv_file.string()), c3d = read_measurement(c3d_file.string());
    const std::vector<std::string> csv_markers = marker_names(csv), c3d_markers = marker_names(c3d);
    ASSERT_EQ(csv_markers.size(), c3d_markers.size());
    ASSERT_EQ(csv.num_rows(), c3d.num_rows());
    for (std::size_t m = 0; m < csv_markers.size(); ++m) {
      const MarkerPath a = marker_path(csv, csv_markers[m]), b = marker_path(c3d, c3d_markers[m]);
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(a.x[i], b.x[i], 1e-8);
        ASSERT_NEAR(a.z[i], b.z[i], 1e-8);
      }
    }
    EXPECT_NEAR(measured_times(c3d)[100], measured_times(csv)[100], 1e-6);
  }
}

}  // namespace
}  // namespace dashpot::analysis::test_silicone_beam
