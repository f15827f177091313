// Where a gain curve stands in the picture: x linear, gain logarithmic.

import {type Curve, largestGain, sampler, smallestGain} from '../logic/curve';

export interface Scale {
  left: number;
  right: number;
  top: number;
  bottom: number;
  xMax: number;
  low: number; // log10 of the least gain shown
  high: number;
}

export function toX(scale: Scale, x: number): number {
  return scale.left + (x / scale.xMax) * (scale.right - scale.left);
}
export function toY(scale: Scale, gamma: number): number {
  const s = Math.log10(Math.max(gamma, 1e-12));
  return scale.bottom - ((Math.max(scale.low, s) - scale.low) / (scale.high - scale.low)) * (scale.bottom - scale.top);
}
export function fromX(scale: Scale, px: number): number {
  return ((px - scale.left) / (scale.right - scale.left)) * scale.xMax;
}
export function fromY(scale: Scale, py: number): number {
  return 10 ** (scale.low + ((scale.bottom - py) / (scale.bottom - scale.top)) * (scale.high - scale.low));
}

/** Powers of ten that hold the curve with room to move; never beyond what is allowed, never less than 0.1 … 10. */
export function gainRange(curve: Curve): {low: number; high: number} {
  const logs = curve.knots.map((k) => Math.log10(Math.max(k.gamma, smallestGain)));
  const low = Math.min(-1, Math.floor(Math.min(...logs) - 0.15));
  const high = Math.max(1, Math.ceil(Math.max(...logs) + 0.15));
  return {low: Math.max(Math.log10(smallestGain), low), high: Math.min(Math.log10(largestGain), high)};
}

/** A round number not less than the last knot and what was visited. */
export function amplitudeRange(curve: Curve, visited: number): number {
  const last = curve.knots[curve.knots.length - 1].x;
  const wanted = Math.max(1.25 * last, 1.05 * visited, curve.knots.length === 1 ? 1.5 : 1e-6);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((f) => f * power).find((value) => value >= wanted * (1 - 1e-9)) ?? wanted;
}

export function ticks(max: number, about = 5): number[] {
  const raw = max / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((value) => value >= raw * (1 - 1e-9)) as number;
  const result: number[] = [];
  for (let i = 0; i * step <= max * (1 + 1e-9); ++i) result.push(Number((i * step).toPrecision(12)));
  return result;
}

/** The curve as path data, sampled finely enough for a screen and at every knot. */
export function pathOf(curve: Curve, scale: Scale): string {
  const at = sampler(curve);
  const xs = Array.from({length: 121}, (_, i) => (i / 120) * scale.xMax).concat(curve.knots.map((k) => k.x).filter((x) => x <= scale.xMax));
  xs.sort((a, b) => a - b);
  return xs.map((x, i) => `${i ? 'L' : 'M'}${toX(scale, x).toFixed(1)} ${toY(scale, at(x)).toFixed(1)}`).join('');
}
