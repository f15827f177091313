// The mock's session: commands in, frames and texts out. One session, any number of clients.

import type {WebSocket} from 'ws';

import {type Curve, constantCurve, gainAt} from '../src/logic/curve';
import {lostPerCycle, settleTime, zetaFromPeaks} from '../src/logic/equivalent';
import {applyAll, type Change, get, type Json} from '../src/logic/pointer';
import type {Spring, Vec3, View} from '../src/net/protocol';
import {bar, cast, exampleSize, frequencies, ownZeta, positions, shape, World} from './body';
import {examplesOf, firstDocument, presets} from './document';
import {encodeFrame} from './encode';

type Fields = Record<string, never>;
const dt = 0.004;

export class MockSession {
  readonly surface = bar();
  readonly clients = new Map<WebSocket, boolean>(); // whether its last frame is acknowledged
  document = firstDocument();
  views: View[] = [{kind: 'designed'}, {kind: 'reference'}];
  private worlds: World[] = [];
  private time = 0;
  private playing = false;
  private speed = 1;
  private released: number | null = null;
  private spring: (Spring & {node: number; stiffness: number}) | null = null;
  private frame = 0;
  private job = 0;
  private decay: object[] = [];
  private zeta: object[] = [];
  private recorded = 0;

  constructor(readonly testing: boolean) {
    this.remake();
    setInterval(() => this.tick(), 16);
    setInterval(() => this.tellStatus(), 100);
  }

  private remake(): void {
    const designed = examplesOf(this.document).map((e) => e.curve);
    const plain = designed.map(() => constantCurve(1));
    const make: [string, Curve[], boolean][] = [['designed', designed, true], ['reference', plain, true], ['undamped', plain, false]];
    this.worlds = make.map(([kind, curves, damped], i) => {
      const world = new World(kind, curves, damped);
      if (this.worlds[i]) world.copyState(this.worlds[i]);
      return world;
    });
  }

  private tick(): void {
    if (!this.playing || this.testing) return this.sendFrames();
    const steps = Math.max(1, Math.round((0.016 * this.speed) / dt));
    for (let i = 0; i < steps; ++i) this.step();
    this.sendFrames();
  }

  private step(): void {
    for (const world of this.worlds) {
      const before = world.rate[0] + world.rate[1];
      const sized = Math.hypot(...world.chi) * exampleSize;
      world.step(dt, this.force(world), this.spring ? shape(this.surface.rest[this.spring.node][0]) : 0);
      const after = world.rate[0] + world.rate[1];
      if (this.released === null || this.spring || before * after > 0 || sized < 1e-7) continue;
      const main = Math.abs(world.chi[0]) > Math.abs(world.chi[1]) ? world.chi[0] : world.chi[1];
      if (main < 0) continue;
      const t = this.time - this.released;
      this.decay.push({world: world.kind, t, envelope: sized});
      const last = world.peaks[world.peaks.length - 1];
      if (last && last.x > sized) this.zeta.push({world: world.kind, amplitude: Math.sqrt(last.x * sized), zeta: zetaFromPeaks(last.x, sized)});
      world.peaks.push({t, x: sized});
    }
    this.time += dt;
    this.recorded = Math.max(this.recorded, this.time);
  }

  private pointOf(world: World, node: number): Vec3 {
    const [x, y, z] = this.surface.rest[node];
    return [x, y + world.chi[1] * shape(x) * exampleSize, z + world.chi[0] * shape(x) * exampleSize];
  }

  private force(world: World): Vec3 {
    if (!this.spring) return [0, 0, 0];
    const at = this.pointOf(world, this.spring.node);
    return this.spring.target.map((value, i) => (value - at[i]) * (this.spring as {stiffness: number}).stiffness) as Vec3;
  }

