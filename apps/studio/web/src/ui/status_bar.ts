// Always visible: what the simulation costs, whether it converges, what the integrator took.

import {digits, percent, quantity} from '../logic/format';
import type {Session} from '../session';
import {fill, h} from './dom';

export class StatusBar {
  readonly element: HTMLElement;
  private readonly cells = new Map<string, HTMLElement>();
  private readonly connection = h('span', {class: 'connection', role: 'status', 'aria-live': 'polite'}, 'connecting …');
  private pictures = 0;
  private since = performance.now();
  private rate = 0;

  constructor(
    private readonly session: Session,
    private readonly drawn: () => number,
  ) {
    const cell = (name: string, label: string, help: string) => {
      const value = h('b', {}, '–');
      this.cells.set(name, value);
      return h('span', {title: help}, label ? `${label} ` : null, value);
    };
    this.element = h('footer', {class: 'status', 'aria-label': 'State of the run'}, this.connection,
      cell('step', 'step', 'Time one step of all worlds takes'), cell('fps', 'pictures', 'Pictures the page draws in a second'), cell('newton', 'Newton', 'Iterations of the last step'),
      cell('drift', 'energy drift', 'What the integrator and the solver took or added, of the largest energy'), cell('force', 'pull', 'Force of the mouse'),
      cell('took', '', 'What the time integrator took by itself, unasked'));
    session.on('status', () => this.draw());
    session.on('connection', ({state, retryIn}) => this.drawConnection(state, retryIn));
  }

  private drawConnection(state: string, retryIn: number): void {
    this.connection.className = `connection ${state}`;
    fill(this.connection, state === 'open' ? 'connected' : state === 'lost' ? `connection lost, again in ${digits(retryIn / 1000, 2)} s` : 'connecting …');
  }

  private draw(): void {
    const status = this.session.status;
    if (!status) return;
    const now = performance.now();
    if (now - this.since > 1000) {
      this.rate = ((this.drawn() - this.pictures) * 1000) / (now - this.since);
      this.pictures = this.drawn();
      this.since = now;
    }
    const write = (name: string, text: string) => fill(this.cells.get(name) as HTMLElement, text);
    const drift = Math.max(0, ...status.worlds.map((world) => Math.abs(world.drift)).filter(Number.isFinite));
    write('step', `${digits(status.step_ms, 2)} ms`);
    write('fps', `${digits(this.rate, 2)} /s`);
    write('newton', `${digits(status.newton, 2)}`);
    write('drift', status.worlds.length ? percent(drift, 2) : '–');
    write('force', quantity(status.mouse_force, 'N'));
    write('took', status.took || '–');
  }
}
