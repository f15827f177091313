// The centre: viewports with their names, tools, and what to say where there is no WebGL.

import {parseNumber, plain} from '../logic/format';
import type {View} from '../net/protocol';
import {Interaction, type Tool} from '../scene3d/interaction';
import {Overlay} from '../scene3d/overlay';
import {Viewer} from '../scene3d/viewer';
import type {Session} from '../session';
import {button, field, fill, h, select} from './dom';
import {viewTitle, worldColor, worldHelp, worldNames} from './palette';
import {RegionPanel} from './region_panel';

const tools: [Tool, string, string][] = [['pull', 'hand', 'Pull with a spring'], ['poke', 'poke', 'Poke: one impulse into the body'], ['pin', 'pin', 'Pin a patch where it is at rest'], ['unpin', 'unpin', 'Take pins away'], ['paint', 'brush', 'Paint a region']];

export class Stage {
  readonly element: HTMLElement;
  readonly viewer: Viewer | null = null;
  readonly interaction: Interaction | null = null;
  private readonly overlay: Overlay | null = null;
  private readonly heads = h('div', {class: 'view-heads'});
  private readonly toolbar = h('div', {class: 'tools', role: 'toolbar', 'aria-label': 'Tools', 'aria-orientation': 'vertical'});
  private readonly options = h('div', {class: 'tool-options'});
  private readonly poseHint = h('span', {class: 'note pose-hint', hidden: true}, 'time stands: a pull poses the body');
  private readonly area: HTMLElement;

  constructor(
    private readonly session: Session,
    testing: boolean,
  ) {
    this.area = h('div', {class: 'viewports', tabindex: 0, role: 'application', 'aria-label': 'Viewports: drag the body to pull it; arrow keys turn the camera, Enter takes hold of what is in the middle'});
    this.element = h('main', {class: 'stage'}, this.area);
    try {
      this.viewer = new Viewer(this.area, testing);
    } catch {
      this.area.removeAttribute('tabindex');
      this.area.setAttribute('role', 'note');
      this.area.setAttribute('aria-label', 'No viewports');
      fill(this.area, h('div', {class: 'no-webgl'}, h('h2', {}, 'No 3-D pictures in this browser'), h('p', {}, 'WebGL 2 is missing or turned off, so the body cannot be drawn. Everything else works: play, curves, targets, plots, saving. Turning on hardware acceleration, another browser, or a newer graphics driver usually helps.')));
      return;
    }
    const viewer = this.viewer;
    this.overlay = new Overlay(viewer);
    this.overlay.isPulled = (view) => !['example', 'mode'].includes(session.hello?.views[view]?.kind ?? '');
    this.interaction = new Interaction(session, viewer, this.overlay, this.area);
    this.area.append(this.overlay.svg, this.heads, this.toolbar, this.options);
    const regions = new RegionPanel(session, this.interaction);
    this.area.append(regions.element);
    viewer.onDraw = () => {
      this.overlay?.draw();
      this.placeHeads();
    };
    this.makeTools();
    session.on('topology', (topology) => viewer.setTopology(topology));
    session.on('connection', ({state}) => state === 'open' && viewer.forgetCount());
    session.on('frame', (frame) => {
      (this.overlay as Overlay).spring = frame.spring;
      viewer.show(frame);
    });
    session.on('opened', () => viewer.expectOther());
    session.on('document', () => {
      this.drawHeads();
      this.drawTools();
    });
    session.on('modes', () => this.drawHeads());
    session.on('status', ({playing}) => (this.poseHint.hidden = playing || !this.interaction?.options.poses));
  }

  /** Nothing of a recorded run can be touched. */
  private drawTools(): void {
    const isRun = this.session.hello?.kind === 'run';
    for (const control of this.toolbar.querySelectorAll('button[data-tool]')) (control as HTMLElement).hidden = isRun;
    this.options.hidden = isRun;
  }

  chooseTool(tool: Tool): void {
    if (!this.interaction) return;
    this.interaction.options.tool = tool;
    this.area.dataset.tool = tool;
    for (const control of this.toolbar.querySelectorAll('button[data-tool]')) control.setAttribute('aria-pressed', String((control as HTMLElement).dataset.tool === tool));
    this.makeOptions(tool);
  }