  private sendFrames(): void {
    const phase = performance.now() / 1000;
    const swinging = (index: number) => [0, 0].map((_, i) => (i === index ? Math.sin(2 * Math.PI * phase) : 0));
    const shown = this.views.map((view) => {
      if (view.kind === 'example') return positions(this.surface.rest, swinging(Math.max(0, examplesOf(this.document).findIndex((e) => e.name === view.name)) % 2));
      if (view.kind === 'mode') return positions(this.surface.rest, swinging(((view.index ?? 1) - 1) % 2));
      return positions(this.surface.rest, (this.worlds.find((w) => w.kind === view.kind) ?? this.worlds[0]).chi);
    });
    let spring: Spring | null = null;
    if (this.spring) {
      const force = this.force(this.worlds[0]);
      spring = {point: this.pointOf(this.worlds[0], this.spring.node), target: this.spring.target, force: Math.hypot(...force)};
    }
    for (const [client, ready] of this.clients) {
      if (!ready || client.readyState !== 1) continue;
      this.clients.set(client, false);
      client.send(Buffer.from(encodeFrame(++this.frame, this.time, shown, spring)));
    }
  }

  private tellAll(message: object): void {
    for (const client of this.clients.keys()) if (client.readyState === 1) client.send(JSON.stringify(message));
  }

  private tellStatus(): void {
    const [designed] = this.worlds;
    const examples = examplesOf(this.document).map((e, i) => ({name: e.name, amplitude: Math.abs(designed.chi[i] ?? 0), speed: Math.abs(designed.rate[i] ?? 0), gain: gainAt(e.curve, Math.abs(designed.chi[i] ?? 0))}));
    const worlds = this.worlds.map((world) => {
      const {kinetic, elastic} = world.energies();
      const numerical = world.external - kinetic - elastic - world.lost;
      return {kind: world.kind, kinetic, elastic, gravity: 0, total: kinetic + elastic, external: world.external, numerical, damping: {example_based: world.lost}, drift: 3e-12};
    });
    const force = this.spring ? Math.hypot(...this.force(designed)) : 0;
    this.tellAll({type: 'status', time: this.time, frame: this.frame, playing: this.playing, step_ms: 0.42, fps: 250, newton: 3, worlds, mouse_force: force, examples, decay: this.decay, zeta: this.zeta, took: '0.3 % of the energy (bathe, 4 ms)', recorded: [0, this.recorded], released: this.released, mouse: 'you'});
    this.decay = [];
    this.zeta = [];
  }

  describe(type: 'hello' | 'changed'): object {
    const examples = examplesOf(this.document).map((e, i) => ({name: e.name, body: 'bar', at: e.at, frequency: frequencies[i % 2], zeta: ownZeta, measure: 'displacement', unit: '', size: exampleSize, curve: {interpolation: e.curve.interpolation, points: e.curve.knots.map((k) => [k.x, k.gamma])}}));
    const parameters = examplesOf(this.document).flatMap((e) => [{name: `${e.at}/gamma`, unit: '1', minimum: 0, maximum: 1000, value: e.curve.knots.length > 1 ? e.curve.knots.map((k) => k.gamma) : e.curve.knots[0].gamma}, ...(e.curve.knots.length > 1 ? [{name: `${e.at}/at`, unit: '1', minimum: 0, maximum: null, value: e.curve.knots.map((k) => k.x)}] : [])]);
    const live = [{name: '/bodies/0/material/young', unit: 'Pa', minimum: 0, maximum: null, value: 8e6}, {name: '/bodies/0/material/density', unit: 'kg/m3', minimum: 0, maximum: null, value: 1000}];
    return {type, version: 'mock', document: this.document, title: get(this.document, '/title'), path: null, topology: 1, bodies: [{name: 'bar', at: '/bodies/0', color: '#c9a27a'}], stepper: 'bathe', kind: 'scene', views: this.views, parameters: [...parameters, ...live], examples, presets, dt, integrator: get(this.document, '/time/stepper'), test: this.testing, mouse: 'you'};
  }

