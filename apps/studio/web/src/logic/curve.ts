// Gain of a damping over an amplitude, gamma(x) = 10^s(x): the twin of math::GainCurve (src/dashpot/math/gain_curve.hpp), with the same
// rules to the last digit, so that what is drawn is what is simulated. Interpolation is in s = log10 gamma:
//
//   linear    straight between the points
//   monotone  cubic without overshoot (Fritsch-Butland slopes, as math::Curve::monotone)
//   bezier    3 n + 1 points: knot, handle, handle, knot, ... in the plane (x, s); x increases through knots and handles
//
// Constant outside the points. One point is a constant gain; only a constant may be 0. Functions return new curves.

export type Interpolation = 'linear' | 'monotone' | 'bezier';
export interface Knot {
  x: number;
  gamma: number;
}
export interface Curve {
  interpolation: Interpolation;
  knots: Knot[];
}
export interface Preset {
  name: string;
  help: string;
  knots: [number, number][]; // x = first * amplitude, gamma = strength^second
}

export const smallestGain = 1e-3;
export const largestGain = 1e3;

export function constantCurve(gamma: number): Curve {
  return {interpolation: 'monotone', knots: [{x: 0, gamma}]};
}

export function isConstant(curve: Curve): boolean {
  return curve.knots.length === 1;
}

export function clampGain(gamma: number): number {
  return Math.min(largestGain, Math.max(smallestGain, gamma));
}

function endSlope(h0: number, h1: number, d0: number, d1: number): number {
  const slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && Math.abs(slope) > 3 * Math.abs(d0)) return 3 * d0;
  return slope;
}

export function monotoneSlopes(x: number[], y: number[]): number[] {
  const n = x.length;
  if (n === 1) return [0];
  const h: number[] = [];
  const d: number[] = [];
  for (let i = 0; i + 1 < n; ++i) {
    h.push(x[i + 1] - x[i]);
    d.push((y[i + 1] - y[i]) / h[i]);
  }
  if (n === 2) return [d[0], d[0]];
  const slope = new Array<number>(n).fill(0);
  for (let i = 1; i + 1 < n; ++i) {
    if (d[i - 1] * d[i] <= 0) continue;
    const w0 = 2 * h[i] + h[i - 1];
    const w1 = h[i] + 2 * h[i - 1];
    slope[i] = (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
  }
  slope[0] = endSlope(h[0], h[1], d[0], d[1]);
  slope[n - 1] = endSlope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  return slope;
}

function bernstein(p: number[], t: number): [number, number] {
  const u = 1 - t;
  return [
    u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3],
    3 * (u * u * (p[1] - p[0]) + 2 * u * t * (p[2] - p[1]) + t * t * (p[3] - p[2])),
  ];
}

/** t with x(t) = x for x(t) increasing: Newton's method inside a shrinking bracket. */
function parameterAt(px: number[], x: number): number {
  let low = 0;
  let high = 1;
  let t = (x - px[0]) / (px[3] - px[0]);
  for (let i = 0; i < 60 && high - low > 0; ++i) {
    const [value, slope] = bernstein(px, t);
    if (value < x) low = t;
    else high = t;
    let next = t - (value - x) / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (Math.abs(next - t) <= 1e-16) return next;
    t = next;
  }
  return t;
}

/** Index of the last knot with x at or before the argument; the argument lies between first and last. */
function interval(knots: Knot[], x: number): number {
  let i = 0;
  while (i + 2 < knots.length && knots[i + 1].x <= x) ++i;
  return i;
}

/** gamma(x), prepared once for many x. */
export function sampler(curve: Curve): (x: number) => number {
  const {knots, interpolation} = curve;
  if (knots.length === 1) return () => knots[0].gamma;
  const x = knots.map((k) => k.x);
  const s = knots.map((k) => Math.log10(k.gamma));
  const last = knots.length - 1;
  const slopes = interpolation === 'monotone' ? monotoneSlopes(x, s) : [];
  const logGain = (at: number): number => {
    if (at <= x[0]) return s[0];
    if (at >= x[last]) return s[last];
    let i = interval(knots, at);
    if (interpolation === 'linear') return s[i] + ((s[i + 1] - s[i]) / (x[i + 1] - x[i])) * (at - x[i]);
    if (interpolation === 'bezier') {
      i -= i % 3;
      return bernstein(s.slice(i, i + 4), parameterAt(x.slice(i, i + 4), at))[0];
    }
    const h = x[i + 1] - x[i];
    const t = at - x[i];
    const secant = (s[i + 1] - s[i]) / h;
    const c2 = (3 * secant - 2 * slopes[i] - slopes[i + 1]) / h;
    const c3 = (slopes[i] + slopes[i + 1] - 2 * secant) / (h * h);
    return s[i] + t * (slopes[i] + t * (c2 + t * c3));
  };
  return (at) => 10 ** logGain(at);
}

