#pragma once
// How stiff a contact is where nobody says so: stiff enough that a body presses in by far less than it deforms itself,
// and that its weight presses it in by a thousandth of its size. Lengths [m], moduli [Pa], weights [N].

namespace dashpot::contact {

/// Pressure per overlap [Pa/m] between a collider and a body of that size. young: 0 where it has none, weight: 0
/// without gravity; with neither there is no default, and the result is 0.
double default_pressure_stiffness(double young, double weight, double size);
/// Stiffness [N/m] of a node that has no surface (points, chains). springs: sum of the springs that end there [N/m].
double default_node_stiffness(double weight_of_node, double springs);
/// Distance [m] over which a collider's pressure sets in; size 0: of a point.
double default_onset(double size);

/// Distance [m] that two bodies keep from each other; depth: of the thinner one, 0 where neither has volume.
double default_thickness(double depth);
/// Pressure per overlap [Pa/m] between two bodies: of the softer modulus and the lesser weight that is known.
/// length: depth, or the thickness of bodies without volume.
double default_pair_stiffness(double young, double weight, double length);
double default_pair_onset(double thickness, double depth);

}  // namespace dashpot::contact
