// One WebGL canvas with one to four viewports of the same bodies in different states. They share camera, light and topology; each has its
// own positions. Buffers are made once for a topology and written into; the picture is drawn when something changed.

import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, HemisphereLight, Mesh,
  MeshStandardMaterial, PerspectiveCamera, Points, Scene, Vector3, WebGLRenderer,
} from 'three';

import {dequantise, type Frame, type FrameView, type Topology, type Vec3} from '../net/protocol';
import {type Split, splitAtCreases} from './creases';
import {type Box, tileAt, tiles} from './layout';
import {dots, Lines} from './lines';
import {vertexNormals} from './normals';
import {eye, fitted, type Orbit} from './orbit';
import {type Bounds, boundsOf, diagonal, framed, Surroundings} from './surroundings';

const opening = (35 * Math.PI) / 180;
const manyPins = 200; // drawn smaller, so that the body is seen between them
const tooManyForNormals = 60000; // triangles; above, faces are shaded flat by the graphics card

interface Surface {
  scene: Scene;
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  positions: Float32Array; // of the vertices of the topology
  points: BufferAttribute; // the same, for lines and pins
  drawn: Float32Array; // of the vertices that triangles have, split at creases
  normals: Float32Array;
  lines: Lines;
}

/** Whether a camera that sees one box whole sees the other about as well. */
function isNear(a: Bounds, b: Bounds): boolean {
  const ratio = diagonal(b) / (diagonal(a) || 1);
  const apart = Math.hypot(...a.low.map((value, i) => (value + a.high[i] - b.low[i] - b.high[i]) / 2));
  return ratio > 0.5 && ratio < 2 && apart < 0.3 * diagonal(a);
}

export interface Ray {
  view: number;
  origin: Vec3;
  direction: Vec3;
}

export class Viewer {
  readonly canvas: HTMLCanvasElement;
  orbit: Orbit = {target: [0, 0, 0], distance: 3, azimuth: 0.6, elevation: 0.35};
  boxes: Box[] = [];
  drawn = 0; // pictures so far
  onDraw: () => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  private surfaces: Surface[] = [];
  private topology: Topology | null = null;
  private split: Split | null = null;
  private triangles: BufferAttribute | null = null;
  private drawnColors: BufferAttribute | null = null;
  private colors: BufferAttribute | null = null;
  private framed = false;
  private isOther = true; // bodies that were not seen yet
  private latest: Frame | null = null;
  private shown: Frame | null = null;
  private surroundings: Surroundings | null = null;
  private requested = 0;
  private size = {width: 1, height: 1};
  private box: Bounds | null = null;
  private middle: Vec3 | null = null; // of the bodies in the last frame

  /** Throws where there is no WebGL. */
  constructor(
    private readonly parent: HTMLElement,
    private readonly testing: boolean,
  ) {
    this.renderer = new WebGLRenderer({antialias: !testing, powerPreference: 'high-performance'});
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute('aria-hidden', 'true');
    this.renderer.setScissorTest(true);
    parent.prepend(this.canvas);
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
  }

  get views(): number {
    return Math.max(1, this.surfaces.length);
  }
  get hasFrame(): boolean {
    return this.framed;
  }
  /** Number of the frame that is shown; null: none of this connection yet. */
  get shownFrame(): number | null {
    return this.shown?.number ?? null;
  }
  /** Frames are counted anew: the server may be another. */
  forgetCount(): void {
    this.shown = null;
  }
  get extent(): number {
    return this.box ? diagonal(this.box) || 1 : 1;
  }

  setTopology(topology: Topology): void {
    this.topology = topology;
    const linear = new Float32Array(3 * topology.points.length);
    const color = new Color();
    for (let i = 0; i < topology.points.length; ++i) {
      color.setRGB(topology.colors[4 * i] / 255, topology.colors[4 * i + 1] / 255, topology.colors[4 * i + 2] / 255, 'srgb');
      color.toArray(linear, 3 * i);
    }
    this.colors = new BufferAttribute(linear, 3);
    for (const {mesh, lines} of this.surfaces) {
      mesh.geometry.dispose();
      lines.dispose();
    }
    this.surroundings?.dispose();
    this.surroundings = new Surroundings(topology);
    this.surfaces = [];
    this.framed = false;
    this.shown = null;
    if (this.latest) this.show(this.latest); // it may have come before its surface
  }

