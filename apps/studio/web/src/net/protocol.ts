// The messages between page and server (docs/design/0020-studio.md), subprotocol dashpot.studio.1. Binary is little-endian.

import type {Curve, Preset} from '../logic/curve';
import type {Change, Json} from '../logic/pointer';

export const subprotocol = 'dashpot.studio.1';
export const frameMagic = 0x32465044; // "DPF2"
export const topologyMagic = 0x32545044; // "DPT2"

export type Vec3 = [number, number, number];

export interface View {
  kind: 'designed' | 'reference' | 'undamped' | 'example' | 'mode';
  name?: string;
  index?: number;
}
export interface Parameter {
  name: string;
  unit: string;
  minimum?: number | null;
  maximum?: number | null;
  value: number | number[];
}
export interface Example {
  name: string;
  body: string;
  at: string;
  frequency: number | null;
  zeta: number | null; // of the body's damping along the example, gain 1
  measure: 'displacement' | 'velocity' | 'constant';
  unit: string;
  size: number; // m
  curve: {interpolation: Curve['interpolation']; points: [number, number][]};
}
export interface Body {
  name: string;
  at: string;
  color: string;
}
export interface Hello {
  type: 'hello' | 'changed';
  version?: string;
  document: Json;
  title: string;
  path: string | null;
  topology: number;
  bodies: Body[];
  stepper: string;
  kind: 'scene' | 'run';
  views: View[];
  parameters: Parameter[];
  examples: Example[];
  presets: Preset[];
  dt: number;
  integrator: string;
  speed?: number;
  test?: boolean;
  mouse?: MouseHolder;
}
export type MouseHolder = 'you' | 'other' | 'free';
export interface WorldEnergy {
  kind: string;
  kinetic: number;
  elastic: number;
  gravity: number;
  total: number;
  external: number;
  numerical: number;
  damping: Record<string, number>;
  drift: number;
}
export interface Status {
  type: 'status';
  time: number;
  frame: number; // the newest frame there is; it shows this time or a later one
  playing: boolean;
  step_ms: number;
  fps: number;
  newton: number;
  worlds: WorldEnergy[];
  mouse_force: number;
  examples: {name: string; amplitude: number; speed: number; gain: number}[];
  decay: {world: string; t: number; envelope: number}[];
  zeta: {world: string; amplitude: number; zeta: number}[];
  took: string;
  recorded: [number, number];
  released: number | null;
  mouse?: MouseHolder;
}
export interface DesignResult {
  example: string;
  from: number;
  asked: number;
  achieved: number;
  reached: boolean;
  reason: string;
}
export interface Problem {
  where: string;
  text: string;
}
export interface ServerEvent {
  type: 'event';
  kind: 'design' | 'failure' | 'note' | 'job' | 'values';
  values?: Record<string, number | number[]>; // turned by whoever holds the knobs
  text?: string;
  job?: number;
  progress?: number;
  done?: boolean;
  ok?: boolean;
  results?: DesignResult[];
  simulations?: number;
  problems?: Problem[];
}
export interface Reply {
  reply: number;
  ok: boolean;
  error?: string;
  problems?: Problem[];
  [key: string]: unknown;
}
export type ServerText = Hello | Status | ServerEvent | Reply;

export interface Hit {
  body: string;
  point: Vec3;
  node: number;
  distance: number;
  rest?: Vec3;
}
export interface ModeInfo {
  frequency: number;
  zeta: number;
  zeta_integrator: number;
  alpha: number;
  beta: number;
}

export interface Commands {
  play: {};
  pause: {};
  reset: {};
  step: {count: number};
  speed: {factor: number};
  mouse: {take: boolean};
  pick: {view: number; origin: Vec3; direction: Vec3};
  grab: {node: number; radius: number; stiffness: number; pose?: boolean};
  drag: {target: Vec3};
  release: {};
  poke: {node: number; impulse: Vec3};
  pin: {node: number; radius: number};
  unpin: {node: number; radius: number};
  set: {values: Record<string, number | number[]>};
  edit: {changes: Change[]; quiet?: boolean};
  views: {views: View[]};
  modes: {count: number};
  example: {from: 'mode' | 'current' | 'pose'; index?: number; amplitude?: number; name: string; relaxed?: boolean};
  design: {targets: {example: string; from: number; left: number}[]};
  cancel: {job: number};
  equivalent: {frequency?: number; mode?: number; zeta?: number; lost_per_cycle?: number; settle_time?: number};
  scrub: {time: number};
  open: {path: string; kind: 'scene' | 'run'};
  save: {path: string};
  ack: {frame: number};
}

export interface FrameView {
  minimum: Vec3;
  step: Vec3;
  count: number;
  quantised: Int16Array; // 3 per vertex
}
export interface Spring {
  point: Vec3;
  target: Vec3;
  force: number; // N
}
export interface Frame {
  number: number;
  time: number;
  views: FrameView[];
  scenery: FrameView; // colliders: the same in all views
  spring: Spring | null;
}
/** A plane that collides, without end. */
export interface Ground {
  point: Vec3;
  normal: Vec3;
}
export interface Topology {
  points: Uint32Array; // point of the System, per vertex
  bodyOf: Uint32Array;
  colors: Uint8Array; // r, g, b, 0 per vertex
  triangles: Uint32Array;
  lines: Uint32Array; // springs and strands, two vertices each
  sceneryVertices: number;
  sceneryTriangles: Uint32Array; // into the vertices of the scenery
  text: {bodies?: string[]; scenery?: string[]; grounds?: Ground[]; regions?: string[]; box?: [Vec3, Vec3]; unit?: string; pinned?: number[]};
}

