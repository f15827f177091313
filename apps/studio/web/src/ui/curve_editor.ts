// The editor of a gain curve: log10 gain against the size of the deformation (or its speed). A click adds a point, a drag moves it, arrow
// keys nudge it (Shift: ten times), Delete takes it away, Tab goes to the next. A second axis reads the same as damping ratio. The curve
// before the last change stays as a ghost, a dot rides where the body is now, bars show where it has been.

import {type Curve, gainAt, insertKnot, isConstant, isHandle, moveKnot, removeKnot} from '../logic/curve';
import {digits, superscript} from '../logic/format';
import {amplitudeRange, fromX, fromY, gainRange, pathOf, type Scale, ticks, toX, toY} from './curve_scale';
import {fill, s} from './dom';

export interface CurveInfo {
  xLabel: string; // with unit
  zeta: number | null; // damping ratio at gain 1
  maximumX: number; // at least shown
}
export type Change = (curve: Curve, label: string, gesture: string | null) => void;

const bins = 48;

export class CurveEditor {
  readonly svg = s('svg', {class: 'curve', role: 'group', 'aria-label': 'Gain curve: click to add a point, arrow keys to move the chosen one'});
  selected = 0;
  limited = '';
  onChange: Change = () => {};
  onSelect: () => void = () => {};
  curve: Curve = {interpolation: 'monotone', knots: [{x: 0, gamma: 1}]};
  private info: CurveInfo = {xLabel: '', zeta: null, maximumX: 1};
  private ghost: Curve | null = null;
  private live: number | null = null;
  private largestSeen = 0;
  private histogram = new Float64Array(bins);
  private histogramMax = 1;
  private scale: Scale = {left: 44, right: 280, top: 10, bottom: 160, xMax: 1, low: -1, high: 1};
  private frozen: {xMax: number; low: number; high: number} | null = null; // axes stand still while something is dragged
  private dragged: {index: number; gesture: string} | null = null;
  private gestures = 0;
  private readonly grid = s('g', {class: 'grid', 'aria-hidden': 'true'});
  private readonly bars = s('g', {class: 'bars', 'aria-hidden': 'true'});
  private readonly ghostPath = s('path', {class: 'ghost'});
  private readonly path = s('path', {class: 'line'});
  private readonly arms = s('g', {class: 'arms', 'aria-hidden': 'true'});
  private readonly dot = s('circle', {class: 'live', r: 5, visibility: 'hidden'});
  private readonly knots = s('g', {});
  private readonly hint = s('text', {class: 'limited', role: 'status'});

  constructor() {
    this.svg.append(this.grid, this.bars, this.ghostPath, this.path, this.arms, this.dot, this.knots, this.hint);
    this.svg.addEventListener('pointerdown', (event) => this.press(event));
    this.svg.addEventListener('pointermove', (event) => this.drag(event));
    for (const end of ['pointerup', 'pointercancel'] as const) this.svg.addEventListener(end, () => this.drop());
    new ResizeObserver(() => this.layout()).observe(this.svg);
  }

  get isDragging(): boolean {
    return this.dragged !== null;
  }

  /** Another curve to edit (of another example), or the same one after a change from outside. */
  show(curve: Curve, info: CurveInfo, isOther: boolean): void {
    if (isOther) {
      this.ghost = null;
      this.selected = Math.min(this.selected, curve.knots.length - 1);
      this.histogram.fill(0);
      this.largestSeen = 0;
      this.live = null;
    }
    this.info = info;
    this.limited = '';
    this.curve = curve;
    this.selected = Math.max(0, Math.min(this.selected, curve.knots.length - 1));
    this.layout();
  }

  remember(curve: Curve): void {
    this.ghost = curve;
    this.layout();
  }

  /** Where the body is on the axis now. */
  visit(x: number): void {
    this.live = x;
    const bin = Math.floor((x / this.scale.xMax) * bins);
    for (let i = 0; i < bins; ++i) this.histogram[i] *= 0.995;
    if (bin >= 0 && bin < bins) this.histogram[bin] += 1;
    this.histogramMax = Math.max(1e-9, ...this.histogram);
    if (x > this.largestSeen * 1.02 && x > this.scale.xMax) {
      this.largestSeen = x;
      this.layout();
    }
    this.drawLive();
  }

  layout(): void {
    const width = this.svg.clientWidth || 300;
    const height = this.svg.clientHeight || 190;
    const range = this.frozen ?? {...gainRange(this.curve), xMax: amplitudeRange(this.curve, Math.max(this.largestSeen, this.info.maximumX))};
    if (range.xMax !== this.scale.xMax) this.histogram.fill(0);
    this.scale = {left: 40, right: width - (this.info.zeta === null ? 10 : 50), top: 24, bottom: height - 32, ...range};
    this.drawGrid(width, height);
    this.drawCurve();
    this.drawLive();
  }

