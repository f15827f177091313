// Measured data from a CSV file, for the plot of damping ratio against amplitude. Two kinds are understood: columns of amplitude and
// damping ratio as they are, or a recorded decay (time and displacement), whose successive peaks are taken. Units stand in the header
// as "amplitude [mm]"; without one it is SI. Rows that hold no numbers are counted and told.

import {zetaFromPeaks} from './equivalent';

export interface MeasuredPoint {
  amplitude: number; // m
  zeta: number;
}
export interface Measured {
  name: string;
  points: MeasuredPoint[];
  note: string;
}

const lengths: Record<string, number> = {m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, 'µm': 1e-6};
const times: Record<string, number> = {s: 1, ms: 1e-3, us: 1e-6, 'µs': 1e-6, min: 60};

interface Column {
  name: string;
  unit: string;
}

function header(text: string): Column {
  const match = /^\s*"?([^[("]*)(?:[[(]\s*([^\])]*)\s*[\])])?"?\s*$/.exec(text);
  return {name: (match?.[1] ?? text).trim().toLowerCase(), unit: (match?.[2] ?? '').trim()};
}

function separatorOf(line: string): string {
  return [';', '\t', ','].find((c) => line.includes(c)) ?? ' ';
}

export function table(text: string): {columns: Column[]; rows: number[][]; skipped: number} {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length < 2) throw new Error('the file has no table: a header line and rows of numbers are expected');
  const separator = separatorOf(lines[0]);
  const cells = (line: string) => (separator === ' ' ? line.trim().split(/\s+/) : line.split(separator));
  const first = cells(lines[0]);
  const hasHeader = first.some((cell) => cell.trim() === '' || Number.isNaN(Number(cell)));
  const columns = hasHeader ? first.map(header) : first.map((_, i) => ({name: `column ${i + 1}`, unit: ''}));
  let skipped = 0;
  const rows: number[][] = [];
  for (const line of lines.slice(hasHeader ? 1 : 0)) {
    const row = cells(line).map((cell) => (cell.trim() === '' ? NaN : Number(cell)));
    if (row.filter((value) => Number.isFinite(value)).length < 2) ++skipped;
    else rows.push(row);
  }
  return {columns, rows, skipped};
}

/** Successive peaks of one side of a decay about its mean of the last tenth, as points of amplitude and damping ratio. */
export function pointsOfDecay(time: number[], value: number[]): MeasuredPoint[] {
  const tail = value.slice(Math.floor(value.length * 0.9));
  const rest = tail.reduce((sum, v) => sum + v, 0) / Math.max(1, tail.length);
  const centered = value.map((v) => v - rest);
  const largest = centered.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const peaks: number[] = [];
  let best = 0;
  for (let i = 0; i < centered.length; ++i) {
    if (centered[i] > best) best = centered[i];
    if (centered[i] < 0 && best > 0) {
      peaks.push(best);
      best = 0;
    }
  }
  const points: MeasuredPoint[] = [];
  for (let i = 0; i + 1 < peaks.length; ++i) {
    if (peaks[i + 1] < 0.005 * largest || peaks[i + 1] >= peaks[i]) continue;
    points.push({amplitude: Math.sqrt(peaks[i] * peaks[i + 1]), zeta: zetaFromPeaks(peaks[i], peaks[i + 1])});
  }
  return time.length > 2 ? points : [];
}

export function readMeasured(name: string, text: string): Measured {
  const {columns, rows, skipped} = table(text);
  const find = (pattern: RegExp) => columns.findIndex((column) => pattern.test(column.name));
  const rest = skipped > 0 ? `; ${skipped} rows without numbers left out` : '';
  const zetaAt = find(/zeta|ζ|damping/);
  const amplitudeAt = find(/ampl|envelope|size/);
  if (zetaAt >= 0 && amplitudeAt >= 0) {
    const length = lengths[columns[amplitudeAt].unit || 'm'];
    if (length === undefined) throw new Error(`unit "${columns[amplitudeAt].unit}" of the amplitude: one of ${Object.keys(lengths).join(', ')} is expected`);
    const share = columns[zetaAt].unit === '%' ? 0.01 : 1;
    const points = rows.map((row) => ({amplitude: row[amplitudeAt] * length, zeta: row[zetaAt] * share})).filter((p) => p.amplitude > 0 && Number.isFinite(p.zeta));
    return {name, points, note: `${points.length} points as measured${rest}`};
  }
  const timeAt = find(/^t$|time/);
  if (timeAt < 0) throw new Error(`columns found: ${columns.map((c) => c.name).join(', ')}; expected "amplitude" and "zeta", or "time" and a displacement`);
  const valueAt = columns.findIndex((_, i) => i !== timeAt);
  if (valueAt < 0) throw new Error('a column of displacements is expected beside the time');
  const scale = lengths[columns[valueAt].unit || 'm'];
  const second = times[columns[timeAt].unit || 's'];
  if (scale === undefined || second === undefined) throw new Error(`units "${columns[timeAt].unit}", "${columns[valueAt].unit}": a time and a length are expected`);
  const points = pointsOfDecay(rows.map((row) => row[timeAt] * second), rows.map((row) => row[valueAt] * scale));
  if (points.length === 0) throw new Error('no decay found: at least three falling peaks on one side of rest are needed');
  return {name, points, note: `${points.length} ratios from successive peaks of "${columns[valueAt].name}"${rest}`};
}
