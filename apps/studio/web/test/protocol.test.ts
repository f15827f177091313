import {describe, expect, test} from 'vitest';

import {decodeFrame, decodeTopology, dequantise} from '../src/net/protocol';
import {encodeFrame, encodeTopology} from '../mock/encode';

const positions = new Float32Array([0, 0, 0, 1, 0.5, 0.25, -1, 2, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);

describe('frames', () => {
  test('carry positions to within the box over 65535', () => {
    const data = encodeFrame(7, 1.25, [positions, positions.slice(0, 3)], {point: [1, 2, 3], target: [4, 5, 6], force: 9.5});
    const frame = decodeFrame(data);
    expect([frame.number, frame.time, frame.views.length]).toEqual([7, 1.25, 2]);
    expect(frame.spring).toEqual({point: [1, 2, 3], target: [4, 5, 6], force: 9.5});
    const out = new Float32Array(positions.length);
    dequantise(frame.views[0], out);
    const box = [2, 2, 3];
    positions.forEach((value, i) => expect(Math.abs(out[i] - value)).toBeLessThanOrEqual(box[i % 3] / 65535 + 1e-6));
    expect(frame.views[1].count).toBe(1);
    expect(frame.scenery.count).toBe(0);
    expect(decodeFrame(encodeFrame(1, 0, [], null)).spring).toBeNull();
  });
  test('carry colliders once, beside the views', () => {
    const frame = decodeFrame(encodeFrame(7, 1.25, [positions, positions], null, positions.slice(3, 9)));
    const out = new Float32Array(6);
    dequantise(frame.scenery, out);
    expect(frame.scenery.count).toBe(2);
    [1, 0.5, 0.25, -1, 2, 3].forEach((value, i) => expect(out[i]).toBeCloseTo(value, 3));
  });
  test('that are cut or foreign are refused', () => {
    const data = encodeFrame(7, 1.25, [positions], null);
    for (let n = 0; n < data.byteLength; ++n) expect(() => decodeFrame(data.slice(0, n))).toThrow();
    expect(() => decodeFrame(new ArrayBuffer(64))).toThrow(/not a frame/);
  });
});

describe('surfaces', () => {
  test('carry points, bodies, colors, triangles and text', () => {
    const data = encodeTopology([5, 6, 7], [0, 0, 1], [[255, 0, 1]], [[0, 1, 2]], {bodies: ['a', 'b'], pinned: [2]});
    const topology = decodeTopology(data);
    expect([...topology.points]).toEqual([5, 6, 7]);
    expect([...topology.bodyOf]).toEqual([0, 0, 1]);
    expect([...topology.triangles]).toEqual([0, 1, 2]);
    expect([...topology.colors.slice(0, 4)]).toEqual([255, 0, 1, 0]);
    expect(topology.text.bodies).toEqual(['a', 'b']);
    for (let n = 0; n < data.byteLength; ++n) expect(() => decodeTopology(data.slice(0, n))).toThrow();
    expect(() => decodeTopology(encodeTopology([5], [0], [[0, 0, 0]], [[0, 0, 1]], {}))).toThrow(/does not exist/);
  });
  test('carry springs as lines, and colliders', () => {
    const more = {lines: [[0, 1], [2, 1]], sceneryVertices: 4, sceneryTriangles: [[3, 1, 0]]};
    const ground = {point: [0, 0, 0], normal: [0, 1, 0]};
    const data = encodeTopology([5, 6, 7], [0, 0, 0], [[0, 0, 0]], [], {grounds: [ground]}, more);
    const topology = decodeTopology(data);
    expect([...topology.lines]).toEqual([0, 1, 2, 1]);
    expect(topology.sceneryVertices).toBe(4);
    expect([...topology.sceneryTriangles]).toEqual([3, 1, 0]);
    expect(topology.text.grounds).toEqual([ground]);
    for (let n = 0; n < data.byteLength; ++n) expect(() => decodeTopology(data.slice(0, n))).toThrow();
    expect(() => decodeTopology(encodeTopology([5], [0], [[0, 0, 0]], [], {}, {lines: [[0, 1]]}))).toThrow(/line names/);
    expect(() => decodeTopology(encodeTopology([5], [0], [[0, 0, 0]], [], {}, {sceneryVertices: 2, sceneryTriangles: [[0, 1, 2]]}))).toThrow(/collider names/);
  });
});
