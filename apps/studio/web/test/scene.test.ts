import {describe, expect, test} from 'vitest';

import {splitAtCreases} from '../src/scene3d/creases';
import {vertexNormals} from '../src/scene3d/normals';
import {loose} from '../src/scene3d/lines';
import {boundsOf, framed} from '../src/scene3d/surroundings';

describe('what is drawn', () => {
  test('nodes that no triangle has are beads', () => {
    expect(loose({points: new Uint32Array(5), triangles: new Uint32Array([0, 3, 1])})).toEqual([2, 4]);
  });
  test('colliders are in the picture unless they are far larger than the bodies', () => {
    const bodies = boundsOf(new Float32Array([0, 0, 0, 1, 1, 1]));
    const near = boundsOf(new Float32Array([-1, 0, 0, 1, -0.5, 1]));
    const wall = boundsOf(new Float32Array([-50, -50, 0, 50, 50, 0.1]));
    expect(framed(bodies, near)).toEqual({low: [-1, -0.5, 0], high: [1, 1, 1]});
    expect(framed(bodies, wall)).toEqual(bodies);
    expect(framed(bodies, null)).toEqual(bodies);
  });
  test('the edges of a box stay sharp, those of a bent sheet do not', () => {
    const corners = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [x, y, z])));
    const box = new Float32Array(corners.flat());
    const quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    const triangles = new Uint32Array(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
    const split = splitAtCreases(box, triangles);
    expect(split.source.length).toBe(24);
    expect([...split.triangles].map((vertex) => split.source[vertex])).toEqual([...triangles]);
    const drawn = new Float32Array([...split.source].flatMap((vertex) => [...box.slice(3 * vertex, 3 * vertex + 3)]));
    const normals = new Float32Array(drawn.length);
    vertexNormals(drawn, split.triangles, normals);
    for (let i = 0; i < normals.length; i += 3) expect(Math.max(...normals.slice(i, i + 3).map(Math.abs))).toBeCloseTo(1, 6); // along an axis
    const sheet = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0.3, 1, 2, 0.3]); // 17 degrees
    expect(splitAtCreases(sheet, new Uint32Array([0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4])).source.length).toBe(6);
  });
});
