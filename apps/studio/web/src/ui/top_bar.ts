// Time and file controls.

import {parseNumber, plain} from '../logic/format';
import {get} from '../logic/pointer';
import type {Session} from '../session';
import {button, fill, h, icon, select} from './dom';
import {exportItems, openDialog, save, saveDialog} from './files';
import {menuButton} from './popover';
import {helpDialog} from './help';

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class TopBar {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly dt = h('input', {type: 'text', class: 'number', 'aria-label': 'Time step', title: 'Time step: "5 ms", or seconds', autocomplete: 'off'});
  private readonly integrator = h('select', {'aria-label': 'Integrator', title: 'Integrator: how time advances'});
  private readonly speed: HTMLSelectElement;
  onTheme: () => void = () => {};

  constructor(
    private readonly session: Session,
    canvas: () => HTMLCanvasElement | null,
  ) {
    this.play = button({icon: 'play', label: 'Play', key: 'Space', class: 'square primary', onclick: () => this.togglePlay()});
    this.undo = button({icon: 'undo', label: 'Undo', key: 'Control+Z', onclick: () => void session.undo()});
    this.redo = button({icon: 'redo', label: 'Redo', key: 'Control+Shift+Z', onclick: () => void session.redo()});
    this.speed = select(speeds.map((s): [string, string] => [String(s), `${s} ×`]), '1', (value) => void session.command('speed', {factor: Number(value)}), 'Speed: simulated time over real time');
    this.dt.addEventListener('change', () => this.changeStep());
    this.integrator.addEventListener('change', () => void session.edit('change the integrator', [{at: '/time/stepper', value: this.integrator.value}]));
    const file = [menuButton('Open', 'Open a scene or a finished run', () => [{text: 'Scene or finished run …', action: () => openDialog(session)}]), menuButton('Save', 'Save the scene', () => [{text: 'Save (Ctrl+S)', action: () => void save(session)}, {text: 'Save as …', action: () => saveDialog(session)}]), menuButton('Export', 'Export animation, movie, report', () => exportItems(session, canvas))];
    this.element = h('header', {class: 'top', role: 'toolbar', 'aria-label': 'Time and files'},
      h('span', {class: 'brand'}, 'Dashpot'), ...file, h('span', {class: 'gap'}),
      this.undo, this.redo, h('span', {class: 'gap'}),
      this.play, button({icon: 'step', label: 'One step', key: '.', onclick: () => void session.command('step', {count: 1})}), button({icon: 'reset', label: 'Reset to the start', key: 'R', onclick: () => void session.command('reset', {})}),
      this.labeled('Speed', this.speed), this.labeled('dt', this.dt), this.labeled('Integrator', this.integrator),
      h('span', {class: 'grow'}), button({icon: 'sun', label: 'Light or dark', onclick: () => this.onTheme()}), button({text: '?', label: 'Help and keys', class: 'square', onclick: () => helpDialog()}));
    session.on('document', () => this.draw());
    session.on('registry', () => this.draw());
    session.on('history', () => this.drawHistory());
    session.on('status', (status) => this.drawPlay(status.playing));
    this.drawHistory();
  }

  private labeled(text: string, control: HTMLElement): HTMLElement {
    return h('label', {class: 'inline'}, text, control);
  }

  togglePlay(): void {
    void this.session.command(this.session.status?.playing ? 'pause' : 'play', {});
  }

  private changeStep(): void {
    const text = this.dt.value.trim();
    const number = parseNumber(text);
    void this.session.edit('change the time step', [{at: '/time/dt', value: Number.isFinite(number) ? number : text}]).then(() => this.draw());
  }

  private draw(): void {
    const hello = this.session.hello;
    if (!hello) return;
    const written = get(this.session.document, '/time/dt');
    if (document.activeElement !== this.dt) this.dt.value = typeof written === 'string' ? written : `${plain(1000 * hello.dt)} ms`;
    const names = (this.session.registry?.models ?? []).filter((m) => m.category === 'stepper').map((m) => m.name);
    if (!names.includes(hello.integrator)) names.unshift(hello.integrator);
    fill(this.integrator, ...names.map((name) => h('option', {value: name}, name.replace(/_/g, ' '))));
    this.integrator.value = hello.integrator;
    if (hello.speed !== undefined && speeds.includes(hello.speed)) this.speed.value = String(hello.speed);
    const isRun = hello.kind === 'run';
    this.dt.disabled = isRun;
    this.integrator.disabled = isRun;
    document.title = `${hello.title || 'Untitled'} · Dashpot`;
  }

  private drawPlay(playing: boolean): void {
    const label = playing ? 'Pause' : 'Play';
    if (this.play.getAttribute('aria-label') === label) return;
    this.play.setAttribute('aria-label', label);
    this.play.title = `${label} (Space)`;
    fill(this.play, icon(playing ? 'pause' : 'play'));
  }

  private drawHistory(): void {
    const {undoLabel, redoLabel} = this.session.history;
    this.undo.disabled = undoLabel === null;
    this.redo.disabled = redoLabel === null;
    this.undo.title = undoLabel ? `Undo: ${undoLabel} (Ctrl+Z)` : 'Nothing to undo';
    this.redo.title = redoLabel ? `Redo: ${redoLabel} (Ctrl+Shift+Z)` : 'Nothing to redo';
  }
}
