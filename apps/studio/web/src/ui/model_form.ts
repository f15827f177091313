// Forms made from the registry: every model with its parameters, units, ranges and meanings. A number that is a parameter of the running
// scene is turned live (`set`); everything else changes the document and is compiled again (`edit`). Quantities may be written with a unit
// ("12 kPa"), as in a scene file.

import {digits, parseNumber, plain} from '../logic/format';
import {get, join, type Json} from '../logic/pointer';
import {beginning, written} from '../logic/typical';
import type {Parameter, RegistryModel, RegistryParameter} from '../net/protocol';
import type {Session} from '../session';
import {button, field, fill, h, select, uniqueId} from './dom';
import {dialog} from './popover';

type Doc = {[key: string]: Json};

function isObject(value: Json | undefined): value is Doc {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** How a scene names one of several models: by field, by key, or by its name alone. */
export function modelOf(value: Json | undefined, tag = 'model'): {name: string; at: string; value: Json | undefined; form: 'tag' | 'key' | 'name' | 'none'} {
  if (typeof value === 'string') return {name: value, at: '', value: {}, form: 'name'};
  if (isObject(value) && typeof value[tag] === 'string') return {name: value[tag], at: '', value, form: 'tag'};
  if (isObject(value)) {
    const [key] = Object.keys(value);
    if (key !== undefined) return {name: key, at: join('', key), value: value[key], form: 'key'};
  }
  return {name: '', at: '', value: undefined, form: 'none'};
}

export class ModelForm {
  constructor(private readonly session: Session) {}

  models(category: string): RegistryModel[] {
    return (this.session.registry?.models ?? []).filter((model) => model.category === category);
  }

  find(category: string, name: string): RegistryModel | undefined {
    return this.models(category).find((model) => model.name === name);
  }

  /** The form of the model that stands at a place of the document. `skip`: keys that other parts of the page edit. */
  build(category: string, at: string, skip: string[] = []): HTMLElement {
    if (!this.session.registry) return h('p', {class: 'note'}, 'The list of models is not here yet.');
    const chosen = modelOf(get(this.session.document, at), category === 'start' || category === 'load' ? 'from' : 'model');
    const model = this.find(category, chosen.name);
    if (!model) return h('p', {class: 'note'}, chosen.name ? `"${chosen.name}" is not among the models of this program.` : 'Nothing is set here.');
    // {"shape": "koala", "tets": 3000}: the value of the key is the first parameter, the others stand beside it.
    const isShort = chosen.form === 'key' && !isObject(chosen.value);
    const first = model.parameters.find((p) => p.required) ?? model.parameters[0];
    const place = (p: RegistryParameter) => (!isShort ? join(at + chosen.at, p.name) : p === first ? at + chosen.at : join(at, p.name));
    return h('div', {class: 'model-form'}, h('p', {class: 'note'}, model.meaning, model.reference ? ` [${model.reference}]` : ''), this.fields(model.parameters, place, skip));
  }

  /** Rows of the parameters that are set or required; the others fold away. */
  private fields(parameters: RegistryParameter[], place: (parameter: RegistryParameter) => string, skip: string[] = []): HTMLElement {
    const shown = parameters.filter((p) => !skip.includes(p.name));
    const isSet = (p: RegistryParameter) => p.required || get(this.session.document, place(p)) !== undefined;
    const rest = shown.filter((p) => !isSet(p));
    const details = rest.length > 0 ? h('details', {}, h('summary', {}, `${rest.length} more, at their defaults`), ...rest.map((p) => this.row(p, place(p)))) : null;
    return h('div', {class: 'fields form'}, ...shown.filter(isSet).map((p) => this.row(p, place(p))), details);
  }

  private row(parameter: RegistryParameter, at: string): HTMLElement {
    const value = get(this.session.document, at);
    const live = this.session.parameters.get(at);
    const id = uniqueId('parameter');
    const label = h('label', {htmlFor: id, title: this.help(parameter)}, parameter.name.replace(/_/g, ' '), parameter.symbol ? h('i', {}, ` ${parameter.symbol}`) : null);
    if (parameter.kind === 'object' && parameter.fields && parameter.fields.length > 0 && isObject(value)) {
      return h('fieldset', {}, h('legend', {title: this.help(parameter)}, parameter.name.replace(/_/g, ' ')), this.fields(parameter.fields, (p) => join(at, p.name)));
    }
    if (parameter.kind === 'model' && parameter.category && value !== undefined) {
      const form = this.build(parameter.category, at);
      return h('fieldset', {}, h('legend', {title: this.help(parameter)}, `${parameter.name.replace(/_/g, ' ')}: `, this.chooser(parameter.category, at)), form);
    }
    const control = this.control(parameter, at, value, live, id);
    return h('div', {class: `field ${value === undefined ? 'unset' : ''}`, title: this.help(parameter)}, label, control);
  }

  private help(p: RegistryParameter): string {
    const range = [p.minimum !== null && p.minimum !== undefined ? `at least ${digits(p.minimum)}` : '', p.maximum !== null && p.maximum !== undefined ? `at most ${digits(p.maximum)}` : ''].filter(Boolean).join(', ');
    const fallback = p.default !== undefined && p.default !== null ? `default ${JSON.stringify(p.default)}` : p.required ? 'required' : '';
    return [p.meaning ?? '', [p.unit && p.unit !== '1' ? `unit ${p.unit}` : '', range, fallback].filter(Boolean).join('; ')].filter(Boolean).join('\n');
  }

  /** A menu of the models of a category; choosing one puts a typical use of it at the place, after asking for what nobody can guess. */
  chooser(category: string, at: string): HTMLSelectElement {
    const now = modelOf(get(this.session.document, at), category === 'start' || category === 'load' ? 'from' : 'model');
    const models = this.models(category).map((m): [string, string] => [m.name, m.name.replace(/_/g, ' ')]);
    if (now.form === 'none') models.unshift(['', category === 'start' ? 'at rest' : 'none']);
    const menu = select(models, now.name, (name) => {
      menu.value = now.name; // until the program has taken it
      const model = this.find(category, name);
      if (!model) return;
      const {settings, guessed} = beginning(model, now.form === 'none' ? undefined : now.value);
      const take = (chosen: Doc) => this.session.edit(`choose ${name}`, [{at, value: written(category, name, chosen)}]);
      if (guessed.length === 0) void take(settings);
      else this.askFor(model, settings, guessed, take);
    }, `Model of ${category}`);
    return menu;
  }

  /** Values that a model needs, before it is tried. */
  private askFor(model: RegistryModel, settings: Doc, names: string[], take: (settings: Doc) => Promise<boolean>): void {
    dialog(`${model.category}: ${model.name.replace(/_/g, ' ')}`, (body, close) => {
      const values: Doc = {...settings};
      const rows = names.map((name) => {
        const parameter = model.parameters.find((p) => p.name === name) as RegistryParameter;
        const control = this.text(parameter, values[name], uniqueId('needed'), (next) => (values[name] = next ?? ''));
        const input = control.querySelector('input') as HTMLInputElement;
        return field(name.replace(/_/g, ' '), input, typeof values[name] === 'number' && parameter.unit !== '1' ? parameter.unit : '', this.help(parameter));
      });
      const done = async () => {
        if (await take(values)) close();
      };
      fill(body, h('p', {class: 'note'}, model.meaning), ...rows, h('div', {class: 'row end'}, button({text: 'Use it', label: `Use ${model.name}`, class: 'primary', onclick: () => void done()})));
    });
  }

  /** A value that the model can start with, in a list of several. */
  private typical(category: string, name: string): Json {
    const model = this.find(category, name);
    return written(category, name, model ? beginning(model, undefined).settings : {});
  }

  private control(p: RegistryParameter, at: string, value: Json | undefined, live: Parameter | undefined, id: string): HTMLElement {
    const edit = (next: Json | undefined) => void this.session.edit(`change ${p.name}`, next === undefined ? [{at, remove: true}] : [{at, value: next}]);
    if (p.kind === 'boolean') {
      const box = h('input', {type: 'checkbox', id, checked: Boolean(value ?? p.default)});
      box.addEventListener('change', () => edit(box.checked));
      return h('span', {class: 'control'}, box);
    }
    if (p.kind === 'choice' && p.choices) {
      const menu = select(p.choices.map((c): [string, string] => [c, c.replace(/_/g, ' ')]), String(value ?? p.default ?? ''), (next) => edit(next));
      menu.id = id;
      return h('span', {class: 'control'}, menu);
    }
    if (live && typeof live.value === 'number') return this.knob(p, at, live, id);
    return this.text(p, value, id, edit);
  }

  /** A number that is turned while the scene runs: a field and a logarithmic slider about the value it had. */
  private knob(p: RegistryParameter, at: string, live: Parameter, id: string): HTMLElement {
    const start = live.value as number;
    const input = h('input', {type: 'text', inputmode: 'decimal', class: 'number', id, value: plain(start, 6), autocomplete: 'off'});
    const slider = h('input', {type: 'range', min: -2, max: 2, step: 0.02, value: 0, 'aria-label': `${p.name.replace(/_/g, ' ')}, from a hundredth to a hundred times of what it is`});
    slider.hidden = start <= 0;
    const gesture = uniqueId('knob');
    let count = 0;
    const turn = (value: number, group: string | null) => {
      const least = live.minimum ?? -Infinity;
      const most = live.maximum ?? Infinity;
      if (value < least || value > most) this.session.note(`${p.name} lies between ${digits(least)} and ${digits(most)} ${live.unit}.`);
      const within = Math.min(most, Math.max(least, value));
      input.value = plain(within, 6);
      this.session.set(`change ${p.name}`, {[at]: within}, group);
    };
    input.addEventListener('change', () => {
      const value = parseNumber(input.value);
      if (Number.isFinite(value)) turn(value, null);
      else if (input.value.trim() !== '') void this.session.edit(`change ${p.name}`, [{at, value: input.value.trim()}]);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      const factor = (event.shiftKey ? 2 : 1.1) ** (event.key === 'ArrowUp' ? 1 : -1);
      turn((parseNumber(input.value) || 0) * factor, `${gesture}-keys`);
    });
    slider.addEventListener('pointerdown', () => ++count);
    slider.addEventListener('input', () => turn(start * 10 ** Number(slider.value), `${gesture}-${count}`));
    slider.addEventListener('change', () => this.session.history.seal());
    return h('span', {class: 'control knob'}, input, h('span', {class: 'unit'}, live.unit === '1' ? '' : live.unit), slider, h('span', {class: 'live-mark', title: 'Turned while the scene runs', 'aria-hidden': 'true'}, '●'));
  }

  private text(p: RegistryParameter, value: Json | undefined, id: string, edit: (next: Json | undefined) => void): HTMLElement {
    const plainText = value === undefined || typeof value === 'string' || typeof value === 'number';
    const shown = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    const placeholder = p.default !== undefined && p.default !== null ? (typeof p.default === 'string' ? p.default : JSON.stringify(p.default)) : 'none';
    const input = h('input', {type: 'text', id, value: shown, placeholder, autocomplete: 'off', spellcheck: 'false', class: plainText ? '' : 'code'});
    input.addEventListener('change', () => {
      const text = input.value.trim();
      if (text === '') return edit(undefined);
      const number = Number(text);
      if (/^[[{"]/.test(text)) {
        try {
          return edit(JSON.parse(text) as Json);
        } catch (error) {
          return this.session.complain(new Error(`${p.name}: this is not JSON (${(error as Error).message})`));
        }
      }
      return edit(Number.isNaN(number) || p.kind === 'text' ? text : number);
    });
    const unit = typeof value === 'number' || value === undefined ? (p.unit && p.unit !== '1' ? p.unit : '') : '';
    return h('span', {class: 'control'}, input, unit ? h('span', {class: 'unit'}, unit) : null);
  }

  /** The list of dampings, each with its form; more can be added. */
  list(category: string, at: string, skip: string[]): HTMLElement {
    const list = get(this.session.document, at);
    const items = Array.isArray(list) ? list : [];
    const add = select([['', `Add ${category} …`], ...this.models(category).map((m): [string, string] => [m.name, m.name.replace(/_/g, ' ')])], '', (name) => {
      if (!name) return;
      const value = this.typical(category, name);
      void this.session.edit(`add ${name}`, Array.isArray(list) ? [{at: join(at, '-'), value}] : [{at, value: [value]}]);
    }, `Add a ${category}`);
    for (const option of add.options) option.title = this.find(category, option.value)?.meaning ?? '';
    const holder = h('div', {});
    fill(holder, ...items.map((item, i) => h('details', {class: 'card', open: true}, h('summary', {}, modelOf(item).name.replace(/_/g, ' '), button({icon: 'bin', label: `Remove ${modelOf(item).name}`, class: 'square quiet', onclick: () => void this.session.edit(`remove ${modelOf(item).name}`, [{at: join(at, i), remove: true}])})), this.build(category, join(at, i), skip))), add);
    return holder;
  }
}
