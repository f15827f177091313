// What is drawn over the viewports in SVG: the spring of the mouse with its force, strokes of the brush, names.

import type {Spring, Vec3} from '../net/protocol';
import {quantity} from '../logic/format';
import {fill, s} from '../ui/dom';
import type {Viewer} from './viewer';

/** A coil between two points of the picture, as path data. */
export function coil(from: [number, number], to: [number, number], turns = 7, width = 5): string {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy);
  if (length < 12) return `M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`;
  const [nx, ny] = [-dy / length, dx / length];
  const parts = [`M${from[0].toFixed(1)} ${from[1].toFixed(1)}`];
  for (let i = 0; i <= 2 * turns; ++i) {
    const t = 0.12 + (0.76 * i) / (2 * turns);
    const side = i === 0 || i === 2 * turns ? 0 : i % 2 ? width : -width;
    parts.push(`L${(from[0] + t * dx + side * nx).toFixed(1)} ${(from[1] + t * dy + side * ny).toFixed(1)}`);
  }
  parts.push(`L${to[0].toFixed(1)} ${to[1].toFixed(1)}`);
  return parts.join('');
}

export interface Stroke {
  point: Vec3;
  radius: number;
}

export class Overlay {
  readonly svg = s('svg', {class: 'overlay', 'aria-hidden': 'true'});
  spring: Spring | null = null;
  isPulled: (view: number) => boolean = () => true; // shapes that swing are not
  strokes: Stroke[] = [];
  brush: {x: number; y: number; radius: number} | null = null;

  constructor(private readonly viewer: Viewer) {}

  draw(): void {
    const parts: SVGElement[] = [];
    this.viewer.boxes.forEach((box, view) => {
      const inside = [...this.springParts(view), ...this.strokeParts(view)];
      const {x, y, width, height} = box; // an inner svg clips to its viewport
      if (inside.length > 0) parts.push(s('svg', {x, y, width, height, viewBox: `${x} ${y} ${width} ${height}`}, ...inside));
    });
    if (this.brush) parts.push(s('circle', {cx: this.brush.x, cy: this.brush.y, r: this.brush.radius, class: 'brush'}));
    fill(this.svg, ...parts);
  }

  private springParts(view: number): SVGElement[] {
    if (!this.spring || !this.isPulled(view)) return [];
    const from = this.viewer.project(view, this.spring.point);
    const to = this.viewer.project(view, this.spring.target);
    if (!from || !to) return [];
    const box = this.viewer.boxes[view];
    const below = to[1] >= from[1];
    const atRight = to[0] + 80 > box.x + box.width;
    const x = Math.max(box.x + 4, Math.min(box.x + box.width - 4, to[0] + (atRight ? -10 : 10)));
    const y = Math.max(box.y + 14, Math.min(box.y + box.height - 6, to[1] + (below ? 18 : -10)));
    const label = s('text', {x, y, class: 'force', 'text-anchor': atRight ? 'end' : 'start'}, quantity(this.spring.force, 'N'));
    const path = coil(from, to);
    return [s('path', {d: path, class: 'spring-back'}), s('path', {d: path, class: 'spring'}), s('circle', {cx: from[0], cy: from[1], r: 4, class: 'grip'}), s('circle', {cx: to[0], cy: to[1], r: 5, class: 'grip'}), label];
  }

  private strokeParts(view: number): SVGElement[] {
    const parts: SVGElement[] = [];
    for (const stroke of this.strokes) {
      const at = this.viewer.project(view, stroke.point);
      if (at) parts.push(s('circle', {cx: at[0], cy: at[1], r: stroke.radius / this.viewer.pixelSize(view, stroke.point), class: 'stroke'}));
    }
    return parts;
  }
}
