// The right side: what is chosen in the tree, to be looked at and changed.

import {get, join} from '../logic/pointer';
import type {RegistryParameter} from '../net/protocol';
import type {Session} from '../session';
import {button, fill, h} from './dom';
import {openDialog} from './files';
import {ExamplePanel} from './example_panel';
import {ModelForm} from './model_form';
import {ModesPanel} from './modes_panel';

export class Inspector {
  readonly element: HTMLElement;
  readonly examplePanel: ExamplePanel;
  readonly modesPanel: ModesPanel;
  private readonly title = h('h2', {});
  private readonly body = h('div', {class: 'inspector-body', tabindex: -1});
  private readonly form: ModelForm;
  private drawn = '';

  constructor(private readonly session: Session) {
    this.examplePanel = new ExamplePanel(session);
    this.modesPanel = new ModesPanel(session);
    this.form = new ModelForm(session);
    this.element = h('aside', {class: 'inspector', 'aria-label': 'Inspector'}, this.title, this.body);
    session.on('document', () => this.draw());
    session.on('selection', () => this.draw(true));
    session.on('registry', () => this.draw());
  }

  private draw(chosen = false): void {
    const {selection} = this.session;
    const key = `${selection.kind} ${selection.at}`;
    // A field that is being written in is not pulled away under the hands by a change from elsewhere.
    const writing = !chosen && key === this.drawn && this.body.contains(document.activeElement) && (document.activeElement as HTMLElement).tagName === 'INPUT' && selection.kind !== 'example' && (document.activeElement as HTMLInputElement).type === 'range';
    if (writing) return;
    const isOther = key !== this.drawn;
    this.drawn = key;
    const focused = this.body.contains(document.activeElement) ? (document.activeElement as HTMLElement).getAttribute('aria-label') : null;
    const scroll = this.body.scrollTop;
    this.show();
    if (!isOther) {
      this.body.scrollTop = scroll;
      if (focused) (this.body.querySelector(`[aria-label="${CSS.escape(focused)}"]`) as HTMLElement | null)?.focus({preventScroll: true});
    }
  }

  private show(): void {
    if (this.session.hello?.kind === 'run') return this.showRun();
    const {selection} = this.session;
    const name = (at: string) => String(get(this.session.document, `${at.split('/').slice(0, 3).join('/')}/name`) ?? '');
    switch (selection.kind) {
      case 'example': {
        const example = this.session.selectedExample;
        if (!example) return this.fillWith('Example', h('p', {class: 'note'}, 'This example is gone.'));
        this.title.textContent = `Example: ${example.name}`;
        if (this.body.firstElementChild !== this.examplePanel.element) fill(this.body, this.examplePanel.element);
        return this.examplePanel.show(example);
      }
      case 'modes':
        if (this.body.firstElementChild !== this.modesPanel.element) this.fillWith('Vibration modes', this.modesPanel.element);
        return;
      case 'material':
        return this.fillWith(`Material of ${name(selection.at)}`, this.form.chooser('material', selection.at), this.form.build('material', selection.at));
      case 'damping':
        return this.fillWith(`Damping of ${name(selection.at)}`, h('p', {class: 'note'}, 'All that act, summed. Numbers with a dot are turned while the scene runs.'), this.form.list('damping', selection.at, ['examples']));
      case 'pins':
        return this.fillWith(`Pins of ${name(selection.at)}`, ...this.pins(selection.at));
      case 'body':
        return this.fillWith(`Body ${name(selection.at)}`, ...this.bodyParts(selection.at));
      default:
        return this.fillWith('Scene', ...this.sceneParts());
    }
  }

  private showRun(): void {
    const {hello} = this.session;
    this.fillWith('Recorded run', h('p', {}, hello?.title ?? ''), h('p', {class: 'note'}, 'Play it or drag the slider below the viewport. Nothing in a recorded run can be pulled or changed: open its scene to do so.'), h('div', {class: 'row'}, button({text: 'Open a scene …', label: 'Open a scene', onclick: () => openDialog(this.session)})));
  }