  private drawGrid(width: number, height: number): void {
    const {scale, info} = this;
    const parts: SVGElement[] = [];
    for (let e = Math.ceil(scale.low); e <= scale.high; ++e) {
      const y = toY(scale, 10 ** e);
      parts.push(s('line', {x1: scale.left, x2: scale.right, y1: y, y2: y, class: e === 0 ? 'one' : ''}));
      parts.push(s('text', {x: scale.left - 5, y: y + 3.5, 'text-anchor': 'end'}, Math.abs(e) <= 1 ? digits(10 ** e) : `10${superscript(e)}`));
      if (info.zeta !== null && info.zeta > 0) parts.push(s('text', {x: scale.right + 5, y: y + 3.5}, shortPercent(info.zeta * 10 ** e)));
    }
    for (const x of ticks(scale.xMax, 5)) {
      parts.push(s('line', {x1: toX(scale, x), x2: toX(scale, x), y1: scale.top, y2: scale.bottom}));
      parts.push(s('text', {x: toX(scale, x), y: scale.bottom + 13, 'text-anchor': 'middle'}, digits(x)));
    }
    parts.push(s('text', {x: (scale.left + scale.right) / 2, y: height - 4, 'text-anchor': 'middle', class: 'axis'}, info.xLabel));
    parts.push(s('text', {x: 3, y: 12, class: 'axis'}, 'gain γ'));
    if (info.zeta !== null && info.zeta > 0) parts.push(s('text', {x: width - 3, y: 12, 'text-anchor': 'end', class: 'axis'}, 'ratio ζ'));
    fill(this.grid, ...parts);
  }

  private drawCurve(): void {
    const {scale, curve} = this;
    this.path.setAttribute('d', pathOf(curve, scale));
    this.ghostPath.setAttribute('d', this.ghost ? pathOf(this.ghost, scale) : '');
    const arms: SVGElement[] = [];
    const place = (i: number) => ({x: toX(scale, curve.knots[i].x), y: toY(scale, curve.knots[i].gamma)});
    curve.knots.forEach((_, i) => {
      if (!isHandle(curve, i)) return;
      const [a, b] = [place(i), place(i % 3 === 1 ? i - 1 : i + 1)];
      arms.push(s('line', {x1: a.x, y1: a.y, x2: b.x, y2: b.y}));
    });
    fill(this.arms, ...arms);
    while (this.knots.children.length > curve.knots.length) this.knots.lastElementChild?.remove();
    while (this.knots.children.length < curve.knots.length) this.knots.append(this.makeKnot(this.knots.children.length));
    [...this.knots.children].forEach((circle, i) => this.placeKnot(circle as SVGCircleElement, i));
    const [limitX, limitY] = [(scale.left + scale.right) / 2, scale.top + 2];
    this.hint.textContent = this.limited;
    this.hint.setAttribute('x', String(limitX));
    this.hint.setAttribute('y', String(limitY + 10));
  }

  private makeKnot(index: number): SVGCircleElement {
    const circle = s('circle', {role: 'slider', tabindex: 0, 'aria-orientation': 'vertical'});
    circle.addEventListener('focus', () => this.choose(index));
    circle.addEventListener('keydown', (event) => this.key(event, index));
    return circle;
  }

  private placeKnot(circle: SVGCircleElement, index: number): void {
    const {x, gamma} = this.curve.knots[index];
    const constant = isConstant(this.curve);
    circle.setAttribute('cx', String(constant ? (this.scale.left + this.scale.right) / 2 : toX(this.scale, x)));
    circle.setAttribute('cy', String(toY(this.scale, gamma)));
    circle.setAttribute('r', isHandle(this.curve, index) ? '4' : '6');
    circle.setAttribute('class', `knot ${isHandle(this.curve, index) ? 'handle' : ''} ${index === this.selected ? 'selected' : ''}`);
    const name = constant ? 'Constant gain' : `${isHandle(this.curve, index) ? 'Handle' : 'Point'} ${index + 1} of ${this.curve.knots.length}`;
    circle.setAttribute('aria-label', name);
    circle.setAttribute('aria-valuenow', String(gamma));
    circle.setAttribute('aria-valuemin', '0.001');
    circle.setAttribute('aria-valuemax', '1000');
    circle.setAttribute('aria-valuetext', constant ? `gain ${digits(gamma)}` : `gain ${digits(gamma)} at ${digits(x)}`);
  }

  private drawLive(): void {
    const {scale} = this;
    const bars: SVGElement[] = [];
    const width = (scale.right - scale.left) / bins;
    this.histogram.forEach((value, i) => {
      const height = (value / this.histogramMax) * 22;
      if (height > 0.5) bars.push(s('rect', {x: scale.left + i * width, y: scale.bottom - height, width: Math.max(1, width - 1), height}));
    });
    fill(this.bars, ...bars);
    const shown = this.live !== null && this.live <= scale.xMax;
    this.dot.setAttribute('visibility', shown ? 'visible' : 'hidden');
    if (!shown) return;
    this.dot.setAttribute('cx', String(toX(scale, this.live as number)));
    this.dot.setAttribute('cy', String(toY(scale, gainAt(this.curve, this.live as number))));
  }

