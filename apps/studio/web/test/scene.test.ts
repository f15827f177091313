import {describe, expect, test} from 'vitest';

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
});
