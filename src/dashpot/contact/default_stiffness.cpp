#include "dashpot/contact/default_stiffness.hpp"

#include <algorithm>

namespace dashpot::contact {
namespace {

constexpr double stiffer_than_body = 10, stiffer_than_springs = 10, stiffer_than_bodies = 4;
constexpr double overlap_of_size = 1e-3, onset_of_size = 2e-3, thickness_of_depth = 0.04;
constexpr double overlap_of_point = 1e-3;  // [m]

}  // namespace

double default_pressure_stiffness(double young, double weight, double size) {
  return std::max(stiffer_than_body * young / size, weight / (overlap_of_size * size * size * size));
}

double default_node_stiffness(double weight_of_node, double springs) {
  return std::max(weight_of_node / overlap_of_point, stiffer_than_springs * springs);
}

double default_onset(double size) { return size > 0 ? onset_of_size * size : overlap_of_point; }

double default_thickness(double depth) { return thickness_of_depth * depth; }

double default_pair_stiffness(double young, double weight, double length) {
  return std::max(stiffer_than_bodies * young / length, weight / (length * length * thickness_of_depth * length));
}

double default_pair_onset(double thickness, double depth) { return std::max(thickness, thickness_of_depth * depth); }

}  // namespace dashpot::contact