  /** Carries out one command; the answer's fields, or an Error. */
  command(name: string, fields: Fields): object {
    switch (name) {
      case 'play': case 'pause':
        this.playing = name === 'play';
        return {time: this.time};
      case 'reset':
        this.worlds = [];
        this.time = this.recorded = 0;
        this.released = null;
        this.remake();
        return {time: 0};
      case 'step':
        for (let i = 0; i < Number(fields.count); ++i) this.step();
        this.tellStatus();
        return {time: this.time};
      case 'speed':
        this.speed = Number(fields.factor);
        return {};
      case 'pick': return this.pick(fields.origin, fields.direction);
      case 'grab': {
        const stiffness = Number(fields.stiffness) || 400;
        const point = this.pointOf(this.worlds[0], fields.node);
        this.spring = {node: fields.node, stiffness, point, target: point, force: 0};
        return {patch: 12, stiffness, damping: 2};
      }
      case 'drag':
        if (this.spring) this.spring.target = fields.target;
        return {};
      case 'release':
        this.spring = null;
        this.released = this.time;
        for (const world of this.worlds) world.peaks = [];
        return {time: this.time};
      case 'poke':
        for (const world of this.worlds) world.rate[1] += (fields.impulse as Vec3)[1] * 50, (world.rate[0] += (fields.impulse as Vec3)[2] * 50);
        return {};
      case 'set': return this.set(fields.values);
      case 'edit': return this.edit(fields.changes);
      case 'views':
        this.views = fields.views;
        this.tellAll(this.describe('changed'));
        return {views: this.views};
      case 'modes':
        return {modes: Array.from({length: Number(fields.count)}, (_, i) => ({frequency: 4 + 3 * i * i, zeta: 0.04 * (1 + i / 2), zeta_integrator: 1e-4 * (i + 1), alpha: 0.1, beta: 0.003}))};
      case 'example':
        return this.edit([{at: '/bodies/0/damping/0/examples/-', value: {name: fields.name, shape: {from: 'mode', mode: 1, amplitude: 0.02}, gamma: 1}}] as never);
      case 'design': return this.design(fields.targets);
      case 'equivalent':
        return {zeta: fields.zeta, lost_per_cycle: lostPerCycle(fields.zeta), settle_time: settleTime(fields.zeta, fields.frequency), alpha: 0, beta: 0};
      case 'save': return {bytes: JSON.stringify(this.document).length};
      case 'scrub':
        this.time = Number(fields.time);
        return {};
      default: return {};
    }
  }

  private pick(origin: Vec3, direction: Vec3): object {
    const where = positions(this.surface.rest, this.worlds[0].chi);
    const hit = cast(origin, direction, where, this.surface.triangles);
    if (!hit) return {hit: null};
    const point = origin.map((o, i) => o + hit.distance * direction[i]) as Vec3;
    const node = this.surface.triangles[hit.triangle][0];
    return {hit: {body: 'bar', point, node, distance: hit.distance, rest: this.surface.rest[node]}};
  }

  private set(values: Record<string, number | number[]>): object {
    for (const [name, value] of Object.entries(values)) {
      const example = examplesOf(this.document).find((e) => name.startsWith(`${e.at}/`));
      if (!example) continue;
      const list = Array.isArray(value) ? value : [value];
      const knots = example.curve.knots.map((k, i) => (name.endsWith('/at') ? {...k, x: list[i]} : {...k, gamma: list[i]}));
      const change: Change = knots.length > 1 ? {at: `${example.at}/curve`, value: knots.map((k) => [k.x, k.gamma])} : {at: `${example.at}/gamma`, value: knots[0].gamma};
      this.document = applyAll(this.document, [change]).document;
    }
    this.remake();
    return {values};
  }

  private edit(changes: Change[]): object {
    const next = applyAll(this.document, changes).document;
    if (get(next, '/bodies/0/name') === undefined) throw new Error('/bodies/0/name: nothing found; a text was expected');
    this.document = next;
    this.remake();
    this.tellAll(this.describe('changed'));
    return {};
  }

  private design(targets: {example: string; from: number; left: number}[]): object {
    const job = ++this.job;
    let progress = 0;
    const timer = setInterval(() => {
      progress += 0.25;
      if (progress < 1) return this.tellAll({type: 'event', kind: 'design', job, progress, text: `sweep 1, ${targets.length} targets`});
      clearInterval(timer);
      const results = targets.map((t) => ({...t, asked: t.left, achieved: t.left * 1.0012, reached: t.left > 0.1 * t.from, reason: t.left > 0.1 * t.from ? '' : 'even the strongest gain leaves 0.1: the other modes carry the rest'}));
      this.edit(targets.flatMap((t): Change[] => {
        const example = examplesOf(this.document).find((e) => e.name === t.example);
        return example && example.curve.knots.length === 1 ? [{at: `${example.at}/gamma`, value: 2 as Json}] : [];
      }));
      this.tellAll({type: 'event', kind: 'design', job, progress: 1, done: true, ok: true, results, simulations: 17});
    }, 60);
    return {job};
  }
}
