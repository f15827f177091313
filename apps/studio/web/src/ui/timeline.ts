// The scrubber: what was recorded can be looked at again; playing goes on from there.

import {digits, plain} from '../logic/format';
import type {Session} from '../session';
import {fill, h} from './dom';

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider = h('input', {type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time', disabled: true});
  private readonly time = h('output', {class: 'time'}, '0 s');
  private readonly mark = h('span', {class: 'release-mark', hidden: true, title: 'Release: t = 0 of the decay', 'aria-hidden': 'true'});
  private held = false;
  private wanted: number | null = null;
  private sending = false;

  constructor(private readonly session: Session) {
    this.element = h('div', {class: 'timeline'}, h('span', {class: 'track'}, this.slider, this.mark), this.time);
    this.slider.addEventListener('input', () => {
      this.held = true;
      this.wanted = Number(this.slider.value);
      this.write(this.wanted);
      void this.send();
    });
    this.slider.addEventListener('change', () => (this.held = false));
    session.on('status', () => this.draw());
  }

  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    while (this.wanted !== null) {
      const time = this.wanted;
      this.wanted = null;
      await this.session.command('scrub', {time});
    }
    this.sending = false;
  }

  private write(time: number): void {
    fill(this.time, `${time.toFixed(3)} s`);
    this.slider.setAttribute('aria-valuetext', `${digits(time, 4)} seconds`);
  }

  private draw(): void {
    const status = this.session.status;
    if (!status || this.held) return;
    const [from, to] = status.recorded;
    this.slider.disabled = !(to > from);
    this.slider.min = plain(from, 12);
    this.slider.max = plain(Math.max(to, status.time, from + 1e-9), 12);
    this.slider.value = String(status.time);
    this.write(status.time);
    const share = status.released === null ? -1 : (status.released - from) / Math.max(1e-12, Math.max(to, status.time) - from);
    this.mark.hidden = !(share >= 0 && share <= 1);
    this.mark.style.left = `${100 * share}%`;
  }
}
