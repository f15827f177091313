import {describe, expect, test} from 'vitest';

import {type Curve, constantCurve, gainAt, insertKnot, moveKnot, presetCurve, problemsOf, removeKnot, sampler, scaled, withInterpolation} from '../src/logic/curve';

const knots = [
  {x: 0.1, gamma: 0.2},
  {x: 0.5, gamma: 3},
  {x: 0.7, gamma: 2.5},
  {x: 1.5, gamma: 40},
];
const monotone: Curve = {interpolation: 'monotone', knots};
const xs = Array.from({length: 161}, (_, i) => i * 0.01);

describe('gain curves', () => {
  test('pass through their points and are constant outside', () => {
    for (const interpolation of ['linear', 'monotone'] as const) {
      const at = sampler({interpolation, knots});
      for (const k of knots) expect(at(k.x)).toBeCloseTo(k.gamma, 12);
      expect(at(0)).toBeCloseTo(0.2, 12);
      expect(at(9)).toBeCloseTo(40, 10);
    }
  });

  // Values computed by math::GainCurve for the same points.
  test('straight lines are straight in the logarithm', () => {
    expect(gainAt({interpolation: 'linear', knots: [{x: 0, gamma: 0.1}, {x: 1, gamma: 10}]}, 0.5)).toBeCloseTo(1, 12);
    expect(gainAt({interpolation: 'linear', knots}, 0.3)).toBeCloseTo(Math.sqrt(0.2 * 3), 12);
  });

  test('the monotone cubic never leaves the range of its neighbours', () => {
    const at = sampler(monotone);
    let previous = at(0);
    for (let x = 0; x <= 0.5; x += 0.001) {
      expect(at(x)).toBeGreaterThanOrEqual(previous - 1e-12);
      previous = at(x);
    }
    for (let x = 0.5; x <= 0.7; x += 0.001) {
      expect(at(x)).toBeLessThanOrEqual(3 + 1e-12);
      expect(at(x)).toBeGreaterThanOrEqual(2.5 - 1e-12);
    }
  });

  test('become Bézier curves without changing form, and split without changing form', () => {
    for (const interpolation of ['linear', 'monotone'] as const) {
      const before = sampler({interpolation, knots});
      const bezier = withInterpolation({interpolation, knots}, 'bezier');
      expect(bezier.knots.length).toBe(10);
      expect(problemsOf(bezier)).toEqual([]);
      const more = insertKnot(bezier, 0.33);
      expect(more.curve.knots.length).toBe(13);
      expect(more.curve.knots[more.index].x).toBeCloseTo(0.33, 12);
      for (const x of xs) {
        expect(gainAt(bezier, x)).toBeCloseTo(before(x), 9);
        expect(gainAt(more.curve, x)).toBeCloseTo(before(x), 9);
      }
      expect(withInterpolation(bezier, interpolation).knots).toEqual(knots);
    }
  });

  test('points cannot cross, and gains stay within their range', () => {
    const moved = moveKnot(monotone, 1, 5, 1e6);
    expect(moved.curve.knots[1].x).toBeLessThan(0.7);
    expect(moved.curve.knots[1].gamma).toBe(1000);
    expect(moved.limited).toMatch(/cross/);
    expect(moved.limited).toMatch(/never negative/);
    expect(problemsOf(moved.curve)).toEqual([]);
    expect(moveKnot(monotone, 0, -1, 1).curve.knots[0].x).toBe(0);
    expect(moveKnot(monotone, 1, 0.4, 2).limited).toBe('');
    expect(monotone.knots[1]).toEqual({x: 0.5, gamma: 3});
  });

  test('a new point keeps the value of the curve there; points are not doubled', () => {
    const at = sampler(monotone);
    const more = insertKnot(monotone, 0.25);
    expect(more.curve.knots[more.index].gamma).toBeCloseTo(at(0.25), 12);
    expect(insertKnot(monotone, 0.5).index).toBe(-1);
    const first = insertKnot(constantCurve(2), 0.8, 5);
    expect(first.curve.knots).toEqual([{x: 0, gamma: 2}, {x: 0.8, gamma: 5}]);
    expect(first.index).toBe(1);
  });

  test('points go one by one until a constant is left, which stays', () => {
    let curve = monotone;
    while (curve.knots.length > 1) curve = removeKnot(curve, curve.knots.length - 1);
    expect(curve.knots).toEqual([{x: 0, gamma: 0.2}]);
    expect(removeKnot(curve, 0)).toBe(curve);
    const bezier = withInterpolation(monotone, 'bezier');
    expect(removeKnot(bezier, 1)).toBe(bezier);
    for (const i of [0, 3, 9]) expect(removeKnot(bezier, i).knots.length).toBe(7);
  });

  test('a scaled curve is the curve times the factor', () => {
    const twice = sampler(scaled(monotone, 2));
    for (const x of xs) expect(twice(x)).toBeCloseTo(2 * gainAt(monotone, x), 10);
    expect(scaled(constantCurve(0), 5).knots[0].gamma).toBe(0);
  });

  test('a preset is its knots times amplitude, its strength to their exponents', () => {
    const curve = presetCurve({name: 'lively_then_caught', help: '', knots: [[0.1, -1], [1, 1]]}, 2, 8);
    expect(curve.knots).toEqual([{x: 0.2, gamma: 0.125}, {x: 2, gamma: 8}]);
  });

  test('everything wrong is told at once', () => {
    const bad: Curve = {interpolation: 'bezier', knots: [{x: 1, gamma: 0}, {x: 0.5, gamma: 5000}]};
    expect(problemsOf(bad).length).toBe(4);
    expect(problemsOf(constantCurve(0))).toEqual([]);
  });
});
