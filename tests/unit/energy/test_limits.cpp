// Limits of stretch and volume: free between the bounds, a spring beyond them, and the projection is the nearest F
// within them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/limits.hpp"
#include "dashpot/energy/nearest_volume.hpp"
#include "dashpot/model/projective_form.hpp"
#include "material_cases.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_limits {
namespace {

using Maker = decltype(&make_strain_limit);

MaterialCase limit(DeformationLimit given, Maker maker = &make_strain_limit) {
  MaterialCase material;
  material.name = "limit";
  material.make = [given, maker](std::shared_ptr<TetBatch> batch) {
    return maker("body", std::move(batch), {given}, {});
  };
  return material;
}

const DeformationLimit ten_percent{1000, 0.9, 1.1};
const Maker both[] = {&make_strain_limit, &make_volume_limit};

Mat3 diagonal(const Vec3& s) { return s.asDiagonal(); }

TEST(StrainLimits, BodiesAreFreeBetweenTheBounds) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), limit(ten_percent));
  const Mat3 R = rotation({0.4, -0.9, 0.3});
  for (const Vec3& s : {Vec3(1, 1, 1), Vec3(1.09, 0.91, 1.02)}) {
    const Vector q = body.affine(R * s.asDiagonal());
    EXPECT_NEAR(body.energy(q), 0, 1e-20);
    EXPECT_LT(body.gradient(q).norm(), 1e-12);
  }
  EXPECT_GT(body.gradient(body.affine(1.2 * R)).norm(), 1);
}

TEST(StrainLimits, EnergyIsThatOfTheExcessBeyondTheBounds) {
  const ElasticBody body(unit_tet(), limit(ten_percent));
  const Mat3 U = rotation({0.4, -0.9, 0.3}), V = rotation({-0.2, 0.5, 1.1});
  const auto energy = [&](double a, double b, double c) {
    return body.energy(body.affine(U * Vec3(a, b, c).asDiagonal() * V.transpose()));
  };
  const double half_w = 0.5 * 1000 / 6;
  EXPECT_NEAR(energy(1.5, 1.0, 0.5), half_w * (0.16 + 0.16), 1e-10);
  EXPECT_NEAR(energy(1.2, 1.0, -0.3), half_w * (0.01 + 1.44), 1e-10) << "an inverted tet is far from the lower bound";
  const ElasticBody stretchable(unit_tet(), limit({1000, 0.9, std::numeric_limits<double>::infinity()}));
  EXPECT_NEAR(stretchable.energy(stretchable.affine(3 * U)), 0, 1e-20);
}

TEST(VolumeLimits, BodiesMayChangeShapeFreelyAtTheSameVolume) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), limit({1000, 0.95, 1.05}, &make_volume_limit));
  const Mat3 R = rotation({0.4, -0.9, 0.3});
  for (const Vec3& s : {Vec3(1, 1, 1), Vec3(2, 0.5, 1.04), Vec3(4, 0.5, 0.48)}) {
    const Vector q = body.affine(R * s.asDiagonal());
    EXPECT_EQ(body.energy(q), 0);
    EXPECT_LT(body.gradient(q).norm(), 1e-12);
  }
  EXPECT_GT(body.gradient(body.affine(1.2 * R)).norm(), 1);
  EXPECT_GT(body.gradient(body.affine(0.8 * R)).norm(), 1);
}

TEST(VolumeLimits, EnergyIsTheDistanceToTheNearestShapeOfThatVolume) {
  const ElasticBody body(unit_tet(), limit({1000, 0.9, 1.331}, &make_volume_limit));
  const Mat3 R = rotation({0.4, -0.9, 0.3});
  const double half_w = 0.5 * 1000 / 6;
  EXPECT_NEAR(body.energy(body.affine(1.5 * R)), half_w * 3 * 0.16, 1e-10) << "nearest to a larger cube: a cube";
  EXPECT_NEAR(body.energy(body.affine(0.0 * R)), half_w * 3 * std::pow(0.9, 2.0 / 3), 1e-10) << "a point";
  const ElasticBody stretchable(unit_tet(),
                                limit({1000, 0, std::numeric_limits<double>::infinity()}, &make_volume_limit));
  EXPECT_EQ(stretchable.energy(stretchable.affine(3 * R)), 0);
  EXPECT_NEAR(stretchable.energy(stretchable.affine(R * diagonal({1.2, 1, -0.3}))), half_w * 0.09, 1e-10);
}

