// The plots below the viewports: decay of the amplitude since the release (logarithmic), energies with the integrator's own loss, damping
// ratio over amplitude with measured data. Drawn at most ten times a second and only when something new came.

import uPlot from 'uplot';

import {digits, quantity} from '../logic/format';
import {type Measured, readMeasured} from '../logic/measured';
import {decayRateOf, joined, type Point, Records} from '../logic/records';
import type {Session} from '../session';
import {button, css, fill, h, select} from './dom';
import {shortNames, worldColor, worldDash, worldNames} from './palette';

const order = ['designed', 'reference', 'undamped', 'run'];

interface Key {
  text: string;
  color: string;
  dash?: number[];
  dots?: boolean;
}

/** One plot with its title, legend and text for those who do not see it. */
class Panel {
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly legend = h('div', {class: 'legend'});
  readonly controls = h('div', {class: 'controls'});
  readonly holder: HTMLElement;
  private readonly empty = h('p', {class: 'empty'});
  private plot: uPlot | null = null;
  private shape = '';

  constructor(title: string, help: string) {
    this.title = h('h3', {title: help}, title);
    this.holder = h('div', {class: 'plot', role: 'img', 'aria-label': `${title}: no data yet`});
    this.element = h('section', {class: 'plot-panel', 'aria-label': title}, h('header', {}, this.title, this.legend, this.controls), this.holder, this.empty);
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.holder);
  }

  private size(): {width: number; height: number} {
    return {width: Math.max(60, this.holder.clientWidth), height: Math.max(50, this.holder.clientHeight)};
  }

  keys(keys: Key[]): void {
    fill(this.legend, ...keys.map((key) => h('span', {class: 'key'}, h('span', {class: `swatch ${key.dots ? 'dots' : key.dash?.length ? (key.dash[0] > 4 ? 'dashed' : 'dotted') : ''}`, style: `--c:${key.color}`}), key.text)));
  }

  /** Draws; `shape` names what makes another plot necessary (series, axes, theme). */
  draw(shape: string, options: () => Omit<uPlot.Options, 'width' | 'height'>, data: uPlot.AlignedData, description: string, emptyText: string): void {
    const isEmpty = data[0].length === 0;
    this.empty.textContent = isEmpty ? emptyText : '';
    this.holder.classList.toggle('is-empty', isEmpty);
    this.holder.setAttribute('aria-label', isEmpty ? `${this.title.textContent}: no data yet` : description);
    if (isEmpty) return;
    if (shape !== this.shape) {
      this.plot?.destroy();
      this.plot = new uPlot({...options(), ...this.size()}, data, this.holder);
      this.shape = shape;
    } else {
      this.plot?.setData(data);
    }
  }
}

function axes(xText: (value: number) => string, yText: (value: number) => string, logs: {x?: boolean; y?: boolean} = {}, ySize = 52): uPlot.Axis[] {
  const color = css('--dim');
  const grid = {stroke: css('--line'), width: 1};
  const font = '10.5px system-ui, sans-serif';
  const common = {stroke: color, grid, ticks: {show: false}, font};
  const decades = (isLog?: boolean): Partial<uPlot.Axis> => (isLog ? {filter: (_u, splits) => splits.map((v) => (powerOfTen(v) ? v : null))} : {});
  return [
    {...common, ...decades(logs.x), size: 22, gap: 5, space: 52, values: (_, values) => values.map((v) => (v === null ? '' : xText(v)))},
    {...common, ...decades(logs.y), size: ySize, gap: 3, space: 22, values: (_, values) => values.map((v) => (v === null ? '' : yText(v)))},
  ];
}

