// A toy body for the mock server: a bar along x whose tip follows two oscillators, "sway" (z) and "bob" (y), each with a damping ratio times a
// gain that depends on its own amplitude. Good enough to build a page against; the physics is the C++ server's.

import {type Curve, sampler} from '../src/logic/curve';
import type {Vec3} from '../src/net/protocol';

export const size: Vec3 = [0.5, 0.06, 0.05];
const cells: Vec3 = [24, 4, 4];
export const frequencies = [4, 5];
export const ownZeta = 0.04;
export const exampleSize = 0.02; // m
export const tipMass = 0.4; // kg

export interface Surface {
  rest: number[][];
  triangles: number[][];
  pinned: number[];
}

export function bar(): Surface {
  const rest: number[][] = [];
  const triangles: number[][] = [];
  const index = new Map<string, number>();
  const vertex = (p: number[]) => {
    const key = p.map((v) => v.toFixed(6)).join();
    const known = index.get(key);
    if (known !== undefined) return known;
    index.set(key, rest.length);
    rest.push(p);
    return rest.length - 1;
  };
  for (const axis of [0, 1, 2]) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, 1]) {
      for (let i = 0; i < cells[u]; ++i) {
        for (let j = 0; j < cells[v]; ++j) {
          const corner = (di: number, dj: number) => {
            const p = [0, 0, 0];
            p[axis] = side * size[axis];
            p[u] = ((i + di) / cells[u]) * size[u];
            p[v] = ((j + dj) / cells[v]) * size[v];
            return vertex(p);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          if (side) triangles.push([a, b, c], [a, c, d]);
          else triangles.push([a, c, b], [a, d, c]);
        }
      }
    }
  }
  return {rest, triangles, pinned: rest.flatMap((p, i) => (p[0] < 1e-9 ? [i] : []))};
}

/** Deflection of a cantilever along its length, 1 at the tip. */
export const shape = (x: number): number => {
  const t = x / size[0];
  return (t * t * (3 - t)) / 2;
};

export class World {
  chi = [0, 0];
  rate = [0, 0];
  lost = 0;
  external = 0;
  peaks: {t: number; x: number}[] = [];
  private readonly gains: ((x: number) => number)[];

  constructor(
    readonly kind: string,
    curves: Curve[],
    private readonly damped: boolean,
  ) {
    this.gains = curves.map((curve) => sampler(curve));
  }

  copyState(other: World): void {
    Object.assign(this, {chi: [...other.chi], rate: [...other.rate], lost: other.lost, external: other.external, peaks: other.peaks});
  }

  gain(i: number): number {
    return this.gains[i] ? this.gains[i](Math.abs(this.chi[i])) : 1;
  }

  step(dt: number, force: Vec3, reach: number): void {
    for (let i = 0; i < 2; ++i) {
      const omega = 2 * Math.PI * frequencies[i];
      const push = (force[i === 0 ? 2 : 1] * reach) / tipMass / exampleSize;
      const c = this.damped ? 2 * ownZeta * this.gain(i) * omega : 0;
      const before = this.rate[i];
      this.rate[i] += dt * (push - c * this.rate[i] - omega * omega * this.chi[i]);
      const scale = tipMass * exampleSize * exampleSize;
      this.chi[i] += dt * this.rate[i];
      this.lost += dt * scale * c * this.rate[i] * this.rate[i];
      this.external += dt * scale * push * 0.5 * (before + this.rate[i]);
    }
  }

  energies(): {kinetic: number; elastic: number} {
    const scale = 0.5 * tipMass * exampleSize * exampleSize;
    const kinetic = scale * this.rate.reduce((sum, v) => sum + v * v, 0);
    const elastic = scale * this.chi.reduce((sum, x, i) => sum + (2 * Math.PI * frequencies[i] * x) ** 2, 0);
    return {kinetic, elastic};
  }
}

export function positions(rest: number[][], chi: number[]): Float32Array {
  const out = new Float32Array(3 * rest.length);
  rest.forEach((p, i) => {
    const phi = shape(p[0]) * exampleSize;
    out.set([p[0], p[1] + chi[1] * phi, p[2] + chi[0] * phi], 3 * i);
  });
  return out;
}

/** First hit of a ray with the surface. */
export function cast(origin: Vec3, direction: Vec3, where: Float32Array, triangles: number[][]): {triangle: number; distance: number} | null {
  let best: {triangle: number; distance: number} | null = null;
  const at = (v: number): Vec3 => [where[3 * v], where[3 * v + 1], where[3 * v + 2]];
  const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  triangles.forEach(([ia, ib, ic], index) => {
    const a = at(ia);
    const e1 = sub(at(ib), a);
    const e2 = sub(at(ic), a);
    const p = cross(direction, e2);
    const det = dot(e1, p);
    if (Math.abs(det) < 1e-14) return;
    const s = sub(origin, a);
    const u = dot(s, p) / det;
    const q = cross(s, e1);
    const v = dot(direction, q) / det;
    const t = dot(e2, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && (!best || t < best.distance)) best = {triangle: index, distance: t};
  });
  return best;
}
