// What is around the bodies: planes and other colliders, the same in all viewports; where a scene has no plane, a grid below the bodies,
// which says how large they are.

import {BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, GridHelper, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, Quaternion, type Scene, Vector3} from 'three';

import {dequantise, type Frame, type Ground, type Topology, type Vec3} from '../net/protocol';
import {vertexNormals} from './normals';

export interface Bounds {
  low: Vec3;
  high: Vec3;
}

export const diagonal = ({low, high}: Bounds): number => Math.hypot(...low.map((value, i) => high[i] - value));

export function boundsOf(positions: Float32Array): Bounds {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return {low, high};
}

/** The bodies with the colliders, unless these are so large that the bodies would not be seen. */
export function framed(bodies: Bounds, colliders: Bounds | null): Bounds {
  if (!colliders || !(diagonal(colliders) < 2.5 * diagonal(bodies))) return bodies;
  return {low: bodies.low.map((v, i) => Math.min(v, colliders.low[i])) as Vec3, high: bodies.high.map((v, i) => Math.max(v, colliders.high[i])) as Vec3};
}

const gridColor = 0x808890;

export class Surroundings {
  private readonly geometry = new BufferGeometry();
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly material = new MeshStandardMaterial({color: 0xa9afb8, side: DoubleSide, roughness: 0.85, metalness: 0});
  private readonly triangles: Uint32Array;
  private readonly grounds: Ground[];

  constructor(topology: Topology) {
    this.triangles = topology.sceneryTriangles;
    this.grounds = topology.text.grounds ?? [];
    this.positions = new Float32Array(3 * topology.sceneryVertices);
    this.normals = new Float32Array(3 * topology.sceneryVertices);
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('normal', new BufferAttribute(this.normals, 3).setUsage(DynamicDrawUsage));
    this.geometry.setIndex(new BufferAttribute(this.triangles, 1));
  }

  get bounds(): Bounds | null {
    return this.positions.length > 0 ? boundsOf(this.positions) : null;
  }

  show(frame: Frame): void {
    if (this.positions.length === 0 || frame.scenery.count * 3 !== this.positions.length) return;
    dequantise(frame.scenery, this.positions);
    vertexNormals(this.positions, this.triangles, this.normals);
    for (const name of ['position', 'normal']) this.geometry.attributes[name].needsUpdate = true;
  }

  /** `bodies`: their box at the first frame. */
  addTo(scene: Scene, bodies: Bounds): void {
    const mesh = new Mesh(this.geometry, this.material);
    mesh.frustumCulled = false;
    if (this.triangles.length > 0) scene.add(mesh);
    const extent = diagonal(bodies) || 1;
    const cell = 10 ** Math.round(Math.log10(extent / 5));
    if (this.grounds.length > 0) {
      for (const ground of this.grounds) scene.add(plane(ground, bodies, cell));
      return;
    }
    const lowest = framed(bodies, this.bounds).low[1];
    scene.add(placed({point: [0, lowest - 0.01 * extent, 0], normal: [0, 1, 0]}, bodies, cell, grid(cell, 10)));
  }

  dispose(): void {
    this.geometry.dispose();
  }
}

function grid(cell: number, half: number): GridHelper {
  const lines = new GridHelper(2 * half * cell, 2 * half, gridColor, gridColor);
  lines.material.transparent = true;
  lines.material.opacity = 0.22;
  return lines;
}

/** A piece of a plane with a grid on it below the bodies, and a sheet that goes on. */
function plane(ground: Ground, bodies: Bounds, cell: number): Group {
  const material = new MeshBasicMaterial({color: gridColor, transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
  const sheet = new Mesh(new PlaneGeometry(400 * cell, 400 * cell).rotateX(-Math.PI / 2), material);
  return placed(ground, bodies, cell, sheet, grid(cell, 20));
}

/** Things that lie in the plane y = 0 are brought to a ground, below the middle of the bodies, in whole cells. */
function placed(ground: Ground, bodies: Bounds, cell: number, ...things: (Mesh | GridHelper)[]): Group {
  const group = new Group();
  group.add(...things);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...ground.normal).normalize());
  const point = new Vector3(...ground.point);
  const middle = new Vector3(...(bodies.low.map((value, i) => (value + bodies.high[i]) / 2) as Vec3));
  const local = middle.sub(point).applyQuaternion(turn.clone().invert());
  const snap = (value: number) => Math.round(value / cell) * cell;
  group.quaternion.copy(turn);
  group.position.copy(new Vector3(snap(local.x), 0, snap(local.z)).applyQuaternion(turn).add(point));
  return group;
}
