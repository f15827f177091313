// What was painted becomes a region: other values of a material or of a damping for a part of a body. Strokes are balls in the rest shape, which
// is what selections of a scene count in.

import {get, join, type Json} from '../logic/pointer';
import type {RegistryParameter} from '../net/protocol';
import type {Interaction, PaintStroke} from '../scene3d/interaction';
import type {Session} from '../session';
import {button, field, fill, h, select} from './dom';
import {modelOf} from './model_form';

/** The selection that the strokes of one body make. */
export function selectionOf(strokes: Pick<PaintStroke, 'rest' | 'radius'>[]): Json {
  const digits = (value: number) => Number(value.toPrecision(5));
  return {any: strokes.map(({rest, radius}) => ({sphere: {center: rest.map(digits), radius: digits(radius)}}))};
}

export class RegionPanel {
  readonly element = h('div', {class: 'region-panel', role: 'group', 'aria-label': 'Painted region', hidden: true});
  private place = '';
  private key = '';
  private value = '';

  constructor(
    private readonly session: Session,
    private readonly interaction: Interaction,
  ) {
    interaction.onStrokes = () => this.draw();
  }

  /** Models of the painted body that take regions, and which of their values a region can have. */
  private targets(): {at: string; text: string; fields: RegistryParameter[]}[] {
    const name = this.interaction.strokes[0]?.body;
    const body = this.session.hello?.bodies.find((b) => b.name === name);
    if (!body) return [];
    const dampings = get(this.session.document, join(body.at, 'damping'));
    const places: [string, string][] = [['material', join(body.at, 'material')], ...(Array.isArray(dampings) ? dampings.map((_, i): [string, string] => ['damping', join(body.at, 'damping', i)]) : [])];
    return places.flatMap(([category, at]) => {
      const chosen = modelOf(get(this.session.document, at));
      const model = this.session.registry?.models.find((m) => m.category === category && m.name === chosen.name);
      const regions = model?.parameters.find((p) => p.kind === 'regions');
      if (!model || !regions) return [];
      const fields = regions.fields ?? model.parameters.filter((p) => p.kind === 'real');
      return [{at: at + chosen.at, text: `${category}: ${chosen.name.replace(/_/g, ' ')}`, fields: fields.filter((f) => f.kind === 'real')}];
    });
  }

  draw(): void {
    const {strokes} = this.interaction;
    this.element.hidden = strokes.length === 0;
    if (strokes.length === 0) return;
    const targets = this.targets();
    if (targets.length === 0) return fill(this.element, h('p', {}, 'Neither the material nor a damping of this body takes regions.'), this.clearButton());
    const target = targets.find((t) => t.at === this.place) ?? targets[0];
    this.place = target.at;
    const chosen = target.fields.find((f) => f.name === this.key) ?? target.fields[0];
    this.key = chosen?.name ?? '';
    const place = select(targets.map((t): [string, string] => [t.at, t.text]), target.at, (at) => ((this.place = at), this.draw()));
    const key = select(target.fields.map((f): [string, string] => [f.name, f.name.replace(/_/g, ' ')]), this.key, (name) => ((this.key = name), this.draw()));
    const now = get(this.session.document, join(target.at, this.key));
    const value = h('input', {type: 'text', value: this.value, placeholder: now === undefined ? '' : `elsewhere ${String(now)}`, autocomplete: 'off'});
    value.addEventListener('change', () => (this.value = value.value));
    fill(this.element, h('p', {}, `${strokes.length} stroke${strokes.length > 1 ? 's' : ''} painted. Give this region another value:`), h('div', {class: 'row wrap'}, field('Of', place), field('Value', key), field('Is', value, chosen?.unit && chosen.unit !== '1' ? chosen.unit : '')),
      h('div', {class: 'row end'}, this.clearButton(), button({text: 'Make region', label: 'Make the painted patch a region', class: 'primary', onclick: () => void this.make(target.at, value.value)})));
  }

  private clearButton(): HTMLElement {
    return button({text: 'Clear', label: 'Clear the strokes', onclick: () => this.interaction.clearStrokes()});
  }

  private async make(at: string, text: string): Promise<void> {
    if (text.trim() === '') return this.session.complain(new Error(`A value of ${this.key} for the region is missing, for example "2 MPa".`));
    const number = Number(text);
    const region: Json = {where: selectionOf(this.interaction.strokes), [this.key]: Number.isNaN(number) ? text.trim() : number};
    const regions = get(this.session.document, join(at, 'regions'));
    const named: Json[] = regions !== null && typeof regions === 'object' && !Array.isArray(regions) ? Object.entries(regions).map(([name, values]) => ({where: {region: name}, ...(values as object)})) : [];
    const change = Array.isArray(regions) ? {at: join(at, 'regions', '-'), value: region} : {at: join(at, 'regions'), value: [...named, region]};
    if (await this.session.edit('paint a region', [change])) this.interaction.clearStrokes();
  }
}
