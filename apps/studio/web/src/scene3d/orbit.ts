// A camera on a sphere about a target; y is up. Angles in rad, lengths in m.

import type {Vec3} from '../net/protocol';

export interface Orbit {
  target: Vec3;
  distance: number;
  azimuth: number; // about y; 0 looks along -z
  elevation: number;
}

const steepest = 1.55;

export function eye(orbit: Orbit): Vec3 {
  const c = Math.cos(orbit.elevation);
  return [
    orbit.target[0] + orbit.distance * c * Math.sin(orbit.azimuth),
    orbit.target[1] + orbit.distance * Math.sin(orbit.elevation),
    orbit.target[2] + orbit.distance * c * Math.cos(orbit.azimuth),
  ];
}

export function turned(orbit: Orbit, byAzimuth: number, byElevation: number): Orbit {
  const elevation = Math.max(-steepest, Math.min(steepest, orbit.elevation + byElevation));
  return {...orbit, azimuth: orbit.azimuth + byAzimuth, elevation};
}

export function zoomed(orbit: Orbit, factor: number): Orbit {
  return {...orbit, distance: orbit.distance * factor};
}

/** Directions of the picture: right, up, and toward the eye. */
export function frame(orbit: Orbit): {right: Vec3; up: Vec3; back: Vec3} {
  const [sa, ca] = [Math.sin(orbit.azimuth), Math.cos(orbit.azimuth)];
  const [se, ce] = [Math.sin(orbit.elevation), Math.cos(orbit.elevation)];
  return {right: [ca, 0, -sa], up: [-se * sa, ce, -se * ca], back: [ce * sa, se, ce * ca]};
}

export function moved(orbit: Orbit, right: number, up: number): Orbit {
  const axes = frame(orbit);
  const target = orbit.target.map((value, i) => value + right * axes.right[i] + up * axes.up[i]) as Vec3;
  return {...orbit, target};
}

/** Sees the whole box at a vertical opening angle [rad] and aspect (width over height). */
export function fitted(low: Vec3, high: Vec3, opening: number, aspect: number, keep?: Orbit): Orbit {
  const target = low.map((value, i) => (value + high[i]) / 2) as Vec3;
  const radius = Math.max(1e-6, Math.hypot(...low.map((value, i) => high[i] - value)) / 2);
  const half = Math.min(opening / 2, Math.atan(Math.tan(opening / 2) * aspect));
  return {target, distance: (1.05 * radius) / Math.sin(half), azimuth: keep?.azimuth ?? 0.6, elevation: keep?.elevation ?? 0.35};
}
