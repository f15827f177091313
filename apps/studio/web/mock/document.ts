// The scene and the registry that the mock server tells of.

import type {Curve} from '../src/logic/curve';
import {get, type Json} from '../src/logic/pointer';
import type {Registry, RegistryParameter} from '../src/net/protocol';

const examplesAt = '/bodies/0/damping/0/examples';

export const firstDocument = (): Json => ({
  dashpot: 1,
  title: 'A bar that sways and bobs (mock)',
  gravity: [0, 0, 0],
  time: {dt: '4 ms', end: '2 s', stepper: 'bathe'},
  bodies: [
    {
      name: 'bar',
      mesh: {bar: {size: [0.5, 0.06, 0.05], cells: [10, 2, 2]}},
      material: {model: 'stvk', young: '8 MPa', poisson: 0.4, density: 1000},
      pins: [{where: {box: [[-1, -1, -1], [1e-6, 1, 1]]}}],
      damping: [
        {
          model: 'example_based',
          over: {model: 'rayleigh', zeta: [{mode: 1, zeta: 0.04}]},
          examples: [
            {name: 'sway', shape: {from: 'mode', mode: 1, amplitude: '2 cm'}, curve: [[0.1, 0.3], [0.6, 1], [1.4, 8]], interpolation: 'monotone'},
            {name: 'bob', shape: {from: 'mode', mode: 2, amplitude: '2 cm'}, gamma: 1},
          ],
        },
      ],
    },
  ],
  design: {targets: [{example: 'sway', from: 1, left: 0.6}]},
});

export function examplesOf(document: Json): {name: string; at: string; curve: Curve}[] {
  const list = get(document, examplesAt);
  if (!Array.isArray(list)) return [];
  return list.map((entry, i) => {
    const e = entry as {name: string; gamma?: number; curve?: [number, number][]; interpolation?: Curve['interpolation']};
    const knots = e.curve ? e.curve.map(([x, gamma]) => ({x, gamma})) : [{x: 0, gamma: e.gamma ?? 1}];
    return {name: e.name, at: `${examplesAt}/${i}`, curve: {interpolation: e.interpolation ?? 'monotone', knots}};
  });
}

const real = (name: string, symbol: string, unit: string, meaning: string, more: Partial<RegistryParameter> = {}): RegistryParameter => ({name, symbol, unit, kind: 'real', minimum: 0, maximum: null, meaning, ...more});
const steppers = ['backward_euler', 'bathe', 'bdf2', 'generalized_alpha', 'midpoint', 'newmark', 'trapezoid'];

export const registry: Registry = {
  models: [
    {category: 'damping', name: 'rayleigh', meaning: 'α M + β K.', parameters: [real('alpha', 'α', '/s', 'mass-proportional'), real('beta', 'β', 's', 'stiffness-proportional'), {name: 'stiffness', kind: 'choice', choices: ['rest', 'lagged', 'gauss_newton'], default: 'lagged', meaning: 'which K'}, {name: 'regions', kind: 'regions', meaning: 'other amounts for parts of the body'}], examples: [{model: 'rayleigh', beta: 0.001}]},
    {category: 'damping', name: 'ether_drag', meaning: 'drag of an ether at rest.', parameters: [real('rate', 'r', '/s', 'of decay')], examples: [{model: 'ether_drag', rate: 0.1}]},
    {category: 'damping', name: 'example_based', meaning: 'C with a gain γ along each example deformation.', reference: 'XuBarbic2017', parameters: [{name: 'over', kind: 'model', category: 'damping', required: true, meaning: 'the damping C that is changed'}, {name: 'examples', kind: 'list', required: true, meaning: 'deformations and their gains'}, {name: 'coupling', kind: 'choice', choices: ['lowdin', 'nonnegative', 'symmetrized', 'raw'], default: 'lowdin', meaning: 'how examples that are not C-orthogonal share'}, {name: 'depends_on', kind: 'choice', choices: ['displacement', 'velocity'], default: 'displacement', meaning: 'what curves depend on'}]},
    {category: 'material', name: 'stvk', meaning: 'St. Venant-Kirchhoff.', parameters: [real('young', 'E', 'Pa', "Young's modulus", {required: true}), real('poisson', 'ν', '1', "Poisson's ratio", {required: true}), real('density', 'ρ', 'kg/m3', 'density', {required: true}), {name: 'regions', kind: 'regions', meaning: 'other values for parts of the body'}]},
    {category: 'mesh', name: 'bar', meaning: 'a box of tets from the origin along the axes.', parameters: [{name: 'size', kind: 'list', unit: 'm', required: true, meaning: 'lengths of the sides'}, {name: 'cells', kind: 'list', required: true, meaning: 'cells along each side'}]},
    {category: 'start', name: 'rest', meaning: 'the shape of the mesh.', parameters: []},
    ...steppers.map((name) => ({category: 'stepper', name, meaning: `the ${name.replace(/_/g, ' ')} method.`, parameters: []})),
  ],
};

export const presets = [
  {name: 'soft_landing', help: 'large swings are caught, small ones ring as before', knots: [[0.25, 0], [1, 1]]},
  {name: 'calm_when_small', help: 'small trembling dies quickly, full swings are untouched', knots: [[0.1, 1], [1, 0]]},
  {name: 'end_stop', help: 'nothing changes up to the amplitude', knots: [[1, 0], [1.5, 1]]},
];
