import {describe, expect, test} from 'vitest';

import {lostPerCycle, settleTime, zetaFromLostPerCycle, zetaFromSettleTime, zetaOfRayleigh, rayleighOfOne} from '../src/logic/equivalent';
import {digits, parseNumber, percent, plain, quantity} from '../src/logic/format';
import {pointsOfDecay, readMeasured} from '../src/logic/measured';
import {apply, applyAll, difference, equal, get, type Json} from '../src/logic/pointer';
import {decayRateOf} from '../src/logic/records';
import {beginning, written} from '../src/logic/typical';
import {History} from '../src/logic/undo';

describe('equivalent measures of damping', () => {
  test('2 % at 3 Hz loses 11.8 % per cycle and settles in 7.946 s, as `dashpot damping` prints', () => {
    expect(lostPerCycle(0.02)).toBeCloseTo(0.1181, 4);
    expect(settleTime(0.02, 3)).toBeCloseTo(7.946, 3);
    expect(rayleighOfOne(0.02, 3).beta).toBeCloseTo(2.122e-3, 6);
  });
  test('each is the inverse of the other', () => {
    for (const zeta of [1e-4, 0.01, 0.2, 0.9]) {
      expect(zetaFromLostPerCycle(lostPerCycle(zeta))).toBeCloseTo(zeta, 10);
      expect(zetaFromSettleTime(settleTime(zeta, 7), 7)).toBeCloseTo(zeta, 10);
      const {alpha, beta} = rayleighOfOne(zeta, 7);
      expect(zetaOfRayleigh(alpha, 0, 7)).toBeCloseTo(zeta, 12);
      expect(zetaOfRayleigh(0, beta, 7)).toBeCloseTo(zeta, 12);
    }
  });
  test('nothing swings above critical damping, and no time is short enough', () => {
    expect(lostPerCycle(1.5)).toBe(1);
    expect(settleTime(2, 1)).toBeGreaterThan(settleTime(1, 1));
    expect(zetaFromSettleTime(0.01, 1)).toBeNaN();
    expect(settleTime(0, 1)).toBe(Infinity);
  });
});

describe('numbers for people', () => {
  test('carry prefixes and few digits', () => {
    expect(quantity(0.01234, 'm')).toBe('12.3 mm');
    expect(quantity(8e6, 'Pa')).toBe('8 MPa');
    expect(quantity(0, 'N')).toBe('0 N');
    expect(quantity(-3.2e-4, 'J')).toBe('−320 µJ');
    expect(quantity(1200, 's')).toBe('1200 s');
    expect(percent(0.1181)).toBe('11.8 %');
    expect(digits(1e-7)).toBe('1·10⁻⁷');
    expect(quantity(NaN, 'm')).toBe('–');
  });
  test('are read as people type them', () => {
    expect(parseNumber(' 1,5 ')).toBe(1.5);
    expect(parseNumber('5 %')).toBeCloseTo(0.05, 15);
    expect(parseNumber('')).toBeNaN();
    expect(parseNumber('two')).toBeNaN();
    expect(plain(0.1 + 0.2)).toBe('0.3');
  });
});

describe('undo', () => {
  test('takes back and does again; a gesture is one step', () => {
    const history = new History<number>();
    history.push({label: 'a', undo: 0, redo: 1});
    history.push({label: 'drag', undo: 1, redo: 2}, 'g');
    history.push({label: 'drag', undo: 2, redo: 3}, 'g');
    history.seal();
    history.push({label: 'drag', undo: 3, redo: 4}, 'g');
    expect(history.undo()?.undo).toBe(3);
    const joined = history.undo();
    expect([joined?.undo, joined?.redo]).toEqual([1, 3]);
    expect(history.redo()?.redo).toBe(3);
    history.push({label: 'new', undo: 3, redo: 9});
    expect(history.redo()).toBeNull();
    expect(history.undoLabel).toBe('new');
  });
});

describe('changes of a document', () => {
  const document: Json = {a: {b: [1, 2, 3]}, 'x/y': 1};
  test('are taken back by their inverse, whatever they were', () => {
    const lists = [
      [{at: '/a/b/1', value: 9}],
      [{at: '/a/b/-', value: 4}],
      [{at: '/a/b/0', remove: true as const}],
      [{at: '/a/new', value: {q: 1}}, {at: '/a/new/q', value: 2}, {at: '/a/b', remove: true as const}],
      [{at: '', value: {other: 1}}],
      [{at: '/x~1y', value: 7}],
    ];
    for (const changes of lists) {
      const {document: changed, inverse} = applyAll(document, changes);
      expect(equal(changed, document)).toBe(false);
      expect(applyAll(changed, inverse).document).toEqual(document);
    }
    expect(get(document, '/x~1y')).toBe(1);
  });
  test('that lead nowhere are refused', () => {
    expect(() => apply(document, {at: '/no/where', value: 1})).toThrow(/no/);
    expect(() => apply(document, {at: '/a/b/7', value: 1})).toThrow(/3 entries/);
  });
});

