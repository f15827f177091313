// How much: one number in three views, damping ratio, amplitude lost per cycle, settle time. Changing one turns the whole curve up or down so
// that it has that ratio at the amplitude named beside it. Where the ratio of the body's own damping along the example is not known, the
// gain is all there is.

import {clampGain, type Curve, gainAt, isConstant, scaled} from '../logic/curve';
import {lostPerCycle, settleTime, zetaFromLostPerCycle, zetaFromSettleTime} from '../logic/equivalent';
import {digits, parseNumber, plain} from '../logic/format';
import type {Example} from '../net/protocol';
import {field, h} from './dom';

export class Amount {
  readonly element: HTMLElement;
  onChange: (curve: Curve, label: string, gesture: string | null) => void = () => {};
  private example: Example | null = null;
  private curve: Curve | null = null;
  private readonly zeta = this.input('Damping ratio in percent');
  private readonly lost = this.input('Amplitude lost per cycle in percent');
  private readonly settle = this.input('Settle time to 5 percent, in seconds');
  private readonly gain = this.input('Gain');
  private readonly at = this.input('Amplitude at which the amount is stated');
  private readonly slider = h('input', {type: 'range', min: -3, max: 3, step: 0.01, 'aria-label': 'Gain, logarithmic'});
  private readonly note = h('p', {class: 'note'});
  private gestures = 0;

  constructor() {
    this.zeta.addEventListener('change', () => this.fromZeta(parseNumber(this.zeta.value) / 100));
    this.lost.addEventListener('change', () => this.fromZeta(zetaFromLostPerCycle(parseNumber(this.lost.value) / 100)));
    this.settle.addEventListener('change', () => this.fromSettle(parseNumber(this.settle.value)));
    this.gain.addEventListener('change', () => this.toGain(parseNumber(this.gain.value), null));
    this.at.addEventListener('change', () => this.refresh());
    this.slider.addEventListener('pointerdown', () => ++this.gestures);
    this.slider.addEventListener('input', () => this.toGain(10 ** Number(this.slider.value), `amount-${this.gestures}`));
    this.slider.addEventListener('change', () => this.curve && this.onChange(this.curve, 'change the amount', 'end'));
    this.at.value = '1';
    this.element = h('section', {class: 'amount', 'aria-label': 'Amount of damping'},
      h('div', {class: 'fields three'}, field('Damping ratio', this.zeta, '%'), field('Lost per cycle', this.lost, '%', 'Share of the amplitude that one cycle takes'), field('Settles in', this.settle, 's', 'Time until 5 % of the amplitude remain')),
      h('div', {class: 'fields gain-row'}, field('Gain γ', this.gain, '×', '1 leaves the damping of the body, 3 triples it, 0.1 takes nine tenths away'), this.slider, field('at |χ| =', this.at, '')),
      this.note);
  }

  private input(label: string): HTMLInputElement {
    return h('input', {type: 'text', inputmode: 'decimal', class: 'number', 'aria-label': label, autocomplete: 'off'});
  }

  private get place(): number {
    const x = parseNumber(this.at.value);
    return Number.isFinite(x) && x >= 0 ? x : 1;
  }

  show(example: Example, curve: Curve): void {
    this.example = example;
    this.curve = curve;
    this.refresh();
  }

  private refresh(): void {
    const {example, curve} = this;
    if (!example || !curve) return;
    const gain = gainAt(curve, this.place);
    const zeta = example.zeta === null ? NaN : example.zeta * gain;
    const known = Number.isFinite(zeta);
    const write = (input: HTMLInputElement, value: number) => document.activeElement !== input && (input.value = plain(value, 4));
    write(this.gain, gain);
    write(this.zeta, 100 * zeta);
    write(this.lost, 100 * lostPerCycle(zeta));
    write(this.settle, example.frequency ? settleTime(zeta, example.frequency) : NaN);
    for (const input of [this.zeta, this.lost, this.settle]) input.disabled = !known;
    this.settle.disabled ||= !example.frequency;
    (this.at.closest('.field') as HTMLElement).hidden = isConstant(curve);
    this.slider.value = String(Math.log10(Math.max(gain, 1e-3)));
    this.slider.setAttribute('aria-valuetext', `gain ${digits(gain)}`);
    this.note.textContent = this.describe(known, zeta);
  }

  private describe(known: boolean, zeta: number): string {
    const example = this.example as Example;
    if (!known) return 'The damping ratio along this example is not known: only the gain can be stated.';
    if (example.zeta === 0) return 'The body has no damping along this example: a gain has nothing to multiply. Give the body a damping first.';
    const own = `Without the example: ζ = ${digits(100 * (example.zeta as number))} %`;
    return zeta >= 1 ? `${own}. At this amplitude it does not swing any more (ζ ≥ 1).` : `${own}${example.frequency ? ` at ${digits(example.frequency)} Hz` : ''}.`;
  }

  private fromZeta(zeta: number): void {
    const own = this.example?.zeta;
    if (!own || !Number.isFinite(zeta) || zeta < 0) return this.refresh();
    this.toGain(zeta / own, null);
  }

  private fromSettle(time: number): void {
    const frequency = this.example?.frequency;
    const zeta = frequency ? zetaFromSettleTime(time, frequency) : NaN;
    if (Number.isFinite(zeta)) return this.fromZeta(zeta);
    this.refresh();
    if (frequency && time > 0) this.note.textContent = `Nothing settles in ${digits(time)} s at ${digits(frequency)} Hz: critical damping takes ${digits(settleTime(1, frequency))} s.`;
  }

  private toGain(gain: number, gesture: string | null): void {
    if (!this.curve || !Number.isFinite(gain) || gain < 0) return this.refresh();
    if (isConstant(this.curve)) this.curve = {...this.curve, knots: [{x: 0, gamma: gain === 0 ? 0 : clampGain(gain)}]};
    else if (gain > 0) this.curve = scaled(this.curve, gain / gainAt(this.curve, this.place));
    this.refresh();
    this.onChange(this.curve, 'change the amount', gesture);
  }
}