/** Decades that hold the data, at least one; no more than six. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(high > 0)) return [1e-4, 1e-2];
  const top = 10 ** Math.ceil(Math.log10(high * 1.02));
  const bottom = 10 ** Math.floor(Math.log10(Math.max(low, high * 1e-5)));
  return [Math.min(bottom, top / 10), top];
}

const powerOfTen = (value: number) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;

export class Plots {
  readonly element: HTMLElement;
  readonly records = new Records();
  measured: Measured[] = [];
  private readonly decay = new Panel('Amplitude after release', 'Successive peaks of the patch that was released, as distance from where it comes to rest; t = 0 is the release');
  private readonly energy = new Panel('Energy', 'What is in the motion, what was lost to damping, and what the time integrator lost by itself');
  private readonly zeta = new Panel('Damping ratio ζ by amplitude', 'From successive peaks of the same ring-down. Drop a CSV file of measured data here');
  private readonly world: HTMLSelectElement;
  private shownWorld = 'designed';
  private theme = 0;
  private dirty = true;

  constructor(private readonly session: Session) {
    this.world = select([['designed', 'Designed']], 'designed', (value) => ((this.shownWorld = value), (this.dirty = true)), 'World whose energy is shown');
    this.energy.controls.append(this.world);
    this.element = h('div', {class: 'plots'}, this.decay.element, this.energy.element, this.zeta.element);
    const file = h('input', {type: 'file', accept: '.csv,.txt,.tsv', hidden: true, 'aria-label': 'Measured data (CSV)'});
    file.addEventListener('change', () => file.files?.[0] && void this.read(file.files[0]).then(() => (file.value = '')));
    this.zeta.controls.append(file, button({text: 'CSV', label: 'Overlay measured data: amplitude and zeta, or time and displacement', class: 'small', onclick: () => file.click()}));
    session.on('status', (status) => {
      this.records.add(status);
      this.dirty = true;
    });
    session.on('opened', () => {
      this.records.clear();
      this.dirty = true;
    });
    window.setInterval(() => this.dirty && this.draw(), 100);
  }

  /** Reads a file of measured data; what is wrong with it is told. */
  async read(file: File): Promise<void> {
    try {
      const data = readMeasured(file.name, await file.text());
      this.measured = [...this.measured.filter((m) => m.name !== data.name), data].slice(-3);
      this.session.note(`${data.name}: ${data.note}.`);
      this.dirty = true;
    } catch (error) {
      this.session.complain(new Error(`${file.name}: ${(error as Error).message}`));
    }
  }

  clearMeasured(): void {
    this.measured = [];
    this.dirty = true;
  }

  themeChanged(): void {
    ++this.theme;
    this.dirty = true;
  }

  draw(): void {
    this.dirty = false;
    this.drawDecay();
    this.drawEnergy();
    this.drawZeta();
  }

  private whenEmpty(text: string): string {
    return this.session.hello?.kind === 'run' ? 'Of a recorded run only the motion is shown here; `dashpot report` has its numbers.' : text;
  }

  private present(map: Map<string, Point[]>): string[] {
    return order.filter((kind) => (map.get(kind)?.length ?? 0) > 0);
  }

  private drawDecay(): void {
    const kinds = this.present(this.records.decay);
    const lists = kinds.map((kind) => (this.records.decay.get(kind) as Point[]).filter((p) => p.y > 0));
    const rates = lists.map((list) => decayRateOf(list));
    this.decay.keys(kinds.map((kind, i) => ({text: `${shortNames[kind]}${rates[i] === null ? '' : ` ${digits(rates[i] as number)} /s`}`, color: worldColor(kind), dash: worldDash(kind)})));
    const text = kinds.map((kind, i) => `${worldNames[kind]}: ${lists[i].length} peaks, decay rate ${rates[i] === null ? 'not clear' : `${digits(rates[i] as number)} per second`}`).join('; ');
    this.decay.draw(`decay ${kinds} ${this.theme}`, () => ({
      ...common(),
      scales: {x: {time: false, range: (_u, _low, high) => [0, Math.max(0.1, high)]}, y: {distr: 3, range: (_u, low, high) => logRange(low, high)}},
      axes: axes((v) => quantity(v, 's'), (v) => quantity(v, 'm'), {y: true}),
      series: [{}, ...kinds.map((kind) => line(kind, true))],
    }), joined(lists) as uPlot.AlignedData, text, this.whenEmpty('Pull the body and let go: its decay is drawn here.'));
  }

  private drawEnergy(): void {
    const kinds = order.filter((kind) => this.records.energies.has(kind));
    if (kinds.length > 0 && !kinds.includes(this.shownWorld)) this.shownWorld = kinds[0];
    if (this.world.options.length !== kinds.length || [...this.world.options].some((o, i) => o.value !== kinds[i])) {
      fill(this.world, ...kinds.map((kind) => h('option', {value: kind}, worldNames[kind])));
      this.world.value = this.shownWorld;
    }
    this.world.hidden = kinds.length < 2;
    const columns = this.records.energies.get(this.shownWorld);
    const series: [string, string, string, number[]][] = [['total', 'total', '--energy-total', []], ['kinetic', 'kinetic', '--energy-kinetic', []], ['lost', 'to damping', '--energy-lost', [6, 3]], ['numerical', 'to the integrator', '--energy-numerical', [2, 3]]];
    this.energy.keys(series.map(([, text, color, dash]) => ({text, color: css(color), dash})));
    const data = columns && columns.time.length > 1 ? [columns.time, ...series.map(([key]) => columns[key])] : [[]];
    const last = columns ? columns.time.length - 1 : -1;
    const text = columns && last >= 0 ? series.map(([key, name]) => `${name} ${quantity(columns[key][last], 'J')}`).join(', ') : '';
    this.energy.draw(`energy ${this.theme}`, () => ({
      ...common(),
      scales: {x: {time: false}, y: {}},
      axes: axes((v) => quantity(v, 's'), (v) => quantity(v, 'J')),
      series: [{}, ...series.map(([, , color, dash]) => ({stroke: css(color), width: 1.8, dash, points: {show: false}}))],
    }), data as unknown as uPlot.AlignedData, text, this.whenEmpty('Energies appear as soon as time runs.'));
  }

  private drawZeta(): void {
    const kinds = this.present(this.records.zeta);
    const clean = (points: Point[]) => points.filter((p) => p.x > 0 && Number.isFinite(p.y)).sort((a, b) => a.x - b.x);
    const lists = kinds.map((kind) => clean(this.records.zeta.get(kind) as Point[]));
    const measured = this.measured.map((data) => clean(data.points.map((p) => ({x: p.amplitude, y: p.zeta}))));
    const colors = [css('--measured'), css('--energy-kinetic'), css('--dim')];
    this.zeta.keys([...kinds.map((kind) => ({text: shortNames[kind], color: worldColor(kind), dash: worldDash(kind)})), ...this.measured.map((data, i) => ({text: data.name, color: colors[i], dots: true}))]);
    const text = kinds.map((kind, i) => `${worldNames[kind]}: ${lists[i].length} ratios, latest ${digits(100 * (lists[i][0]?.y ?? NaN))} percent`).join('; ');
    this.zeta.draw(`zeta ${kinds} ${this.measured.map((m) => m.name)} ${this.theme}`, () => ({
      ...common(),
      scales: {x: {time: false, distr: 3, range: (_u, low, high) => logRange(low, high)}, y: {range: (_u, low, high) => [Math.min(0, low ?? 0), Math.max(0.01, (high ?? 0) * 1.1)]}},
      axes: axes((v) => quantity(v, 'm'), (v) => `${digits(100 * v)} %`, {x: true}, 44),
      series: [{}, ...kinds.map((kind) => line(kind, true)), ...this.measured.map((_, i) => ({stroke: colors[i], width: 0, paths: () => null, points: {show: true, size: 4, fill: colors[i]}}))],
    }), joined([...lists, ...measured]) as uPlot.AlignedData, text, this.whenEmpty('Ratios of successive peaks, after a release. Drop a CSV of measured data here.'));
  }
}

function common(): Pick<uPlot.Options, 'legend' | 'cursor' | 'padding'> & {series: []} {
  return {legend: {show: false}, cursor: {show: true, x: true, y: false, points: {show: false}, drag: {x: false, y: false}}, padding: [6, 26, 0, 0], series: []};
}

function line(kind: string, points: boolean): uPlot.Series {
  const color = worldColor(kind);
  return {stroke: color, width: 1.8, dash: worldDash(kind), spanGaps: true, points: {show: points, size: 4, fill: color}};
}
