#include "dashpot/model/nodal_inertia.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/four_points.hpp"

namespace dashpot {
ElementMass::ElementMass(int nodes_per_element, std::vector<int> blocks, std::vector<double> masses, bool lumped)
    : nodes_per_element_(nodes_per_element),
      blocks_(std::move(blocks)),
      touched_(range_of(blocks_)),
      masses_(std::move(masses)),
      lumped_(lumped) {
  assert(masses_.size() == blocks_.size() * (lumped ? 1 : at(nodes_per_element)));
}

void ElementMass::couple(PatternBuilder& pattern) const {
  if (lumped_) return;  // diagonal blocks are always present
  for (int e = 0; e < num_elements(); ++e) pattern.add_group(&blocks_[at(e * nodes_per_element_)], nodes_per_element_);
}

void ElementMass::bind(const BlockPattern& pattern) {
  const int n = nodes_per_element_;
  slots_.clear();
  slots_.reserve(masses_.size());
  for (int e = 0; e < num_elements(); ++e) {
    const int* nodes = &blocks_[at(e * n)];
    for (int i = 0; i < n; ++i) {
      if (lumped_) {
        slots_.push_back(pattern.diagonal_slot(nodes[i]));
      } else {
        for (int j = 0; j < n; ++j) slots_.push_back(pattern.slot(nodes[i], nodes[j]));
      }
    }
  }
}

void ElementMass::set_density(PartwiseValue density, std::string place) {
  density_ = std::move(density);
  place_ = std::move(place);
  has_density_ = true;
}

ParameterList ElementMass::parameters() const {
  if (!has_density_) return {};
  return prefixed(place_,
                  density_.parameters("density", Quantity::density, 0, std::numeric_limits<double>::infinity(), true));
}

std::shared_ptr<ElementMass> ElementMass::with_density(const double*& values) const {
  auto successor = std::make_shared<ElementMass>(*this);
  if (!has_density_) return successor;
  successor->density_ = density_.with(values);
  const std::size_t per_element = masses_.size() / at(std::max(1, num_elements()));
  for (std::size_t k = 0; k < masses_.size(); ++k) {
    const int e = static_cast<int>(k / per_element);
    successor->masses_[k] *= successor->density_.of(e) / density_.of(e);
  }
  return successor;
}

void ElementMass::add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const {
  const std::size_t per_element = masses_.size() / at(std::max(1, num_elements()));
  for (std::size_t k = 0; k < masses_.size(); ++k) {
    double* block = M.block(slots_[k]);
    const double mass = element_scale[k / per_element] * masses_[k];
    for (int c = 0; c < 3; ++c) block[c * 3 + c] += mass;
  }
}

void ElementMass::add_scalar_mass(std::vector<double>& mass_of_slot) const {
  for (std::size_t k = 0; k < masses_.size(); ++k) mass_of_slot[at(slots_[k])] += masses_[k];
}

void ElementMass::add_product(const Vector& v, Vector& Mv) const {
  const std::size_t n = at(nodes_per_element_), columns = lumped_ ? 1 : n;
  for (std::size_t row = 0; row < blocks_.size(); ++row)
    for (std::size_t j = 0; j < columns; ++j) {
      const int from = blocks_[lumped_ ? row : row / n * n + j];
      Mv.segment<3>(3 * blocks_[row]) += masses_[row * columns + j] * v.segment<3>(3 * from);
    }
}

bool ElementMass::add_element_products(const Vector& w, const Vector& v, double* products) const {
  const std::size_t n = at(nodes_per_element_), columns = lumped_ ? 1 : n;
  for (std::size_t row = 0; row < blocks_.size(); ++row)
    for (std::size_t j = 0; j < columns; ++j) {
      const int from = blocks_[lumped_ ? row : row / n * n + j];
      products[row / n] += masses_[row * columns + j] * w.segment<3>(3 * blocks_[row]).dot(v.segment<3>(3 * from));
    }
  return true;
}

bool ElementMass::add_element_forces(const Vector& v, const ElementShare* shares, int per_element,
                                     Matrix& columns) const {
  const std::size_t n = at(nodes_per_element_), entries = lumped_ ? 1 : n;
  for (std::size_t row = 0; row < blocks_.size(); ++row) {
    Vec3 force = Vec3::Zero();
    for (std::size_t j = 0; j < entries; ++j)
      force += masses_[row * entries + j] * v.segment<3>(3 * blocks_[lumped_ ? row : row / n * n + j]);
    const ElementShare* of_element = shares + row / n * at(per_element);
    for (int k = 0; k < per_element; ++k)
      if (of_element[k].column >= 0)
        columns.col(of_element[k].column).segment<3>(3 * blocks_[row]) += of_element[k].factor * force;
  }
  return true;
}

void ElementMass::add_nodal_mass(Vector& mass_of_block) const {
  const std::size_t per_node = lumped_ ? 1 : at(nodes_per_element_);
  for (std::size_t k = 0; k < masses_.size(); ++k) mass_of_block[blocks_[k / per_node]] += masses_[k];
}

std::shared_ptr<const ElementMass> successor_of(const std::shared_ptr<const ElementMass>& mass,
                                                const Replacements& replacements) {
  const MassSource* successor = replacements.of<MassSource>(mass.get());
  if (successor == mass.get()) return mass;
  return {std::shared_ptr<const void>(), static_cast<const ElementMass*>(successor)};
}

NodalInertia::NodalInertia(std::vector<std::shared_ptr<ElementMass>> bodies)
    : bodies_(std::move(bodies)), diagonal_(true) {
  for (const auto& body : bodies_) diagonal_ &= body->is_lumped();
}

void NodalInertia::couple(PatternBuilder& pattern) const {
  for (const auto& body : bodies_) body->couple(pattern);
}

void NodalInertia::bind(const BlockPattern& pattern) {
  const DofLayout& layout = pattern.layout();
  num_nodes_ = layout.leading_size() == 3 ? layout.num_leading() : 0;
  for (const auto& body : bodies_)
    if (!body->mass_blocks().is_empty() && body->mass_blocks().end > num_nodes_)
      throw Error(Problem{
          "",
          fmt::format("masses of nodes {} to {} in a System that begins with {} blocks of {}",
                      body->mass_blocks().begin, body->mass_blocks().end - 1, num_nodes_, layout.leading_size()),
          "blocks of 3 for every node, before all others", ""});
  pattern_ = &pattern;
  row_end_.clear();
  for (int i = 0; i < num_nodes_; ++i) {
    const auto begin = pattern.column().begin() + pattern.row_start()[at(i)];
    const auto end = pattern.column().begin() + pattern.row_start()[at(i) + 1];
    row_end_.push_back(static_cast<int>(std::lower_bound(begin, end, num_nodes_) - pattern.column().begin()));
  }
  for (const auto& body : bodies_) body->bind(pattern);
  add_up();
}

void NodalInertia::add_up() {
  mass_of_slot_.assign(at(pattern_->num_slots()), 0.0);
  for (const auto& body : bodies_) body->add_scalar_mass(mass_of_slot_);
  if (!diagonal_) return;
  std::vector<double> mass_of_block(at(num_nodes_));
  for (int i = 0; i < num_nodes_; ++i) mass_of_block[at(i)] = mass_of_slot_[at(pattern_->diagonal_slot(i))];
  mass_of_slot_ = std::move(mass_of_block);
}

ParameterList NodalInertia::parameters() const {
  ParameterList list;
  for (const auto& body : bodies_)
    for (ParameterInfo& info : body->parameters()) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<const Inertia> NodalInertia::remade(const double* values, Replacements& replacements) const {
  auto successor = std::make_shared<NodalInertia>(*this);
  for (std::shared_ptr<ElementMass>& body : successor->bodies_) {
    if (body->parameters().empty()) continue;
    std::shared_ptr<ElementMass> heavier = body->with_density(values);
    replacements.add<MassSource>(body.get(), heavier.get());
    body = std::move(heavier);
  }
  replacements.note_masses();
  successor->add_up();
  return successor;
}

void NodalInertia::add_force(const Vector&, const Vector&, const Vector& a, Vector& f) const {
  if (diagonal_) {
    parallel_for(num_nodes_, 4096, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) f.segment<3>(3 * i) += mass_of_slot_[at(i)] * a.segment<3>(3 * i);
    });
    return;
  }
  const std::vector<int>& start = pattern_->row_start();
  const std::vector<int>& column = pattern_->column();
  parallel_for(num_nodes_, 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Vec3 sum = Vec3::Zero();
      for (int s = start[at(i)]; s < row_end_[at(i)]; ++s)
        sum += mass_of_slot_[at(s)] * a.segment<3>(3 * column[at(s)]);
      f.segment<3>(3 * i) += sum;
    }
  });
}

