// What the plots show, gathered from status messages: energies over time, envelopes since the last release, damping ratios over amplitude.

import type {Status} from '../net/protocol';

export interface Point {
  x: number;
  y: number;
}

export class Records {
  energies = new Map<string, Record<string, number[]>>(); // by world; columns of equal length
  decay = new Map<string, Point[]>();
  zeta = new Map<string, Point[]>();
  released: number | null = null;
  private lastTime = -Infinity;

  constructor(private readonly length = 900) {}

  /** Another scene: nothing of the one before is shown. */
  clear(): void {
    this.energies.clear();
    this.decay.clear();
    this.zeta.clear();
    this.released = null;
    this.lastTime = -Infinity;
  }

  /** Takes one status; tells whether the plots of decay were begun anew. */
  add(status: Status): boolean {
    const back = status.time < this.lastTime - 1e-12;
    if (back) this.energies.clear();
    const restarted = back || status.released !== this.released;
    if (restarted) {
      this.decay.clear();
      this.zeta.clear();
      this.released = status.released;
    }
    if (status.time > this.lastTime || back) this.addEnergies(status);
    this.lastTime = status.time;
    for (const {world, t, envelope} of status.decay) append(this.decay, world, {x: t, y: envelope});
    for (const {world, amplitude, zeta} of status.zeta) append(this.zeta, world, {x: amplitude, y: zeta});
    return restarted;
  }

  private addEnergies(status: Status): void {
    for (const world of status.worlds) {
      const lost = Object.values(world.damping).reduce((sum, value) => sum + value, 0);
      const row: Record<string, number> = {
        time: status.time, kinetic: world.kinetic, elastic: world.elastic, gravity: world.gravity, total: world.total, lost, numerical: world.numerical, external: world.external,
      };
      const columns = this.energies.get(world.kind) ?? Object.fromEntries(Object.keys(row).map((key) => [key, []]));
      this.energies.set(world.kind, columns);
      for (const [key, value] of Object.entries(row)) columns[key].push(value);
      if (columns.time.length > this.length) for (const column of Object.values(columns)) column.shift();
    }
  }
}

function append(map: Map<string, Point[]>, key: string, point: Point): void {
  const list = map.get(key) ?? [];
  map.set(key, list);
  const last = list[list.length - 1];
  if (last && last.x === point.x) list[list.length - 1] = point;
  else list.push(point);
}

/** Series of points with x of their own as one table: x of all in order, null where a series has none. */
export function joined(series: Point[][]): [number[], ...(number | null)[][]] {
  const xs = [...new Set(series.flatMap((points) => points.map((p) => p.x)))].sort((a, b) => a - b);
  const index = new Map(xs.map((x, i) => [x, i]));
  const columns = series.map((points) => {
    const column = new Array<number | null>(xs.length).fill(null);
    for (const p of points) column[index.get(p.x) as number] = p.y;
    return column;
  });
  return [xs, ...columns];
}

const steady = 0.02; // spread of ln(amplitude) of a motion that keeps its amplitude

/**
 * Decay rate of an envelope [1/s]: a straight line through ln(amplitude) by least squares. Null for fewer than 3 points, and where the line
 * explains less than half of what is seen: beats of several modes have no rate.
 */
export function decayRateOf(points: Point[]): number | null {
  const used = points.filter((p) => p.y > 0);
  if (used.length < 3) return null;
  const n = used.length;
  const mx = used.reduce((sum, p) => sum + p.x, 0) / n;
  const my = used.reduce((sum, p) => sum + Math.log(p.y), 0) / n;
  const sxx = used.reduce((sum, p) => sum + (p.x - mx) ** 2, 0);
  const sxy = used.reduce((sum, p) => sum + (p.x - mx) * (Math.log(p.y) - my), 0);
  const syy = used.reduce((sum, p) => sum + (Math.log(p.y) - my) ** 2, 0);
  if (!(sxx > 0) || (sxy * sxy < 0.5 * sxx * syy && syy > n * steady ** 2)) return null;
  return -sxy / sxx;
}
