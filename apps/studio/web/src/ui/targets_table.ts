// Unloading targets: the body is released from a multiple of an example, and a share of it is to remain after one cycle. The table tells what
// was asked and what the search reached; where a target cannot be met it says why.

import {lostPerCycle} from '../logic/equivalent';
import {digits, parseNumber, percent, plain} from '../logic/format';
import {get, type Change, type Json} from '../logic/pointer';
import type {DesignResult, Example, ServerEvent} from '../net/protocol';
import type {Session} from '../session';
import {button, fill, h} from './dom';

interface Row {
  from: number;
  left: number;
  result?: DesignResult;
}

interface Target {
  example: string;
  from?: number;
  left?: number;
  lost_per_cycle?: number | string;
  [key: string]: Json | undefined;
}

export class TargetsTable {
  readonly element: HTMLElement;
  private rows = new Map<string, Row[]>();
  private example: Example | null = null;
  private job: number | null = null;
  private written = ''; // targets of the document that the rows were read from
  private documentBefore: Json = null; // the search
  private readonly body = h('tbody');
  private readonly progress = h('progress', {max: 1, value: 0, 'aria-label': 'Progress of the search', hidden: true});
  private readonly state = h('p', {class: 'note', role: 'status', 'aria-live': 'polite'});
  private readonly solve: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;

  constructor(private readonly session: Session) {
    this.solve = button({text: 'Solve', label: 'Find the gains that meet the targets', class: 'primary', onclick: () => void this.run()});
    this.cancel = button({text: 'Cancel', label: 'Stop the search; gains stay as they were', onclick: () => this.job !== null && void this.session.command('cancel', {job: this.job})});
    this.cancel.hidden = true;
    const head = h('thead', {}, h('tr', {}, ...['From', 'Remains', 'Lost', 'Reached', ''].map((text, i) => h('th', {scope: 'col', title: ['Size of the release, in multiples of the example', 'Share of the release that is left after one cycle', 'The same, as loss per cycle', 'What the search reached', ''][i]}, text))));
    this.element = h('section', {class: 'targets', 'aria-label': 'Unloading targets'},
      h('header', {class: 'section-head'}, h('h3', {}, 'Unloading targets'), button({icon: 'plus', label: 'Add a target', class: 'square quiet', onclick: () => this.add()})),
      h('table', {}, head, this.body), this.progress, this.state,
      h('div', {class: 'row'}, this.solve, this.cancel));
    session.on('design', (event) => this.told(event));
    session.on('connection', ({state}) => state === 'lost' && this.job !== null && this.ended('The connection was lost during the search.'));
  }

  show(example: Example): void {
    this.example = example;
    this.readAgain();
    if (!this.rows.has(example.name)) this.rows.set(example.name, []);
    this.draw();
  }

  /** The document has other targets than before (another scene, an undo): they count, and what was reached for those that stayed. */
  private readAgain(): void {
    const written = JSON.stringify([this.session.hello?.title, this.targetsInDocument()]);
    if (written === this.written) return;
    this.written = written;
    for (const example of this.session.examples) {
      const before = this.rows.get(example.name) ?? [];
      this.rows.set(example.name, this.fromDocument(example).map((row) => before.find((old) => old.from === row.from && old.left === row.left) ?? row));
    }
    for (const name of this.rows.keys()) if (!this.session.examples.some((example) => example.name === name)) this.rows.delete(name);
  }

  private targetsInDocument(): Target[] {
    const targets = get(this.session.document, '/design/targets');
    return Array.isArray(targets) ? (targets as unknown as Target[]) : [];
  }

  private fromDocument(example: Example): Row[] {
    const rows: Row[] = [];
    for (const target of this.targetsInDocument()) {
      if (target.example !== example.name) continue;
      const from = typeof target.from === 'number' ? target.from : 1;
      const lost = typeof target.lost_per_cycle === 'string' ? parseNumber(target.lost_per_cycle) : target.lost_per_cycle;
      if (typeof target.left === 'number') rows.push({from, left: target.left});
      else if (typeof lost === 'number' && Number.isFinite(lost)) rows.push({from, left: from * (1 - lost)});
    }
    return rows;
  }

  private get shown(): Row[] {
    return this.example ? (this.rows.get(this.example.name) ?? []) : [];
  }

  private add(): void {
    const last = this.shown[this.shown.length - 1];
    const from = last ? last.from * 2 : 1;
    const zeta = this.example?.zeta ?? 0.05;
    const left = last ? (last.left / last.from) * from : Number((from * (1 - Math.max(0.02, lostPerCycle(2 * zeta)))).toPrecision(2));
    this.shown.push({from, left});
    this.draw();
    (this.body.lastElementChild?.querySelector('input') as HTMLInputElement | null)?.focus();
  }