  private fillWith(title: string, ...children: HTMLElement[]): void {
    this.title.textContent = title;
    fill(this.body, ...children);
  }

  private pins(at: string): HTMLElement[] {
    const list = get(this.session.document, at);
    const pins = Array.isArray(list) ? list : [];
    const rows = pins.map((pin, i) => {
      const text = h('textarea', {rows: 2, 'aria-label': `Pin ${i + 1}`, spellcheck: 'false', class: 'code'});
      text.value = JSON.stringify(pin);
      text.addEventListener('change', () => {
        try {
          void this.session.edit('change a pin', [{at: join(at, i), value: JSON.parse(text.value)}]);
        } catch (error) {
          this.session.complain(new Error(`Pin ${i + 1}: this is not JSON (${(error as Error).message})`));
        }
      });
      return h('div', {class: 'row'}, text, button({icon: 'bin', label: `Remove pin ${i + 1}`, class: 'square quiet', onclick: () => void this.session.edit('remove a pin', [{at: join(at, i), remove: true}])}));
    });
    return [h('p', {class: 'note'}, pins.length === 0 ? 'Nothing holds this body. The pin tool (3) in the viewport pins a patch.' : 'Held places, as in the scene file. The tools Pin (3) and Unpin (4) work in the viewport.'), ...rows];
  }

  private bodyParts(at: string): HTMLElement[] {
    const start = h('section', {}, h('header', {class: 'section-head'}, h('h3', {}, 'Start'), this.form.chooser('start', join(at, 'start'))), this.form.build('start', join(at, 'start')));
    const mesh = h('section', {}, h('header', {class: 'section-head'}, h('h3', {}, 'Mesh'), this.form.chooser('mesh', join(at, 'mesh'))), this.form.build('mesh', join(at, 'mesh')), h('p', {class: 'note'}, 'A mesh file (.msh .veg .obj .ply .stl .off) dropped on the page takes this place.'));
    const reduced: RegistryParameter = {name: 'reduced', kind: 'object', meaning: 'simulate the body in a subspace, in real time'};
    const isReduced = get(this.session.document, join(at, 'reduced')) !== undefined;
    const box = h('input', {type: 'checkbox', checked: isReduced, 'aria-label': 'Simulate in a subspace'});
    box.addEventListener('change', () => void this.session.edit('change the subspace', [isReduced ? {at: join(at, 'reduced'), remove: true} : {at: join(at, 'reduced'), value: {}}]));
    return [mesh, start, h('section', {}, h('header', {class: 'section-head'}, h('h3', {title: reduced.meaning}, 'Subspace')), h('label', {class: 'row'}, box, ' simulate in a subspace, in real time'))];
  }

  private sceneParts(): HTMLElement[] {
    const row = (label: string, at: string, unit: string, help: string) => {
      const value = get(this.session.document, at);
      const input = h('input', {type: 'text', value: value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value), 'aria-label': label, autocomplete: 'off', spellcheck: 'false'});
      input.addEventListener('change', () => {
        const text = input.value.trim();
        if (text === '') return void this.session.edit(`change ${label}`, [{at, remove: true}]);
        let next: never | string | number = text;
        try {
          next = JSON.parse(text) as never;
        } catch {
          next = text; // a quantity with its unit, or a title
        }
        void this.session.edit(`change ${label}`, [{at, value: next}]);
      });
      return h('div', {class: 'field', title: help}, h('label', {}, label), h('span', {class: 'control'}, input, unit ? h('span', {class: 'unit'}, unit) : null));
    };
    return [
      h('div', {class: 'fields form'}, row('Title', '/title', '', 'shown in reports'), row('Gravity', '/gravity', 'm/s²', 'three values'), row('Time step', '/time/dt', '', '5 ms, or seconds'), row('End', '/time/end', '', 'when `dashpot run` ends')),
      h('section', {}, h('header', {class: 'section-head'}, h('h3', {}, 'Integrator'), this.form.chooser('stepper', '/time/stepper')), this.form.build('stepper', '/time/stepper')),
    ];
  }
}