  private makeTools(): void {
    fill(this.toolbar, ...tools.map(([tool, icon, label], i) => {
      const control = button({icon, label, key: String(i + 1), class: 'square', onclick: () => this.chooseTool(tool)});
      control.dataset.tool = tool;
      return control;
    }), button({text: 'F', label: 'See the whole body', key: 'F', class: 'square', onclick: () => this.viewer?.fit()}));
    this.chooseTool('pull');
  }

  private makeOptions(tool: Tool): void {
    const options = this.interaction?.options;
    if (!options) return;
    const number = (key: 'stiffness' | 'patch' | 'impulse', label: string, unit: string, help: string) => {
      const input = h('input', {type: 'text', class: 'number', inputmode: 'decimal', value: options[key] > 0 ? plain(options[key]) : '', placeholder: 'auto', autocomplete: 'off'});
      input.addEventListener('change', () => {
        const value = parseNumber(input.value);
        options[key] = Number.isFinite(value) && value > 0 ? value : key === 'impulse' ? 0.05 : 0;
        input.value = options[key] > 0 ? plain(options[key]) : '';
      });
      return field(label, input, unit, help);
    };
    const patch = number('patch', tool === 'paint' ? 'Brush' : 'Patch', 'm', 'Radius; empty: automatic');
    fill(this.options, ...(tool === 'pull' ? [number('stiffness', 'Spring', 'N/m', 'Stiffness of the spring; empty: automatic'), patch, this.poseHint] : tool === 'poke' ? [number('impulse', 'Impulse', 'N s', 'Along the line of sight')] : [patch]));
  }

  private placeHeads(): void {
    const boxes = this.viewer?.boxes ?? [];
    [...this.heads.children].forEach((head, i) => {
      const box = boxes[i];
      (head as HTMLElement).hidden = !box;
      if (box) (head as HTMLElement).style.cssText = `left:${box.x}px;top:${box.y}px;width:${box.width}px`;
    });
  }

  private choices(): [string, string][] {
    return [
      ...(['designed', 'reference', 'undamped'] as const).map((kind): [string, string] => [kind, worldNames[kind]]),
      ...this.session.examples.map((example): [string, string] => [`example:${example.name}`, `Example: ${example.name}`]),
      ...this.session.modes.map((_, i): [string, string] => [`mode:${i + 1}`, `Mode ${i + 1}`]),
    ];
  }

  private drawHeads(): void {
    const views = this.session.hello?.views ?? [];
    const isRun = this.session.hello?.kind === 'run';
    fill(this.heads, ...views.map((view, i) => this.head(view, i, views, isRun)));
    this.placeHeads();
  }

  private head(view: View, index: number, views: View[], isRun: boolean): HTMLElement {
    const key = view.kind === 'example' ? `example:${view.name}` : view.kind === 'mode' ? `mode:${view.index}` : view.kind;
    const choices = this.choices();
    if (!choices.some(([value]) => value === key)) choices.push([key, viewTitle(view)]);
    const change = (to: string) => {
      const [kind, rest] = to.split(/:(.*)/);
      const next: View = kind === 'example' ? {kind, name: rest} : kind === 'mode' ? {kind, index: Number(rest)} : {kind: kind as View['kind']};
      void this.session.setViews(views.map((v, i) => (i === index ? next : v)));
    };
    const choose = select(choices, key, change, `Viewport ${index + 1} shows`);
    choose.title = worldHelp[view.kind] ?? '';
    const unused = (['designed', 'reference', 'undamped'] as const).find((kind) => !views.some((v) => v.kind === kind));
    const add = index === views.length - 1 && views.length < 4 ? button({icon: 'plus', label: 'Add a viewport', class: 'square quiet', onclick: () => void this.session.setViews([...views, unused ? {kind: unused} : this.session.examples[0] ? {kind: 'example', name: this.session.examples[0].name} : {kind: 'mode', index: 1}])}) : null;
    const close = views.length > 1 ? button({icon: 'close', label: `Close viewport ${index + 1}`, class: 'square quiet', onclick: () => void this.session.setViews(views.filter((_, i) => i !== index))}) : null;
    return h('div', {class: 'view-head', role: 'group', 'aria-label': `Viewport ${index + 1}`}, h('span', {class: 'swatch', style: `--c:${worldColor(view.kind)}`}), isRun ? h('span', {}, 'Recorded run') : choose, h('span', {class: 'grow'}), isRun ? null : add, isRun ? null : close);
  }
}
