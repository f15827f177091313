// Vibration modes: frequency, the damping ratio of the model and of the integrator, the Rayleigh damping that would be its equivalent. A mode
// can be shown swinging and made an example.

import {lostPerCycle, rayleighOfOne, settleTime, zetaFromLostPerCycle, zetaFromSettleTime} from '../logic/equivalent';
import {digits, parseNumber, percent, plain, quantity} from '../logic/format';
import type {ModeInfo} from '../net/protocol';
import type {Session} from '../session';
import {button, field, fill, h, select} from './dom';

export class ModesPanel {
  readonly element = h('div', {class: 'modes-panel'});
  onMakeExample: (mode: number) => void = () => {};
  private chosen = 1;
  private readonly body = h('tbody');
  private readonly slider = h('input', {type: 'range', min: 1, max: 1, step: 1, value: 1, 'aria-label': 'Mode shown'});
  private readonly shown = h('output', {class: 'note'});
  private readonly converter = h('div', {});

  constructor(private readonly session: Session) {
    const count = h('input', {type: 'number', min: 1, max: 60, value: 8, class: 'number'});
    const find = button({text: 'Find', label: 'Find the slowest vibration modes', class: 'primary', onclick: () => void this.find(find, Number(count.value))});
    this.slider.addEventListener('input', () => this.choose(Number(this.slider.value)));
    this.slider.addEventListener('change', () => this.show());
    const head = h('thead', {}, h('tr', {}, ...['', 'f', 'ζ model', 'ζ integrator', 'lost / cycle'].map((t) => h('th', {scope: 'col'}, t))));
    fill(this.element, h('div', {class: 'row'}, field('Number of modes', count), find), h('table', {class: 'modes'}, head, this.body),
      h('div', {class: 'row'}, this.slider, this.shown), h('div', {class: 'row'}, button({text: 'Show', label: 'Show the mode swinging in a viewport', onclick: () => this.show()}), button({text: 'Make example', label: 'Make an example of this mode', onclick: () => this.onMakeExample(this.chosen)})),
      h('section', {'aria-label': 'Rayleigh equivalent'}, h('header', {class: 'section-head'}, h('h3', {}, 'Rayleigh equivalent')), this.converter));
    session.on('modes', () => this.draw());
    this.draw();
  }

  private async find(control: HTMLButtonElement, count: number): Promise<void> {
    control.disabled = true;
    control.textContent = 'Finding …';
    await this.session.findModes(Math.max(1, Math.min(60, count || 8)));
    control.disabled = false;
    control.textContent = 'Find';
  }

  private get mode(): ModeInfo | undefined {
    return this.session.modes[this.chosen - 1];
  }

  private choose(mode: number): void {
    this.chosen = mode;
    this.draw();
  }

  show(): void {
    const views = (this.session.hello?.views ?? []).filter((view) => view.kind !== 'mode' && view.kind !== 'example').slice(0, 3);
    void this.session.setViews([...views, {kind: 'mode', index: this.chosen}]);
  }

  draw(): void {
    const {modes} = this.session;
    this.chosen = Math.max(1, Math.min(this.chosen, Math.max(1, modes.length)));
    this.slider.max = String(Math.max(1, modes.length));
    this.slider.value = String(this.chosen);
    this.slider.disabled = modes.length === 0;
    fill(this.shown, this.mode ? `mode ${this.chosen}: ${digits(this.mode.frequency)} Hz` : 'none found yet');
    fill(this.body, ...modes.map((mode, i) => {
      const row = h('tr', {class: i + 1 === this.chosen ? 'current' : ''}, h('td', {}, h('button', {type: 'button', class: 'small', 'aria-pressed': String(i + 1 === this.chosen), 'aria-label': `Choose mode ${i + 1}`, onclick: () => (this.choose(i + 1), this.show())}, String(i + 1))), ...[`${digits(mode.frequency)} Hz`, percent(mode.zeta), percent(mode.zeta_integrator, 2), percent(lostPerCycle(mode.zeta))].map((t) => h('td', {}, t)));
      return row;
    }));
    this.drawConverter();
  }

  /** One amount in every measure, for the chosen mode or a frequency; what it is as Rayleigh damping. */
  private drawConverter(): void {
    const mode = this.mode;
    const frequency = h('input', {type: 'text', class: 'number', value: plain(mode?.frequency ?? 1, 5), inputmode: 'decimal'});
    const zeta = h('input', {type: 'text', class: 'number', value: plain(100 * (mode?.zeta ?? 0.02), 4), inputmode: 'decimal'});
    const lost = h('input', {type: 'text', class: 'number', inputmode: 'decimal'});
    const settle = h('input', {type: 'text', class: 'number', inputmode: 'decimal'});
    const result = h('p', {class: 'note'});
    let value = parseNumber(zeta.value) / 100;
    const f = () => parseNumber(frequency.value);
    const write = () => {
      zeta.value = plain(100 * value, 4);
      lost.value = plain(100 * lostPerCycle(value), 4);
      settle.value = plain(settleTime(value, f()), 4);
      const {alpha, beta} = rayleighOfOne(value, f());
      const fitted = mode ? ` The damping of this mode as the program fits it: α = ${digits(mode.alpha)} /s, β = ${quantity(mode.beta, 's')}.` : '';
      fill(result, `β alone: ${quantity(beta, 's')}; α alone: ${digits(alpha)} /s.${fitted}`);
    };
    const take = (input: HTMLInputElement, convert: (v: number) => number) => input.addEventListener('change', () => {
      const next = convert(parseNumber(input.value));
      if (Number.isFinite(next) && next >= 0) value = next;
      write();
    });
    take(zeta, (v) => v / 100);
    take(lost, (v) => zetaFromLostPerCycle(v / 100));
    take(settle, (v) => zetaFromSettleTime(v, f()));
    frequency.addEventListener('change', write);
    const body = this.session.hello?.bodies[0];
    const put = select([['', 'Use as damping of …'], ...(this.session.hello?.bodies ?? []).map((b): [string, string] => [b.at, b.name])], '', (at) => {
      put.value = '';
      if (at) void this.session.edit('Rayleigh equivalent', [{at: `${at}/damping`, value: [{model: 'rayleigh', beta: rayleighOfOne(value, f()).beta}]}]);
    }, 'Replace the damping of a body by this Rayleigh damping');
    put.disabled = !body;
    fill(this.converter, h('div', {class: 'fields two'}, field('Frequency', frequency, 'Hz'), field('Damping ratio', zeta, '%'), field('Lost per cycle', lost, '%'), field('Settles in', settle, 's')), result, put);
    write();
  }
}
