// What the pointer and the keys do in the viewports. A drag that begins on the body does what the tool says, a drag beside it turns the
// camera. The pull follows the pointer in the plane through the grabbed point that faces the camera. Which point is under the pointer is
// answered by the server, on the body as it is now; what the pointer does meanwhile is kept.

import type {Hit, Vec3} from '../net/protocol';
import type {Session} from '../session';
import {frame, moved, turned, zoomed} from './orbit';
import type {Overlay, Stroke} from './overlay';
import type {Viewer} from './viewer';

export type Tool = 'pull' | 'poke' | 'pin' | 'unpin' | 'paint';
export interface Options {
  tool: Tool;
  stiffness: number; // N/m; 0: automatic
  patch: number; // m; radius of patch and brush; 0: automatic
  impulse: number; // N s
  poses: boolean; // a pull while time stands brings the body into a pose, in which it stays
}
export interface PaintStroke extends Stroke {
  body: string;
  rest: Vec3;
}

const silentFor = 1000; // ms; a held pull is repeated, the server lets go of silent clients

export class Interaction {
  options: Options = {tool: 'pull', stiffness: 0, patch: 0, impulse: 0.05, poses: true};
  readonly strokes: PaintStroke[] = [];
  onStrokes: () => void = () => {};
  private held: {point: Vec3; normal: Vec3; view: number; target: Vec3} | null = null;
  private camera: 'turn' | 'move' | null = null;
  private last: [number, number] = [0, 0];
  private busy = false; // a pick is under way
  private down = false;
  private heartbeat = 0;
  private waitingTarget: Vec3 | null = null;
  private dragging = false;

  constructor(
    private readonly session: Session,
    private readonly viewer: Viewer,
    private readonly overlay: Overlay,
    private readonly area: HTMLElement,
  ) {
    area.addEventListener('pointerdown', (event) => void this.press(event));
    area.addEventListener('pointermove', (event) => this.move(event));
    area.addEventListener('pointerup', () => this.lift());
    area.addEventListener('pointercancel', () => this.lift());
    area.addEventListener('contextmenu', (event) => event.preventDefault());
    area.addEventListener('pointerleave', () => this.showBrush(null));
    area.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    area.addEventListener('keydown', (event) => this.key(event));
  }

  get brushRadius(): number {
    return this.options.patch > 0 ? this.options.patch : 0.05 * this.viewer.extent;
  }
  get isHolding(): boolean {
    return this.held !== null;
  }

  /** No target of a pull and no pick is on its way to the server. */
  get isQuiet(): boolean {
    return !this.busy && !this.dragging && this.waitingTarget === null;
  }

  async pick(x: number, y: number): Promise<Hit | null> {
    const ray = this.viewer.ray(x, y);
    if (!ray) return null;
    const kind = this.session.hello?.views[ray.view]?.kind;
    if (kind === 'example' || kind === 'mode') return null; // a shape that swings, no body that can be touched
    const reply = await this.session.command('pick', ray);
    return (reply?.hit as Hit | null | undefined) ?? null;
  }