describe('measured data', () => {
  test('amplitude and ratio are read with their units', () => {
    const data = readMeasured('m.csv', 'amplitude [mm],zeta [%]\n2,1.5\n1,1\nbad,\n');
    expect(data.points).toEqual([{amplitude: 0.002, zeta: 0.015}, {amplitude: 0.001, zeta: 0.01}]);
    expect(data.note).toMatch(/1 rows/);
  });
  test('a decay of 3 % gives 3 % at every amplitude', () => {
    const rate = 400;
    const time = Array.from({length: 4000}, (_, i) => i / rate);
    const damped = 2 * Math.PI * 4 * Math.sqrt(1 - 0.03 ** 2);
    const value = time.map((t) => 0.5 + 0.01 * Math.exp(-0.03 * 2 * Math.PI * 4 * t) * Math.cos(damped * t));
    const points = pointsOfDecay(time, value);
    expect(points.length).toBeGreaterThan(15);
    for (const p of points) expect(Math.abs(p.zeta - 0.03)).toBeLessThan(0.002);
    expect(points[0].amplitude).toBeGreaterThan(0.008);
    const text = 'time [s];tip.y [m]\n' + time.map((t, i) => `${t};${value[i]}`).join('\n');
    expect(readMeasured('d.csv', text).points.length).toBe(points.length);
  });
  test('what is not understood is told with what was found', () => {
    expect(() => readMeasured('x', 'a,b\n1,2\n')).toThrow(/a, b/);
    expect(() => readMeasured('x', 'amplitude [ft],zeta\n1,2\n')).toThrow(/ft/);
  });
  test('the difference of two documents makes one of the other, and back, and touches nothing else', () => {
    const a: Json = {title: 'x', bodies: [{pins: [1], mesh: {bar: {size: [1, 2]}}}], design: {targets: []}};
    const b: Json = {title: 'x', bodies: [{pins: [1, 2], mesh: {bar: {size: [1, 3]}}, 'a/b': 1}]};
    expect(difference(a, a)).toEqual([]);
    expect(difference(a, b).map((change) => change.at).sort()).toEqual(['/bodies/0/a~1b', '/bodies/0/mesh/bar/size/1', '/bodies/0/pins', '/design']);
    expect(applyAll(a, difference(a, b)).document).toEqual(b);
    expect(applyAll(b, difference(b, a)).document).toEqual(a);
  });
});

describe('a model that is chosen', () => {
  const parameter = (name: string, required: boolean, kind = 'real') => ({name, kind, required});
  test('begins with its example, and keeps of a material what it had', () => {
    const model = {category: 'material', name: 'neo_hookean', meaning: '', parameters: [parameter('young', true), parameter('poisson', true), parameter('density', true)], examples: [{model: 'neo_hookean', young: '1 MPa', poisson: 0.3, density: 1000}]};
    const {settings, guessed} = beginning(model, {model: 'stvk', young: '7 kPa', fibers: 1});
    expect(guessed).toEqual([]);
    expect(written('material', 'neo_hookean', settings)).toEqual({model: 'neo_hookean', young: '7 kPa', poisson: 0.3, density: 1000});
  });
  test('asks for what is required and not known, in the form in which scenes write it', () => {
    const start = beginning({category: 'start', name: 'mode', meaning: '', parameters: [parameter('mode', false, 'integer'), parameter('amplitude', true)]}, undefined);
    expect(start.guessed).toEqual(['amplitude']);
    expect(written('start', 'mode', start.settings)).toEqual({from: 'mode', amplitude: '1 cm'});
    const mesh = beginning({category: 'mesh', name: 'sphere', meaning: '', parameters: [parameter('radius', true), parameter('layers', true, 'integer')]}, {size: [1, 1, 1]});
    expect(written('mesh', 'sphere', mesh.settings)).toEqual({sphere: {radius: '10 cm', layers: 4}});
    expect(written('stepper', 'bathe', {})).toBe('bathe');
  });
});

describe('decay rates', () => {
  const envelope = (y: (x: number) => number) => decayRateOf(Array.from({length: 9}, (_, i) => ({x: i / 4, y: y(i / 4)})));
  test('are those of exponentials, also of none', () => {
    expect(envelope((x) => 0.02 * Math.exp(-1.7 * x))).toBeCloseTo(1.7, 9);
    expect(Math.abs(envelope(() => 0.02) as number)).toBeLessThan(1e-9);
  });
  test('are not told of beats', () => {
    expect(envelope((x) => 0.02 * Math.exp(2 * Math.cos(3 * Math.PI * x)))).toBeNull();
    expect(decayRateOf([{x: 0, y: 1}, {x: 1, y: 0.5}])).toBeNull();
  });
});