  choose(index: number): void {
    if (this.selected === index) return;
    this.selected = index;
    this.drawCurve();
    this.onSelect();
  }

  private local(event: PointerEvent): [number, number] {
    const box = this.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const [px, py] = this.local(event);
    const index = this.nearest(px, py);
    event.preventDefault();
    if (index < 0 && !this.inside(px, py)) return;
    this.frozen = {xMax: this.scale.xMax, low: this.scale.low, high: this.scale.high};
    const gesture = `curve-${++this.gestures}`;
    const before = this.curve;
    let at = index;
    if (index < 0) {
      const added = insertKnot(this.curve, fromX(this.scale, px), fromY(this.scale, py), this.scale.xMax * 0.01);
      if (added.index < 0) return;
      at = added.index;
      this.curve = added.curve;
      this.changed('add a point', gesture);
    }
    this.ghost = before;
    this.dragged = {index: at, gesture};
    this.selected = at;
    this.svg.setPointerCapture(event.pointerId);
    this.drawCurve();
    this.onSelect();
    (this.knots.children[at] as SVGCircleElement | undefined)?.focus({preventScroll: true});
  }

  private inside(px: number, py: number): boolean {
    return px >= this.scale.left && px <= this.scale.right && py >= this.scale.top - 6 && py <= this.scale.bottom + 6;
  }

  private nearest(px: number, py: number): number {
    let best = -1;
    let least = 12;
    [...this.knots.children].forEach((circle, i) => {
      const distance = Math.hypot(Number(circle.getAttribute('cx')) - px, Number(circle.getAttribute('cy')) - py);
      if (distance < least) [best, least] = [i, distance];
    });
    return best;
  }

  private drag(event: PointerEvent): void {
    if (!this.dragged) return;
    const [px, py] = this.local(event);
    this.moveTo(this.dragged.index, fromX(this.scale, px), fromY(this.scale, py), this.dragged.gesture);
  }

  private moveTo(index: number, x: number, gamma: number, gesture: string | null): void {
    const moved = moveKnot(this.curve, index, x, gamma, this.scale.xMax * 0.005);
    this.curve = moved.curve;
    this.limited = moved.limited;
    this.changed('move a point', gesture);
  }

  private drop(): void {
    if (!this.dragged) return;
    this.dragged = null;
    this.frozen = null;
    this.limited = '';
    this.layout();
    this.onChange(this.curve, 'move a point', 'end');
  }

  private changed(label: string, gesture: string | null): void {
    this.drawCurve();
    this.drawLive();
    this.onChange(this.curve, label, gesture);
    this.onSelect();
  }

  private key(event: KeyboardEvent, index: number): void {
    const far = event.shiftKey ? 10 : 1;
    const {x, gamma} = this.curve.knots[index];
    const dx = (far * this.scale.xMax) / 200;
    const factor = 10 ** (far * 0.01);
    const to: Record<string, [number, number]> = {ArrowLeft: [x - dx, gamma], ArrowRight: [x + dx, gamma], ArrowUp: [x, gamma * factor], ArrowDown: [x, gamma / factor]};
    if (to[event.key]) this.moveTo(index, ...to[event.key], `key-${index}-${event.key}`);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.remove();
    else if (event.key === 'Insert' || event.key === 'Enter') this.add();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A new point half way to the next one. */
  add(): void {
    const {knots} = this.curve;
    const at = Math.min(this.selected, knots.length - 1);
    const x = isConstant(this.curve) ? 1 : at + 1 < knots.length ? (knots[at].x + knots[at + 1].x) / 2 : knots[at].x * 1.25 + (knots[at].x === 0 ? 1 : 0);
    const before = this.curve;
    const added = insertKnot(this.curve, x);
    if (added.index < 0) return;
    this.ghost = before;
    this.curve = added.curve;
    this.selected = added.index;
    this.layout();
    this.changed('add a point', null);
    (this.knots.children[this.selected] as SVGCircleElement | undefined)?.focus();
  }

  remove(): void {
    const curve = removeKnot(this.curve, this.selected);
    if (curve === this.curve) return;
    this.ghost = this.curve;
    this.curve = curve;
    this.selected = Math.max(0, Math.min(this.selected, curve.knots.length - 1));
    this.layout();
    this.changed('remove a point', null);
    (this.knots.children[this.selected] as SVGCircleElement | undefined)?.focus();
  }

  /** Puts the chosen point where the fields say. */
  put(x: number, gamma: number): void {
    this.ghost = this.curve;
    this.moveTo(this.selected, x, gamma, null);
    this.layout();
  }

  /** Page coordinates of a point, for tests. */
  pageOf(index: number): [number, number] {
    const box = this.svg.getBoundingClientRect();
    const circle = this.knots.children[index];
    return [box.left + Number(circle.getAttribute('cx')), box.top + Number(circle.getAttribute('cy'))];
  }
}

function shortPercent(share: number): string {
  const value = share * 100;
  return `${digits(value, 2)} %`;
}