export function gainAt(curve: Curve, x: number): number {
  return sampler(curve)(x);
}

/** Everything wrong with a curve, in words; empty when the simulation will take it. */
export function problemsOf(curve: Curve): string[] {
  const {knots, interpolation} = curve;
  if (knots.length === 0) return ['a curve needs at least one point'];
  const problems: string[] = [];
  knots.forEach(({x, gamma}, i) => {
    const where = `point ${i + 1}`;
    if (!Number.isFinite(x) || !Number.isFinite(gamma)) problems.push(`${where}: numbers expected`);
    else if (x < 0) problems.push(`${where}: x = ${x}; it is a size and cannot be negative`);
    if (i > 0 && !(x > knots[i - 1].x)) problems.push(`${where}: x = ${x} is not greater than ${knots[i - 1].x} before it`);
    const zeroAllowed = knots.length === 1 && gamma === 0;
    if (!zeroAllowed && !(gamma >= smallestGain * (1 - 1e-12) && gamma <= largestGain * (1 + 1e-12)))
      problems.push(`${where}: gain ${gamma} is outside ${smallestGain} … ${largestGain}`);
  });
  if (interpolation === 'bezier' && knots.length % 3 !== 1) problems.push(`${knots.length} points: Bézier needs 3 n + 1`);
  return problems;
}

export interface Moved {
  curve: Curve;
  limited: string; // why the point is not where the hand wanted it; empty: it is
}

/** Knots (not handles) of a Bézier curve are every third point. */
export function isHandle(curve: Curve, index: number): boolean {
  return curve.interpolation === 'bezier' && curve.knots.length > 1 && index % 3 !== 0;
}

/** Puts point `index` at (x, gamma), as near as the rules allow: points cannot cross, gains stay within their range. */
export function moveKnot(curve: Curve, index: number, x: number, gamma: number, gap = 1e-3): Moved {
  const knots = curve.knots.map((k) => ({...k}));
  const limits: string[] = [];
  if (knots.length === 1) {
    const wanted = gamma === 0 ? 0 : clampGain(gamma);
    if (wanted !== gamma) limits.push(`a gain lies between ${smallestGain} and ${largestGain}: damping is never negative`);
    return {curve: {...curve, knots: [{x: 0, gamma: wanted}]}, limited: limits.join('; ')};
  }
  let y = clampGain(gamma);
  if (y !== gamma) limits.push(`a gain lies between ${smallestGain} and ${largestGain}: damping is never negative`);
  const low = index > 0 ? knots[index - 1].x + gap : 0;
  const high = index + 1 < knots.length ? knots[index + 1].x - gap : Infinity;
  let to = Math.min(high, Math.max(low, x));
  if (low > high) to = knots[index].x;
  if (Math.abs(to - x) > 1e-12) limits.push(x < low ? (index > 0 ? 'points cannot cross' : 'a size is never negative') : 'points cannot cross');
  if (!Number.isFinite(y)) y = knots[index].gamma;
  knots[index] = {x: to, gamma: y};
  return {curve: {...curve, knots}, limited: limits.join('; ')};
}

/** Splits a Bézier arc at x: the curve stays what it was. */
function splitArc(knots: Knot[], x: number): {knots: Knot[]; index: number} {
  let i = interval(knots, x);
  i -= i % 3;
  const arc = knots.slice(i, i + 4).map((k) => [k.x, Math.log10(k.gamma)]);
  const t = parameterAt(arc.map((p) => p[0]), x);
  const mix = (a: number[], b: number[]) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
  const ab = mix(arc[0], arc[1]);
  const bc = mix(arc[1], arc[2]);
  const cd = mix(arc[2], arc[3]);
  const abc = mix(ab, bc);
  const bcd = mix(bc, cd);
  const middle = mix(abc, bcd);
  const points = [ab, abc, middle, bcd, cd].map(([px, s]) => ({x: px, gamma: clampGain(10 ** s)}));
  return {knots: [...knots.slice(0, i + 1), ...points, ...knots.slice(i + 3)], index: i + 3};
}