  show(frame: Frame): void {
    this.latest = frame;
    if (!this.topology) return;
    const count = this.topology.points.length;
    const views = frame.views.filter((view) => view.count === count); // a frame of the surface before is skipped
    if (views.length === 0 || views.length !== frame.views.length) return;
    this.shown = frame;
    this.surroundings?.show(frame);
    const before = this.box;
    if (!this.framed) this.readFirst(views[0]);
    while (this.surfaces.length < views.length) this.surfaces.push(this.makeSurface());
    if (this.surfaces.length > views.length) this.surfaces.length = views.length;
    views.forEach((view, i) => {
      const surface = this.surfaces[i];
      dequantise(view, surface.positions);
      this.update(surface);
    });
    this.follow(boundsOf(this.surfaces[0].positions));
    if (this.boxes.length !== views.length) this.layout();
    if (!this.framed) this.begin(before);
    this.request();
  }

  /** What the first frame of a topology says: where its bodies are, and which edges are sharp. */
  private readFirst(view: FrameView): void {
    const topology = this.topology as Topology;
    const positions = new Float32Array(3 * view.count);
    dequantise(view, positions);
    this.box = boundsOf(positions);
    this.middle = null;
    const isSmooth = topology.triangles.length / 3 <= tooManyForNormals;
    this.split = isSmooth ? splitAtCreases(positions, topology.triangles) : {source: Uint32Array.from(topology.points.keys()), triangles: topology.triangles};
    this.triangles = new BufferAttribute(this.split.triangles, 1);
    const colors = new Float32Array(3 * this.split.source.length);
    const own = (this.colors as BufferAttribute).array;
    this.split.source.forEach((vertex, i) => colors.set(own.slice(3 * vertex, 3 * vertex + 3), 3 * i));
    this.drawnColors = new BufferAttribute(colors, 3);
  }

  private update(surface: Surface): void {
    const {source, triangles} = this.split as Split;
    const {positions, drawn} = surface;
    for (let i = 0; i < source.length; ++i) for (let c = 0; c < 3; ++c) drawn[3 * i + c] = positions[3 * source[i] + c];
    if (!surface.mesh.material.flatShading) vertexNormals(drawn, triangles, surface.normals);
    for (const name of ['position', 'normal']) surface.mesh.geometry.attributes[name].needsUpdate = true;
    surface.points.needsUpdate = true;
    surface.lines.update();
  }

  /** Bodies that move out of the picture take the camera along. */
  private follow({low, high}: Bounds): void {
    const middle = low.map((value, i) => (value + high[i]) / 2) as Vec3;
    const before = this.middle;
    this.middle = middle;
    if (!before || this.boxes.length === 0 || !middle.every(Number.isFinite)) return;
    const distance = (from: Vec3) => Math.hypot(...from.map((value, i) => value - this.orbit.target[i]));
    const far = 0.55 * this.orbit.distance * Math.tan(opening / 2);
    if (distance(middle) <= far || distance(middle) <= distance(before)) return;
    this.orbit = {...this.orbit, target: this.orbit.target.map((value, i) => value + middle[i] - before[i]) as Vec3};
  }

  /** The first frame of a topology. The camera stays where it is while the bodies are about as large and about where they were. */
  private begin(before: Bounds | null): void {
    this.framed = true;
    const box = this.box as Bounds;
    if (this.isOther || !before || !isNear(before, box)) this.lookAt(box);
    this.isOther = false;
  }

  /** Another scene is coming: the camera will look for its bodies. */
  expectOther(): void {
    this.isOther = true;
  }

  private lookAt(bodies: Bounds): void {
    if (this.boxes.length === 0) return;
    const {low, high} = framed(bodies, this.surroundings?.bounds ?? null);
    this.orbit = fitted(low, high, opening, this.boxes[0].width / this.boxes[0].height, this.orbit);
    this.request();
  }

  fit(): void {
    if (this.surfaces.length > 0) this.lookAt(boundsOf(this.surfaces[0].positions));
  }