TEST(VolumeLimits, NoOtherStretchesOfThatVolumeAreNearer) {
  int flat = 0;
  for (int k = 0; k < 200; ++k) {
    // Ordinary, strongly stretched, collapsed and inverted ones.
    const double size = k % 3 == 0 ? 3 : 1;
    Vec3 s = (Vec3::Constant(1) + (k % 5 == 0 ? 0.1 : 0.9) * Vec3(rnd(3 * k), rnd(3 * k + 1), rnd(3 * k + 2))) * size;
    std::sort(s.data(), s.data() + 3, [](double a, double b) { return std::abs(a) > std::abs(b); });
    s = s.cwiseAbs();
    if (k % 7 == 0) s[2] = -s[2];
    if (k % 11 == 0) s[2] = 0;
    if (k % 22 == 0) s[1] = 0;
    const double d = k % 2 == 0 ? 0.95 : 1.05;
    if (k < 25) s = (1.8 + 0.01 * k) * Vec3(1.0001, 1.00005, 1);  // where the two minima change places
    const NearestVolume found = nearest_volume(s, d);
    ASSERT_TRUE(found.p.allFinite() && found.dp_ds.allFinite());
    EXPECT_NEAR(found.p[0] * found.p[1] * found.p[2], d, 1e-13) << s.transpose();
    if (found.p[2] < s[2] / 3) ++flat;
    const double distance = (found.p - s).norm();
    double least = distance;
    for (double a = 0.02; a < 7; a += 0.02)
      for (double b = 0.02; b < 7; b += 0.02) least = std::min(least, (Vec3(a, b, d / (a * b)) - s).norm());
    EXPECT_GT(least, distance - 1e-12) << s.transpose() << " to " << d;
  }
  EXPECT_GT(flat, 3) << "both kinds of minimum are met";
}

TEST(VolumeLimits, SlopesOfTheNearestStretchesAreTheirDerivatives) {
  for (const Vec3& s : {Vec3(1.5, 1.2, 0.9), Vec3(0.9, 0.8, 0.7), Vec3(1.1, 0.9, -0.6), Vec3(1, 0.3, 0),
                        Vec3(3, 2.9, 2.5), Vec3(1.2, 1.2, 1.2)}) {
    const auto p = [](const Vector& x) -> Vector { return nearest_volume(Vec3(x), 1.0).p; };
    const Vec3 d(0.3, -0.5, 0.2);
    const auto slope = derivative_slope(p, Vector(s), Vector(d), Vector(nearest_volume(s, 1.0).dp_ds * d), 1e-3);
    EXPECT_TRUE(slope.ok()) << s.transpose() << ": " << slope.slope << ' ' << slope.relative_remainder;
  }
}

TEST(Limits, ForceAndStiffnessAreSlopes) {
  for (const Maker maker : both)
    for (const Vec3& stretch : {Vec3(1.4, 1.25, 0.6), Vec3(1.2, 0.6, 0.8)})
      for (const bool quadratic : {false, true}) {
        const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.5);
        const ElasticBody body(quadratic ? with_mid_nodes(mesh) : mesh, limit({1000, 0.9, 1.02}, maker));
        const Vector q = shaken(body.affine(diagonal(stretch)), 0.002);
        ASSERT_GT(body.energy(q), 1e-3);
        const Vector d = shaken(Vector::Zero(q.size()), 1, 2).normalized();
        const auto energy = [&](const Vector& x) { return Vector::Constant(1, body.energy(x)).eval(); };
        EXPECT_TRUE(derivative_slope(energy, q, d, Vector::Constant(1, body.gradient(q).dot(d)), 1e-3).ok());
        const auto gradient = [&](const Vector& x) { return body.gradient(x); };
        EXPECT_TRUE(derivative_slope(gradient, q, d, body.hessian(q) * d, 1e-3).ok());
      }
}