  private local(event: MouseEvent): [number, number] {
    const box = this.area.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private async press(event: PointerEvent): Promise<void> {
    if ((event.target as Element).closest('button, select, input, label, .tools, .view-head')) return;
    this.area.focus({preventScroll: true});
    this.area.setPointerCapture(event.pointerId);
    const at = this.local(event);
    this.last = at;
    this.down = true;
    if (event.button !== 0 || event.shiftKey) {
      this.camera = event.button === 2 || event.shiftKey ? 'move' : 'turn';
      return;
    }
    this.busy = true;
    const hit = await this.pick(...at);
    this.busy = false;
    if (!this.down && this.options.tool === 'pull') return;
    if (!hit) this.camera = 'turn';
    else await this.act(hit, ...at);
    if (!this.down) this.lift();
  }

  private async act(hit: Hit, x: number, y: number): Promise<void> {
    const {tool} = this.options;
    if (tool === 'pull') return void (await this.grab(hit, x, y));
    if (tool === 'paint') return this.paint(hit);
    await this.takeMouse();
    if (tool === 'poke') {
      const direction = this.viewer.ray(x, y)?.direction ?? [0, 0, -1];
      await this.session.command('poke', {node: hit.node, impulse: direction.map((d) => d * this.options.impulse) as Vec3});
    } else {
      await this.session.change(tool === 'pin' ? 'pin a patch' : 'take pins away', tool, {node: hit.node, radius: this.brushRadius});
    }
  }

  private async takeMouse(): Promise<void> {
    const holder = this.session.status?.mouse ?? this.session.hello?.mouse ?? 'free';
    if (holder !== 'you') await this.session.command('mouse', {take: true});
  }

  async grab(hit: Hit, x: number, y: number): Promise<boolean> {
    await this.takeMouse();
    const reply = await this.session.command('grab', {node: hit.node, radius: this.options.patch, stiffness: this.options.stiffness, pose: this.options.poses && this.session.status?.playing === false});
    if (!reply) return false;
    const view = this.viewer.ray(x, y)?.view ?? 0;
    this.held = {point: hit.point, normal: frame(this.viewer.orbit).back, view, target: hit.point};
    this.heartbeat = window.setInterval(() => this.held && this.pullTo(this.held.target), silentFor);
    this.area.classList.add('holding');
    return true;
  }

  private move(event: PointerEvent): void {
    const at = this.local(event);
    if (this.options.tool === 'paint' && !this.camera) this.showBrush(at);
    if (!this.down || this.busy) return;
    const [dx, dy] = [at[0] - this.last[0], at[1] - this.last[1]];
    this.last = at;
    if (this.camera === 'turn') this.viewer.orbit = turned(this.viewer.orbit, -dx * 0.008, dy * 0.008);
    if (this.camera === 'move') this.shift(-dx, dy);
    if (this.camera) this.viewer.request();
    else if (this.held) this.pullToward(...at);
    else if (this.options.tool === 'paint') void this.paintAt(at);
  }

  private shift(right: number, up: number): void {
    const size = this.viewer.pixelSize(0, this.viewer.orbit.target);
    this.viewer.orbit = moved(this.viewer.orbit, right * size, up * size);
  }

  /** Pulls toward the pointer. */
  pullToward(x: number, y: number): void {
    const ray = this.viewer.ray(x, y);
    if (!ray || !this.held) return;
    const {point, normal} = this.held;
    const along = ray.direction.reduce((sum, d, i) => sum + d * normal[i], 0);
    if (Math.abs(along) < 1e-6) return;
    const t = point.reduce((sum, p, i) => sum + (p - ray.origin[i]) * normal[i], 0) / along;
    this.pullTo(ray.origin.map((o, i) => o + t * ray.direction[i]) as Vec3);
  }

  private pullTo(target: Vec3): void {
    if (!this.held) return;
    this.held.target = target;
    this.waitingTarget = target;
    if (this.dragging) return;
    this.dragging = true;
    requestAnimationFrame(() => {
      this.dragging = false;
      if (this.waitingTarget) this.session.connection.tell('drag', {target: this.waitingTarget});
      this.waitingTarget = null;
    });
  }

  private lift(): void {
    this.down = false;
    this.camera = null;
    if (this.held && !this.busy) void this.release();
  }

  async release(): Promise<void> {
    if (!this.held) return;
    if (this.waitingTarget) this.session.connection.tell('drag', {target: this.waitingTarget});
    this.waitingTarget = null;
    this.held = null;
    window.clearInterval(this.heartbeat);
    this.area.classList.remove('holding');
    await this.session.command('release', {});
  }

  private async paintAt(at: [number, number]): Promise<void> {
    this.busy = true;
    const hit = await this.pick(...at);
    this.busy = false;
    if (hit) this.paint(hit);
  }

  private paint(hit: Hit): void {
    if (!hit.rest) return;
    const near = this.strokes.some((stroke) => Math.hypot(...stroke.rest.map((v, i) => v - (hit.rest as Vec3)[i])) < 0.4 * this.brushRadius);
    if (near) return;
    this.strokes.push({point: hit.point, rest: hit.rest, radius: this.brushRadius, body: hit.body});
    this.overlay.strokes = this.strokes;
    this.overlay.draw();
    this.onStrokes();
  }

  clearStrokes(): void {
    this.strokes.length = 0;
    this.overlay.strokes = this.strokes;
    this.overlay.draw();
    this.onStrokes();
  }

  private showBrush(at: [number, number] | null): void {
    const brush = at && this.options.tool === 'paint' ? {x: at[0], y: at[1], radius: this.brushRadius / this.viewer.pixelSize(0, this.viewer.orbit.target)} : null;
    if (!brush && !this.overlay.brush) return;
    this.overlay.brush = brush;
    this.overlay.draw();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.viewer.orbit = zoomed(this.viewer.orbit, Math.exp(Math.max(-100, Math.min(100, event.deltaY)) * 0.0015));
    this.viewer.request();
  }

  /** Without a mouse: arrows turn, + and - zoom, Enter takes hold of what is in the middle, arrows then pull, Enter lets go. */
  private key(event: KeyboardEvent): void {
    if (event.target !== this.area || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrows: Record<string, [number, number]> = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
    const arrow = arrows[event.key];
    if (arrow && this.held) this.nudge(...arrow, event.shiftKey ? 0.1 : 0.02);
    else if (arrow && event.shiftKey) this.shift(arrow[0] * 20, arrow[1] * 20);
    else if (arrow) this.viewer.orbit = turned(this.viewer.orbit, -arrow[0] * 0.1, arrow[1] * 0.1);
    else if (event.key === '+' || event.key === '=') this.viewer.orbit = zoomed(this.viewer.orbit, 1 / 1.15);
    else if (event.key === '-') this.viewer.orbit = zoomed(this.viewer.orbit, 1.15);
    else if (event.key === 'f') this.viewer.fit();
    else if (event.key === 'Enter') void (this.held ? this.release() : this.actInTheMiddle());
    else if (event.key === 'Escape' && this.held) void this.release();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.viewer.request();
  }

  private async actInTheMiddle(): Promise<void> {
    const box = this.viewer.boxes[0];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = await this.pick(x, y);
    if (hit) await this.act(hit, x, y);
    else this.session.note('Nothing of the body is in the middle of the first viewport: turn or move the camera.');
  }

  private nudge(right: number, up: number, share: number): void {
    if (!this.held) return;
    const axes = frame(this.viewer.orbit);
    const length = share * this.viewer.extent;
    this.pullTo(this.held.target.map((v, i) => v + length * (right * axes.right[i] + up * axes.up[i])) as Vec3);
  }
}