  private makeSurface(): Surface {
    const topology = this.topology as Topology;
    const count = topology.points.length;
    const geometry = new BufferGeometry();
    const positions = new Float32Array(3 * count);
    const points = new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage);
    const drawn = new Float32Array(3 * (this.split as Split).source.length);
    const normals = new Float32Array(drawn.length);
    geometry.setAttribute('position', new BufferAttribute(drawn, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', this.drawnColors as BufferAttribute);
    geometry.setIndex(this.triangles);
    const material = new MeshStandardMaterial({vertexColors: true, side: DoubleSide, roughness: 0.65, metalness: 0});
    material.flatShading = topology.triangles.length / 3 > tooManyForNormals;
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    const scene = new Scene();
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.set(1, 2, 1.5);
    scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.1), new AmbientLight(0xffffff, 0.25), sun, mesh);
    scene.add(this.makePins(points, topology.text.pinned ?? []));
    const lines = new Lines(topology, points, this.colors as BufferAttribute);
    lines.addTo(scene);
    if (this.box) this.surroundings?.addTo(scene, this.box);
    return {scene, mesh, positions, points, drawn, normals, lines};
  }

  private makePins(positions: BufferAttribute, pinned: number[]): Points {
    const held = new BufferGeometry();
    held.setAttribute('position', positions);
    held.setIndex(pinned);
    const points = new Points(held, dots(pinned.length > manyPins ? 3 : 7, 0xd55e00));
    points.frustumCulled = false;
    points.renderOrder = 1; // over the beads of springs
    points.visible = pinned.length > 0;
    return points;
  }

  resize(): void {
    const width = Math.max(1, this.parent.clientWidth);
    const height = Math.max(1, this.parent.clientHeight);
    this.size = {width, height};
    this.renderer.setPixelRatio(this.testing ? 0.5 : Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height);
    this.layout();
    this.request();
  }

  private layout(): void {
    this.boxes = tiles(this.views, this.size.width, this.size.height);
    this.onDraw();
  }

  request(): void {
    if (this.requested) return;
    this.requested = requestAnimationFrame(() => {
      this.requested = 0;
      this.draw();
    });
  }

  private aim(box: Box): void {
    const camera = this.camera;
    camera.aspect = box.width / box.height;
    camera.near = this.orbit.distance / 200;
    camera.far = this.orbit.distance * 20;
    camera.position.set(...eye(this.orbit));
    camera.lookAt(...this.orbit.target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  private draw(): void {
    if (!this.framed) return;
    const background = new Color(getComputedStyle(document.documentElement).getPropertyValue('--view').trim() || '#e8eaee');
    this.renderer.setClearColor(background);
    this.surfaces.forEach((surface, i) => {
      const box = this.boxes[i];
      if (!box) return;
      this.aim(box);
      const y = this.size.height - box.y - box.height;
      this.renderer.setViewport(box.x, y, box.width, box.height);
      this.renderer.setScissor(box.x, y, box.width, box.height);
      this.renderer.render(surface.scene, this.camera);
    });
    ++this.drawn;
    this.onDraw();
  }

  /** The ray through a point of the canvas [px]; null outside the viewports. */
  ray(x: number, y: number): Ray | null {
    const view = tileAt(this.boxes, x, y);
    if (view < 0 || !this.framed) return null;
    const box = this.boxes[view];
    this.aim(box);
    const far = new Vector3(((x - box.x) / box.width) * 2 - 1, 1 - ((y - box.y) / box.height) * 2, 0.5).unproject(this.camera);
    const origin = eye(this.orbit);
    const direction = far.sub(this.camera.position).normalize();
    return {view, origin, direction: direction.toArray() as Vec3};
  }

  /** Where a point of the world is in a viewport [px]; null behind the eye. */
  project(view: number, point: Vec3): [number, number] | null {
    const box = this.boxes[view];
    if (!box) return null;
    this.aim(box);
    const p = new Vector3(...point).project(this.camera);
    if (p.z > 1) return null;
    return [box.x + ((p.x + 1) / 2) * box.width, box.y + ((1 - p.y) / 2) * box.height];
  }

  /** Position of vertex `index` as last shown in a view. */
  vertex(view: number, index: number): Vec3 | null {
    const positions = this.surfaces[view]?.positions;
    return positions && 3 * index + 2 < positions.length ? [positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]] : null;
  }

  /** Meters a pixel is wide at a point. */
  pixelSize(view: number, point: Vec3): number {
    const box = this.boxes[view] ?? this.boxes[0];
    const from = eye(this.orbit);
    const distance = Math.hypot(...point.map((value, i) => value - from[i]));
    return (2 * distance * Math.tan(opening / 2)) / box.height;
  }
}