TEST(Limits, RigidMotionChangesNothingAndTurnsForces) {
  for (const Maker maker : both) {
    const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), limit(ten_percent, maker));
    const Vector q = shaken(body.affine(diagonal({1.4, 1.1, 0.9})), 0.05);
    const Mat3 R = rotation({1.4, 0.3, -0.8});
    Vector turned(q.size()), force = body.gradient(q);
    for (Eigen::Index i = 0; i < q.size(); i += 3) {
      turned.segment<3>(i) = R * q.segment<3>(i) + Vec3(3, -2, 5);
      force.segment<3>(i) = (R * force.segment<3>(i)).eval();
    }
    ASSERT_GT(force.norm(), 1);
    EXPECT_NEAR(body.energy(turned), body.energy(q), 1e-12 * body.energy(q));
    EXPECT_LT((body.gradient(turned) - force).norm(), 1e-11 * force.norm());
    EXPECT_LT(body.gradient(body.affine(R)).norm(), 1e-12);
  }
}

TEST(Limits, CollapsedAndInvertedTetsHaveFiniteForcesThatRightThem) {
  for (const Maker maker : both) {
    const ElasticBody body(unit_tet(), limit(ten_percent, maker));
    for (const Vec3& s : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, -1), Vec3(0.3, 0.2, -1e-9)}) {
      const Vector q = body.affine(diagonal(s));
      for (const Projection projection : {Projection::none, Projection::positive_semidefinite})
        EXPECT_TRUE(body.hessian(q, projection).allFinite()) << s.transpose();
      const Vector force = -body.gradient(q);
      ASSERT_TRUE(force.allFinite()) << s.transpose();
      EXPECT_GT(force.norm(), 10) << s.transpose();
      EXPECT_LT(body.energy(q + 1e-4 * force.normalized()), body.energy(q)) << s.transpose();
    }
  }
}

TEST(Limits, LaplacianMinusProjectionIsTheGradient) {
  for (const Maker maker : both)
    for (const bool quadratic : {false, true}) {
      const TinyMesh mesh = kuhn_bar(3, 2, 2, 0.25);
      const ElasticBody body(quadratic ? with_mid_nodes(mesh) : mesh, limit(ten_percent, maker));
      const ProjectiveForm* form = body.term->capabilities().projective;
      ASSERT_NE(form, nullptr);
      for (const double amplitude : {0.02, 0.3}) {
        const Vector q = shaken(body.mesh.rest(), amplitude, 1), gradient = body.gradient(q);
        std::vector<double> of_slot(static_cast<std::size_t>(body.pattern->num_slots()), 0.0);
        form->add_laplacian(std::vector<double>(static_cast<std::size_t>(form->num_elements()), 1.0), of_slot);
        Vector left = Vector::Zero(q.size()), projection = left;
        for (int row = 0; row < body.pattern->num_blocks(); ++row)
          for (int s = body.pattern->row_start()[static_cast<std::size_t>(row)];
               s < body.pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s)
            left.segment<3>(3 * row) += of_slot[static_cast<std::size_t>(s)] *
                                        q.segment<3>(3 * body.pattern->column()[static_cast<std::size_t>(s)]);
        const auto scratch = form->make_projection_scratch(ProjectionPrecision::double_precision);
        form->begin_projection(q, scratch.get());
        form->add_projection(q, scratch.get(), projection);
        ASSERT_GT(gradient.norm(), 1e-3 * left.norm());
        EXPECT_LT((left - projection - gradient).norm(), 1e-12 * left.norm());
      }
    }
}

TEST(Limits, BoundsThatCloseAtRestAreStiffThere) {
  for (const Maker maker : both) {
    const ElasticBody body(unit_tet(), limit({1000, 1, 1}, maker));
    const Vector q = body.mesh.rest(), swelling = body.affine(Mat3::Identity(), Vec3::Zero());
    EXPECT_NEAR(swelling.dot(body.stiffness(q, StiffnessPart::rest) * swelling), 3 * 1000.0 / 6, 1e-8);
  }
}

TEST(Limits, BoundsThatExcludeTheRestShapeAreRefusedAllAtOnce) {
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  for (const Maker maker : both) {
    try {
      maker("body", batch, {{-1, 1.2, 0.5}}, {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.problems().size(), 3u);
    }
  }
}

}  // namespace
}  // namespace dashpot::testing::test_limits
