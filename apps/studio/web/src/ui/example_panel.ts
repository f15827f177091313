// The inspector of an example: how much (amount), how it depends on amplitude (curve), what is to be reached (targets).

import {type Curve, type Interpolation, isConstant, presetCurve, withInterpolation} from '../logic/curve';
import {digits, parseNumber, plain, quantity} from '../logic/format';
import {get, join} from '../logic/pointer';
import {curveOf, type Example, type Status} from '../net/protocol';
import type {Session} from '../session';
import {Amount} from './amount';
import {CurveEditor} from './curve_editor';
import {button, fill, h, select} from './dom';
import {TargetsTable} from './targets_table';

interface Wanted {
  curve: Curve;
  label: string;
  gesture: string | null;
}

export class ExamplePanel {
  readonly element: HTMLElement;
  readonly editor = new CurveEditor();
  readonly amount = new Amount();
  readonly targets: TargetsTable;
  private at = '';
  private wanted: Wanted | null = null;
  private sending = false;
  private readonly head = h('header', {class: 'example-head'});
  private readonly x = h('input', {type: 'text', inputmode: 'decimal', class: 'number', 'aria-label': 'Size of the chosen point', autocomplete: 'off'});
  private readonly gamma = h('input', {type: 'text', inputmode: 'decimal', class: 'number', 'aria-label': 'Gain of the chosen point', autocomplete: 'off'});
  private readonly zeta = h('span', {class: 'unit'});
  private readonly interpolation: HTMLSelectElement;
  private readonly tools = h('div', {class: 'row wrap'});
  private readonly liveText = h('span', {class: 'note live-text', 'aria-live': 'off'});

  constructor(private readonly session: Session) {
    this.targets = new TargetsTable(session);
    this.interpolation = select([['monotone', 'Smooth'], ['linear', 'Straight'], ['bezier', 'Bézier']], 'monotone', (value) => this.change(withInterpolation(this.editor.curve, value as Interpolation), 'change the interpolation'), 'Interpolation between points');
    this.x.addEventListener('change', () => this.putPoint());
    this.gamma.addEventListener('change', () => this.putPoint());
    this.editor.onChange = (curve, label, gesture) => this.take(curve, label, gesture);
    this.editor.onSelect = () => this.drawPoint();
    this.amount.onChange = (curve, label, gesture) => this.take(curve, label, gesture);
    const point = h('div', {class: 'row point'}, h('span', {class: 'label'}, 'Point'), this.x, h('span', {class: 'unit x-unit'}, '×'), h('span', {class: 'label'}, 'γ'), this.gamma, this.zeta,
      button({icon: 'plus', label: 'Add a point after the chosen one', key: 'Insert', onclick: () => this.editor.add()}),
      button({icon: 'bin', label: 'Remove the chosen point', key: 'Delete', onclick: () => this.editor.remove()}));
    this.element = h('div', {class: 'example-panel'}, this.head, this.amount.element,
      h('section', {class: 'curve-section', 'aria-label': 'Gain over amplitude'}, h('header', {class: 'section-head'}, h('h3', {}, 'Gain over amplitude'), this.liveText), this.editor.svg, point, this.tools),
      this.targets.element);
    session.on('status', (status) => this.live(status));
    session.on('curve', (example) => example.at === this.at && !this.editor.isDragging && this.refresh(false));
  }

  /** No change of the curve is on its way to the server. */
  get isQuiet(): boolean {
    return !this.sending && this.wanted === null;
  }

  get example(): Example | undefined {
    return this.session.exampleAt(this.at);
  }

  show(example: Example): void {
    const isOther = example.at !== this.at;
    this.at = example.at;
    this.targets.show(example);
    this.drawHead(example);
    this.drawTools(example);
    if (!this.editor.isDragging && !this.wanted && !this.sending) this.refresh(isOther);
  }

  private refresh(isOther: boolean): void {
    const example = this.example;
    if (!example) return;
    const curve = curveOf(example);
    this.editor.show(curve, {xLabel: this.axisLabel(example), zeta: example.zeta, maximumX: 1.2 * Math.max(0, ...this.targetSizes(example))}, isOther);
    this.amount.show(example, curve);
    this.interpolation.value = curve.interpolation;
    this.interpolation.disabled = isConstant(curve);
    this.drawPoint();
  }

  private targetSizes(example: Example): number[] {
    const targets = get(this.session.document, '/design/targets');
    if (!Array.isArray(targets) || example.measure === 'velocity') return [];
    return (targets as unknown as {example: string; from?: number}[]).filter((t) => t.example === example.name).map((t) => t.from ?? 1);
  }

  private axisLabel(example: Example): string {
    if (example.measure === 'velocity') return 'speed |χ̇| [examples per second]';
    return `deformation |χ| [1 = the example = ${quantity(example.size, 'm')}]`;
  }

  private drawHead(example: Example): void {
    const image = h('img', {src: this.session.url('api/thumbnail', {example: example.name}), alt: '', width: 56, height: 42, loading: 'lazy', onerror: () => (image.hidden = true)});
    const name = h('input', {type: 'text', value: example.name, class: 'name', 'aria-label': 'Name of the example', autocomplete: 'off', spellcheck: 'false'});
    name.addEventListener('change', () => {
      if (name.value.trim() !== '' && name.value !== example.name) void this.session.edit('rename the example', [{at: join(example.at, 'name'), value: name.value.trim()}]);
      else name.value = example.name;
    });
    const facts = [example.frequency ? `${digits(example.frequency)} Hz` : null, `up to ${quantity(example.size, 'm')}`, (this.session.hello?.bodies.length ?? 0) > 1 ? example.body : null].filter(Boolean).join(' · ');
    const list = example.at.slice(0, example.at.lastIndexOf('/'));
    const remove = button({icon: 'bin', label: `Remove example ${example.name}`, class: 'square quiet', onclick: () => void this.session.edit('remove the example', [{at: example.at, remove: true}])});
    const only = Array.isArray(get(this.session.document, list)) && (get(this.session.document, list) as unknown[]).length === 1;
    remove.disabled = only;
    if (only) remove.title = 'The last example stays: remove the damping instead';
    fill(this.head, image, h('div', {class: 'grow'}, name, h('div', {class: 'note'}, facts)), button({text: 'Show', label: 'Show the example swinging in a viewport', onclick: () => this.showSwinging(example)}), remove);
  }