void NodalInertia::add_tangent(const Vector&, const Vector&, const Vector&, double mass_scale, double, double,
                               BlockMatrix& matrix) const {
  const auto add = [&](int slot, double mass) {
    double* block = matrix.block(slot);
    block[0] += mass_scale * mass;
    block[4] += mass_scale * mass;
    block[8] += mass_scale * mass;
  };
  if (diagonal_) {
    for (int i = 0; i < num_nodes_; ++i) add(pattern_->diagonal_slot(i), mass_of_slot_[at(i)]);
  } else {
    for (int i = 0; i < num_nodes_; ++i)
      for (int s = pattern_->row_start()[at(i)]; s < row_end_[at(i)]; ++s) add(s, mass_of_slot_[at(s)]);
  }
}

double NodalInertia::kinetic_energy(const Vector& q, const Vector& v) const {
  Vector momentum = Vector::Zero(v.size());
  add_force(q, v, v, momentum);
  return 0.5 * parallel_sum(static_cast<int>(v.size()), 8192, [&](int begin, int end) {
           return v.segment(begin, end - begin).dot(momentum.segment(begin, end - begin));
         });
}

LinearAngular NodalInertia::momentum(const Vector& q, const Vector& v) const {
  Vector p = Vector::Zero(v.size());
  add_force(q, v, v, p);
  return NodalKinematics(num_nodes_).wrench(q, p);
}