  private draw(): void {
    this.solve.disabled = this.allTargets().length === 0 || this.job !== null;
    if (this.shown.length === 0) {
      const others = [...new Set(this.allTargets().map((target) => target.example))];
      const text = others.length > 0 ? `None for this example. Solve meets those of ${others.join(', ')}.` : 'None yet. Say how much of a swing remains after one cycle; the gain curve is found for it.';
      fill(this.body, h('tr', {}, h('td', {colspan: 5, class: 'empty'}, text)));
      return;
    }
    fill(this.body, ...this.shown.flatMap((row, i) => this.rowElements(row, i)));
  }

  private rowElements(row: Row, index: number): HTMLElement[] {
    const number = (value: number, label: string, take: (value: number) => boolean) => {
      const input = h('input', {type: 'text', inputmode: 'decimal', class: 'number', value: plain(value, 5), 'aria-label': `${label}, target ${index + 1}`, autocomplete: 'off'});
      input.addEventListener('change', () => {
        if (take(parseNumber(input.value))) row.result = undefined;
        this.draw();
      });
      return input;
    };
    const from = number(row.from, 'Release from', (v) => v > 0 && ((row.left *= v / row.from), (row.from = v), true));
    const left = number(row.left, 'Remains after one cycle', (v) => v >= 0 && v < row.from && ((row.left = v), true));
    const lost = number(100 * (1 - row.left / row.from), 'Lost per cycle in percent', (v) => v > 0 && v <= 100 && ((row.left = row.from * (1 - v / 100)), true));
    const result = row.result;
    const mark = result ? h('span', {class: result.reached ? 'good' : 'bad', title: result.reason || 'met'}, `${result.reached ? '✓' : '✗'} ${digits(result.achieved, 4)}`) : '–';
    const remove = button({icon: 'close', label: `Remove target ${index + 1}`, class: 'square quiet', onclick: () => (this.shown.splice(index, 1), this.draw())});
    const line = h('tr', {}, h('td', {}, from, h('span', {class: 'unit'}, '×')), h('td', {}, left, h('span', {class: 'unit'}, '×')), h('td', {}, lost, h('span', {class: 'unit'}, '%')), h('td', {class: 'reached'}, mark), h('td', {}, remove));
    const reason = result && !result.reached ? h('tr', {class: 'reason'}, h('td', {colspan: 5}, `Not reached: ${result.reason || 'no reason was given'}`)) : null;
    return reason ? [line, reason] : [line];
  }

  private allTargets(): {example: string; from: number; left: number}[] {
    const names = new Set(this.session.examples.map((example) => example.name));
    // Examples whose rows were never looked at still have the targets of the document.
    for (const example of this.session.examples) if (!this.rows.has(example.name)) this.rows.set(example.name, this.fromDocument(example));
    return [...this.rows].filter(([name]) => names.has(name)).flatMap(([example, rows]) => rows.map(({from, left}) => ({example, from, left})));
  }

  private async run(): Promise<void> {
    const targets = this.allTargets();
    if (!(await this.keep(targets))) return;
    for (const rows of this.rows.values()) for (const row of rows) row.result = undefined;
    const before = this.session.document;
    const reply = await this.session.command('design', {targets});
    if (!reply) return;
    this.documentBefore = before;
    this.job = Number(reply.job);
    this.progress.hidden = false;
    this.progress.value = 0;
    this.cancel.hidden = false;
    fill(this.state, 'Searching …');
    this.draw();
  }

  /** Targets belong to the scene: what is saved can be solved again from the command line. Kinds this table does not show stay. */
  private async keep(targets: {example: string; from: number; left: number}[]): Promise<boolean> {
    const others = this.targetsInDocument().filter((target) => target.left === undefined && target.lost_per_cycle === undefined);
    const all = [...targets, ...others] as unknown as Json;
    const changes: Change[] = get(this.session.document, '/design') === undefined ? [{at: '/design', value: {targets: all}}] : [{at: '/design/targets', value: all}];
    if (JSON.stringify(get(this.session.document, '/design/targets')) === JSON.stringify(all)) return true;
    return this.session.edit('state the targets', changes);
  }

  private told(event: ServerEvent): void {
    if (typeof event.progress === 'number') this.progress.value = event.progress;
    if (event.text) fill(this.state, event.text);
    for (const result of event.results ?? []) {
      const row = this.rows.get(result.example)?.find((r) => Math.abs(r.from - result.from) <= 1e-6 * r.from);
      if (row) row.result = result;
    }
    if (!event.done) return;
    if (this.job !== null && event.ok) this.session.remember('find the gains', this.documentBefore);
    const missed = (event.results ?? []).filter((result) => !result.reached).length;
    const all = event.results?.length ?? 0;
    const off = Math.max(0, ...(event.results ?? []).map((r) => (r.asked > 0 ? Math.abs(r.achieved - r.asked) / r.asked : 0)));
    const count = event.simulations ? `, ${event.simulations} simulations` : '';
    this.ended(all === 0 ? (event.text ?? 'Stopped.') : missed === 0 ? `All ${all} met within ${percent(off, 2)}${count}.` : `${missed} of ${all} cannot be met${count}.`);
  }

  private ended(text: string): void {
    this.job = null;
    this.progress.hidden = true;
    this.cancel.hidden = true;
    fill(this.state, text);
    this.draw();
  }
}