class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly data: ArrayBuffer) {
    this.view = new DataView(data);
  }
  private take(bytes: number): number {
    const from = this.at;
    if (bytes < 0 || from + bytes > this.data.byteLength) throw new Error(`message of ${this.data.byteLength} bytes ends too early`);
    this.at += bytes;
    return from;
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }
  vec3(): Vec3 {
    return [this.f32(), this.f32(), this.f32()];
  }
  i16(count: number): Int16Array {
    return new Int16Array(this.data, this.take(2 * count), count);
  }
  u32s(count: number): Uint32Array {
    return new Uint32Array(this.data, this.take(4 * count), count);
  }
  bytes(count: number): Uint8Array {
    return new Uint8Array(this.data, this.take(count), count);
  }
  pad(): void {
    this.at = Math.min(this.data.byteLength, (this.at + 3) & ~3);
  }
}

/** Reads a frame. Throws on anything that is not one; positions stay quantised, in the message's own memory. */
export function decodeFrame(data: ArrayBuffer): Frame {
  const reader = new Reader(data);
  if (reader.u32() !== frameMagic) throw new Error('not a frame');
  const number = reader.u32();
  const time = reader.f64();
  const count = reader.u32();
  if (count > 16) throw new Error(`${count} views in a frame`);
  const views: FrameView[] = [];
  for (let i = 0; i < count; ++i) views.push(decodePositions(reader));
  const scenery = decodePositions(reader);
  const held = reader.u32();
  const point = reader.vec3();
  const target = reader.vec3();
  const force = reader.f32();
  return {number, time, views, scenery, spring: held ? {point, target, force} : null};
}

function decodePositions(reader: Reader): FrameView {
  const minimum = reader.vec3();
  const step = reader.vec3();
  const count = reader.u32();
  const quantised = reader.i16(3 * count);
  reader.pad();
  return {minimum, step, count, quantised};
}

/** Positions of a view [m] into `out`, three per vertex. */
export function dequantise(view: FrameView, out: Float32Array): void {
  const [mx, my, mz] = view.minimum;
  const [sx, sy, sz] = view.step;
  const q = view.quantised;
  for (let i = 0; i < q.length; i += 3) {
    out[i] = mx + sx * (q[i] + 32768);
    out[i + 1] = my + sy * (q[i + 1] + 32768);
    out[i + 2] = mz + sz * (q[i + 2] + 32768);
  }
}

export function decodeTopology(data: ArrayBuffer): Topology {
  const reader = new Reader(data);
  if (reader.u32() !== topologyMagic) throw new Error('not a surface');
  const vertices = reader.u32();
  const triangles = reader.u32();
  const lines = reader.u32();
  const sceneryVertices = reader.u32();
  const sceneryTriangles = reader.u32();
  reader.u32(); // bodies: their names are in the text
  const points = new Uint32Array(vertices);
  const bodyOf = new Uint32Array(vertices);
  const colors = new Uint8Array(4 * vertices);
  for (let i = 0; i < vertices; ++i) {
    points[i] = reader.u32();
    bodyOf[i] = reader.u32();
    colors.set(reader.bytes(4), 4 * i);
  }
  const indices = (what: string, count: number, limit: number) => {
    const list = reader.u32s(count);
    if (list.some((i) => i >= limit)) throw new Error(`a ${what} names a vertex that does not exist`);
    return list;
  };
  const surface = indices('triangle', 3 * triangles, vertices);
  const segments = indices('line', 2 * lines, vertices);
  const scenery = indices('triangle of a collider', 3 * sceneryTriangles, sceneryVertices);
  const length = reader.u32();
  const text = JSON.parse(new TextDecoder().decode(reader.bytes(length))) as Topology['text'];
  return {points, bodyOf, colors, triangles: surface, lines: segments, sceneryVertices, sceneryTriangles: scenery, text};
}

export function isReply(message: ServerText): message is Reply {
  return 'reply' in message;
}

/** The points of a curve as they stand in messages and in scenes. */
export function curveOf(example: Example): Curve {
  return {interpolation: example.curve.interpolation, knots: example.curve.points.map(([x, gamma]) => ({x, gamma}))};
}

// What a model of the registry takes.
export interface RegistryParameter {
  name: string;
  symbol?: string;
  unit?: string;
  kind: string;
  minimum?: number | null;
  maximum?: number | null;
  choices?: string[];
  category?: string;
  required?: boolean;
  default?: Json;
  meaning?: string;
  fields?: RegistryParameter[];
  element?: RegistryParameter;
}
export interface RegistryModel {
  category: string;
  name: string;
  meaning: string;
  reference?: string;
  parameters: RegistryParameter[];
  examples?: Json[];
}
export interface Registry {
  schema?: Json;
  models: RegistryModel[];
}