  private showSwinging(example: Example): void {
    const views = this.session.hello?.views ?? [];
    const rest = views.filter((view) => view.kind !== 'example' && view.kind !== 'mode').slice(0, 3);
    void this.session.setViews([...rest, {kind: 'example', name: example.name}]);
  }

  private drawTools(example: Example): void {
    const presets = this.session.hello?.presets ?? [];
    const choose = select([['', 'Preset …'], ['constant', 'constant'], ...presets.map((p): [string, string] => [p.name, p.name.replace(/_/g, ' ')])], '', (name) => {
      choose.value = '';
      this.preset(name);
    }, 'Preset of the gain curve');
    for (const option of choose.options) option.title = presets.find((p) => p.name === option.value)?.help ?? '';
    const others = this.session.examples.filter((other) => other.at !== example.at);
    const copy = select([['', 'Copy from …'], ...others.map((other): [string, string] => [other.at, other.name])], '', (at) => {
      copy.value = '';
      const other = this.session.exampleAt(at);
      if (other) this.change(curveOf(other), `copy the curve of ${other.name}`);
    }, 'Copy the curve of another example');
    copy.disabled = others.length === 0;
    const damping = example.at.split('/').slice(0, -2).join('/');
    const measure = select([['displacement', 'over deformation'], ['velocity', 'over speed']], String(get(this.session.document, join(damping, 'depends_on')) ?? 'displacement'), (value) => void this.session.edit('change what curves depend on', [{at: join(damping, 'depends_on'), value}]), 'What the curves of this damping depend on');
    fill(this.tools, this.interpolation, choose, copy, measure);
  }

  private preset(name: string): void {
    const before = this.editor.curve;
    const strength = Math.max(...before.knots.map((k) => k.gamma), 1 / Math.max(1e-3, Math.min(...before.knots.map((k) => k.gamma))));
    const strong = strength > 1.05 ? strength : 10;
    if (name === 'constant') return this.change({interpolation: 'monotone', knots: [{x: 0, gamma: before.knots[before.knots.length - 1].gamma}]}, 'make the gain constant');
    const preset = this.session.hello?.presets.find((p) => p.name === name);
    if (preset) this.change(presetCurve(preset, 1, Math.min(1000, strong)), `preset ${name.replace(/_/g, ' ')}`);
  }

  /** A change made at once, not by dragging. */
  private change(curve: Curve, label: string): void {
    this.editor.remember(this.editor.curve);
    this.take(curve, label, null);
    this.editor.show(curve, this.info(), false);
    this.interpolation.value = curve.interpolation;
  }

  private info(): {xLabel: string; zeta: number | null; maximumX: number} {
    const example = this.example as Example;
    return {xLabel: this.axisLabel(example), zeta: example.zeta, maximumX: 1.2 * Math.max(0, ...this.targetSizes(example))};
  }

  private putPoint(): void {
    const knot = this.editor.curve.knots[this.editor.selected];
    const [x, gamma] = [parseNumber(this.x.value), parseNumber(this.gamma.value)];
    this.editor.put(Number.isFinite(x) ? x : knot.x, Number.isFinite(gamma) ? gamma : knot.gamma);
    this.drawPoint();
  }

  private drawPoint(): void {
    const {curve, selected} = this.editor;
    const knot = curve.knots[selected];
    if (!knot) return;
    if (document.activeElement !== this.x) this.x.value = isConstant(curve) ? '' : plain(knot.x, 5);
    if (document.activeElement !== this.gamma) this.gamma.value = plain(knot.gamma, 4);
    this.x.disabled = isConstant(curve);
    this.x.placeholder = 'any';
    (this.element.querySelector('.x-unit') as HTMLElement).textContent = this.example?.measure === 'velocity' ? '/s' : '×';
    const own = this.example?.zeta;
    this.zeta.textContent = own ? `ζ ${digits(100 * own * knot.gamma)} %` : '';
  }

  /** Curves go to the server one after the other, the newest counts. */
  private take(curve: Curve, label: string, gesture: string | null): void {
    const example = this.example;
    if (!example) return;
    if (gesture === 'end') {
      this.session.history.seal();
      return;
    }
    this.amount.show(example, curve);
    if (!this.editor.isDragging && this.editor.curve !== curve) this.editor.show(curve, this.info(), false);
    this.drawPoint();
    this.wanted = {curve, label, gesture};
    void this.send();
  }

  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    while (this.wanted) {
      const {curve, label, gesture} = this.wanted;
      this.wanted = null;
      const example = this.example;
      if (example && !(await this.session.setCurve(example, curve, label, gesture))) this.refresh(false);
    }
    this.sending = false;
    this.interpolation.disabled = isConstant(this.editor.curve);
  }

  private live(status: Status): void {
    const example = this.example;
    const now = status.examples.find((e) => e.name === example?.name);
    if (!example || !now || !this.element.isConnected) return;
    const x = Math.abs(example.measure === 'velocity' ? now.speed : now.amplitude);
    this.editor.visit(x);
    this.liveText.textContent = `|χ| ${digits(Math.abs(now.amplitude), 2)}, γ ${digits(now.gain, 3)}`;
  }
}