/** Adds a point at x (gamma: where the curve is, or given). The index is -1 where there is a point already. */
export function insertKnot(curve: Curve, x: number, gamma?: number, gap = 1e-3): {curve: Curve; index: number} {
  const at = Math.max(0, x);
  const value = clampGain(gamma ?? gainAt(curve, at));
  if (isConstant(curve)) {
    // A constant gain has no place along x: its value is kept at zero, or at the full example when the new point is at zero.
    const old = clampGain(curve.knots[0].gamma);
    const other = at > gap ? {x: 0, gamma: old} : {x: 1, gamma: old};
    const pair = [other, {x: at > gap ? at : 0, gamma: value}].sort((a, b) => a.x - b.x);
    const index = pair[0].x === other.x ? 1 : 0;
    const straight: Curve = {interpolation: 'monotone', knots: pair};
    if (curve.interpolation !== 'bezier') return {curve: {...straight, interpolation: curve.interpolation}, index};
    return {curve: withInterpolation(straight, 'bezier'), index: index * 3};
  }
  const {knots} = curve;
  if (knots.some((k) => Math.abs(k.x - at) < gap)) return {curve, index: -1};
  const before = knots.filter((k) => k.x < at).length;
  if (curve.interpolation !== 'bezier') {
    const copy = knots.map((k) => ({...k}));
    copy.splice(before, 0, {x: at, gamma: value});
    return {curve: {...curve, knots: copy}, index: before};
  }
  if (before > 0 && before < knots.length) {
    const split = splitArc(knots, at);
    return {curve: {...curve, knots: split.knots}, index: split.index};
  }
  const end = before === 0 ? knots[0] : knots[knots.length - 1];
  const arc = [1 / 3, 2 / 3].map((t) => ({x: end.x + t * (at - end.x), gamma: end.gamma * (value / end.gamma) ** t}));
  const added = [...arc, {x: at, gamma: value}];
  const all = before === 0 ? [...added.reverse(), ...knots] : [...knots, ...added];
  return {curve: {...curve, knots: all}, index: before === 0 ? 0 : all.length - 1};
}

/** Takes a point away; a handle cannot go alone, the last point cannot go at all. */
export function removeKnot(curve: Curve, index: number): Curve {
  const n = curve.knots.length;
  if (n === 1 || isHandle(curve, index)) return curve;
  const knots = curve.knots.map((k) => ({...k}));
  if (curve.interpolation === 'bezier') {
    if (n === 4) return {...curve, knots: [{x: 0, gamma: knots[index === 0 ? 3 : 0].gamma}]};
    knots.splice(index === 0 ? 0 : index === n - 1 ? n - 3 : index - 1, 3);
  } else {
    knots.splice(index, 1);
    if (knots.length === 1) knots[0].x = 0;
  }
  return {...curve, knots};
}

/** The same points with another rule between them. To Bézier the curve keeps its form: a cubic's handles stand at thirds. */
export function withInterpolation(curve: Curve, interpolation: Interpolation): Curve {
  if (curve.interpolation === interpolation || isConstant(curve)) return {...curve, interpolation};
  if (curve.interpolation === 'bezier') return {interpolation, knots: curve.knots.filter((_, i) => i % 3 === 0).map((k) => ({...k}))};
  if (interpolation !== 'bezier') return {...curve, interpolation};
  const x = curve.knots.map((k) => k.x);
  const s = curve.knots.map((k) => Math.log10(k.gamma));
  const slopes = curve.interpolation === 'monotone' ? monotoneSlopes(x, s) : null;
  const knots: Knot[] = [{...curve.knots[0]}];
  for (let i = 0; i + 1 < x.length; ++i) {
    const h = x[i + 1] - x[i];
    const secant = (s[i + 1] - s[i]) / h;
    const left = s[i] + ((slopes ? slopes[i] : secant) * h) / 3;
    const right = s[i + 1] - ((slopes ? slopes[i + 1] : secant) * h) / 3;
    knots.push({x: x[i] + h / 3, gamma: clampGain(10 ** left)}, {x: x[i + 1] - h / 3, gamma: clampGain(10 ** right)}, {...curve.knots[i + 1]});
  }
  return {interpolation, knots};
}

/** All gains times a factor; each stays within its range, a constant 0 stays 0. */
export function scaled(curve: Curve, factor: number): Curve {
  const knots = curve.knots.map(({x, gamma}) => ({x, gamma: gamma === 0 ? 0 : clampGain(gamma * factor)}));
  return {...curve, knots};
}

/** The preset for an amplitude [unit of x] and the gain at its strong end. */
export function presetCurve(preset: Preset, amplitude: number, strength: number): Curve {
  return {interpolation: 'monotone', knots: preset.knots.map(([a, e]) => ({x: a * amplitude, gamma: clampGain(strength ** e)}))};
}
