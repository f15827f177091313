// Springs and strands: lines some pixels wide, and beads at nodes that no triangle has.

import {BufferAttribute, BufferGeometry, Points, PointsMaterial, type Scene} from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

import type {Topology} from '../net/protocol';

/** Round points some pixels wide. */
export function dots(size: number, color?: number): PointsMaterial {
  const material = new PointsMaterial({size, sizeAttenuation: false, ...(color === undefined ? {vertexColors: true} : {color})});
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <clipping_planes_fragment>', 'if (length(gl_PointCoord - 0.5) > 0.5) discard;\n#include <clipping_planes_fragment>');
  };
  return material;
}

/** Vertices that no triangle has, ascending. */
export function loose(topology: Pick<Topology, 'points' | 'triangles'>): number[] {
  const held = new Uint8Array(topology.points.length);
  for (const vertex of topology.triangles) held[vertex] = 1;
  return [...held.keys()].filter((vertex) => !held[vertex]);
}

export class Lines {
  private readonly segments: LineSegments2;
  private readonly ends: Float32Array;
  private readonly beads: Points;

  /** `positions` and `colors` are those of all vertices, three numbers each; positions are read again by `update`. */
  constructor(
    private readonly topology: Topology,
    private readonly positions: BufferAttribute,
    colors: BufferAttribute,
  ) {
    this.ends = new Float32Array(3 * topology.lines.length);
    const ofEnds = new Float32Array(3 * topology.lines.length);
    topology.lines.forEach((vertex, i) => ofEnds.set(colors.array.slice(3 * vertex, 3 * vertex + 3), 3 * i));
    const geometry = new LineSegmentsGeometry();
    if (topology.lines.length > 0) geometry.setPositions(this.ends).setColors(ofEnds);
    this.segments = new LineSegments2(geometry, new LineMaterial({linewidth: 3, vertexColors: true}));
    this.segments.frustumCulled = false;
    this.segments.visible = topology.lines.length > 0;
    const nodes = loose(topology);
    const points = new BufferGeometry();
    points.setAttribute('position', positions);
    points.setAttribute('color', colors);
    points.setIndex(nodes);
    this.beads = new Points(points, dots(6));
    this.beads.frustumCulled = false;
    this.beads.visible = nodes.length > 0;
  }

  addTo(scene: Scene): void {
    scene.add(this.segments, this.beads);
  }

  update(): void {
    const {lines} = this.topology;
    if (lines.length === 0) return;
    const from = this.positions.array;
    for (let i = 0; i < lines.length; ++i) for (let c = 0; c < 3; ++c) this.ends[3 * i + c] = from[3 * lines[i] + c];
    const start = this.segments.geometry.attributes.instanceStart as unknown as {data: {array: Float32Array; needsUpdate: boolean}};
    start.data.array.set(this.ends);
    start.data.needsUpdate = true;
  }

  dispose(): void {
    this.segments.geometry.dispose();
    this.beads.geometry.dispose();
  }
}
