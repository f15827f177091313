// The left side: bodies with material, damping and pins, the examples as thumbnails, the modes.

import {gainAt} from '../logic/curve';
import {digits} from '../logic/format';
import {get, join, type Json} from '../logic/pointer';
import {type Body, curveOf, type Example} from '../net/protocol';
import type {Selection, Session} from '../session';
import {gainRange, pathOf} from './curve_scale';
import {button, fill, h, s} from './dom';
import {modelOf} from './model_form';

export class Tree {
  readonly element = h('nav', {class: 'tree', 'aria-label': 'Scene'});
  onMakeExample: () => void = () => {};

  constructor(private readonly session: Session) {
    session.on('document', () => this.draw());
    session.on('selection', () => this.draw());
    session.on('modes', () => this.draw());
    session.on('curve', (example) => this.redrawCurve(example));
  }

  private item(text: string, detail: string, selection: Selection, extra: Node | null = null): HTMLElement {
    const now = this.session.selection;
    const current = now.kind === selection.kind && now.at === selection.at;
    return h('button', {type: 'button', class: `item ${current ? 'current' : ''}`, 'aria-current': current ? 'true' : undefined, 'data-focus': `${selection.kind} ${selection.at}`, onclick: () => this.session.select(selection)}, extra, h('span', {class: 'grow'}, text), h('span', {class: 'detail'}, detail));
  }

  draw(): void {
    const hello = this.session.hello;
    if (!hello) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.focus;
    fill(this.element, this.item(hello.title || 'Untitled scene', hello.kind === 'run' ? 'recorded run' : '', {kind: 'scene', at: ''}), ...hello.bodies.map((body) => this.body(body)), ...(hello.kind === 'run' ? [] : [this.exampleList(), this.modeItem()]));
    if (focused) (this.element.querySelector(`[data-focus="${CSS.escape(focused)}"]`) as HTMLElement | null)?.focus();
  }

  private body(body: Body): HTMLElement {
    if (this.session.hello?.kind === 'run') return h('div', {class: 'group row'}, h('span', {class: 'swatch square', style: `--c:${body.color}`}), body.name);
    const doc = (key: string) => get(this.session.document, join(body.at, key));
    const count = (value: Json | undefined) => (Array.isArray(value) ? value.length : 0);
    const dampings = doc('damping');
    const names = Array.isArray(dampings) ? dampings.map((d) => modelOf(d).name.replace(/_/g, ' ')) : [];
    const pins = count(doc('pins'));
    return h('div', {class: 'group', role: 'group', 'aria-label': `Body ${body.name}`},
      this.item(body.name, modelOf(doc('mesh')).name, {kind: 'body', at: body.at}, h('span', {class: 'swatch square', style: `--c:${body.color}`})),
      h('div', {class: 'children', hidden: !this.isOpen(body)},
        this.item('Material', modelOf(doc('material')).name.replace(/_/g, ' ') || 'none', {kind: 'material', at: join(body.at, 'material')}),
        this.item('Damping', names.join(', ') || 'none', {kind: 'damping', at: join(body.at, 'damping')}),
        this.item('Pins', pins === 0 ? 'free' : pins === 1 ? '1 place' : `${pins} places`, {kind: 'pins', at: join(body.at, 'pins')})));
  }

  /** Of many bodies only the chosen one shows what it is made of. */
  private isOpen(body: Body): boolean {
    const {at} = this.session.selection;
    return (this.session.hello?.bodies.length ?? 0) <= 2 || at === body.at || at.startsWith(`${body.at}/`);
  }

  private exampleList(): HTMLElement {
    const {examples} = this.session;
    const empty = h('p', {class: 'note'}, 'None yet. An example is a deformation that gets a damping of its own.');
    return h('div', {class: 'group examples', role: 'group', 'aria-label': 'Examples'}, h('header', {class: 'section-head'}, h('h3', {}, 'Examples'), button({icon: 'plus', label: 'Make an example', class: 'square quiet', onclick: () => this.onMakeExample()})), ...(examples.length > 0 ? examples.map((example) => this.card(example)) : [empty]));
  }

  private card(example: Example): HTMLElement {
    const selection: Selection = {kind: 'example', at: example.at};
    const current = this.session.selection.kind === 'example' && this.session.selection.at === example.at;
    const image = h('img', {src: this.session.url('api/thumbnail', {example: example.name}), alt: '', width: 52, height: 40, loading: 'lazy', onerror: () => (image.style.visibility = 'hidden')});
    const card = h('button', {type: 'button', class: `card example ${current ? 'current' : ''}`, 'aria-current': current ? 'true' : undefined, 'data-focus': `example ${example.at}`, 'data-example': example.at, onclick: () => this.session.select(selection)},
      image, h('b', {}, example.name), h('span', {class: 'detail'}, ...this.facts(example)), this.sparkline(example));
    card.setAttribute('aria-label', `Example ${example.name}, ${this.facts(example).filter((fact) => typeof fact === 'string').join(', ')}`);
    return card;
  }

  private facts(example: Example): (string | Node)[] {
    const curve = curveOf(example);
    const gain = gainAt(curve, 1);
    const amount = example.zeta !== null ? `ζ ${digits(100 * example.zeta * gain)} %` : `γ ${digits(gain)}`;
    return example.frequency ? [`${digits(example.frequency)} Hz`, h('br'), amount] : [amount];
  }

  private sparkline(example: Example): SVGSVGElement {
    const curve = curveOf(example);
    const xMax = Math.max(1.2, 1.2 * curve.knots[curve.knots.length - 1].x);
    const scale = {left: 1, right: 39, top: 2, bottom: 22, xMax, ...gainRange(curve)};
    const one = scale.bottom + (scale.low / (scale.high - scale.low)) * (scale.bottom - scale.top);
    return s('svg', {class: 'sparkline', viewBox: '0 0 40 24', width: 40, height: 24, 'aria-hidden': 'true'}, s('line', {x1: 1, x2: 39, y1: one, y2: one}), s('path', {d: pathOf(curve, scale)}));
  }

  private redrawCurve(example: Example): void {
    const card = this.element.querySelector(`[data-example="${CSS.escape(example.at)}"]`);
    card?.querySelector('.sparkline')?.replaceWith(this.sparkline(example));
    const detail = card?.querySelector('.detail');
    if (detail) fill(detail, ...this.facts(example));
  }

  private modeItem(): HTMLElement {
    const count = this.session.modes.length;
    return h('div', {class: 'group'}, this.item('Vibration modes', count > 0 ? `${count} found` : '', {kind: 'modes', at: ''}));
  }
}