void NodalKinematics::positions(const Vector& q, std::vector<Vec3>& x) const {
  x.resize(at(num_points()));
  for (int i = 0; i < num_points(); ++i) x[at(i)] = q.segment<3>(3 * i);
}

void NodalKinematics::velocities(const Vector&, const Vector& v, std::vector<Vec3>& xdot) const { positions(v, xdot); }

void NodalKinematics::point_jacobian(const double*, int point, PointJacobian& J) const {
  J.parts.assign(1, {point, static_cast<int>(node_dof(point)), 3});
  J.columns = Mat3::Identity();
}

LinearAngular NodalKinematics::wrench(const Vector& q, const Vector& f, BlockRange blocks) const {
  const BlockRange points = blocks.clipped(num_points());
  using math::Pack4;
  std::array<Pack4, 6> sums;
  sums.fill(Pack4(0.0));
  int i = points.begin;
  for (; i + 4 < points.end; i += 4) {  // the last point is not read by a pack: nothing lies behind it
    const math::FourPoints x(q.data() + 3 * i), y(f.data() + 3 * i);
    sums[0] += y.x, sums[1] += y.y, sums[2] += y.z;
    sums[3] += x.y * y.z - x.z * y.y, sums[4] += x.z * y.x - x.x * y.z, sums[5] += x.x * y.y - x.y * y.x;
  }
  std::array<double, 6> total;
  for (std::size_t k = 0; k < 6; ++k) total[k] = (sums[k][0] + sums[k][1]) + (sums[k][2] + sums[k][3]);
  LinearAngular wrench{Vec3(total[0], total[1], total[2]), Vec3(total[3], total[4], total[5])};
  for (; i < points.end; ++i) {
    const Vec3 force = f.segment<3>(3 * i);
    wrench.linear += force;
    wrench.angular += Vec3(q.segment<3>(3 * i)).cross(force);
  }
  return wrench;
}

}  // namespace dashpot
