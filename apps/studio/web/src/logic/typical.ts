// What a model begins with when it is chosen: the registry's example of its use, what the model before it had under the same name, and for
// required values that neither has a first guess.

import type {RegistryModel} from '../net/protocol';
import type {Json} from './pointer';

type Doc = {[key: string]: Json};

/** First guesses of required values, "category/model/parameter" before "parameter". */
const guesses: Doc = {
  'mesh/bar/size': [0.4, 0.1, 0.1], 'mesh/bar/cells': [8, 2, 2], 'mesh/plate/size': [0.4, 0.02, 0.4], 'mesh/plate/cells': [10, 1, 10], 'mesh/cloth/size': [0.4, 0.4], 'mesh/cloth/cells': [12, 12],
  'mesh/strands/counts': [8, 8], 'mesh/strands/size': [0.1, 0.1], 'mesh/strands/to_tip': [0, -0.2, 0],
  radius: '10 cm', layers: 4, ends: [[0, 0, 0], [0.5, 0, 0]], edges: 10, name: 'koala',
  young: '1 MPa', warp: '1 MPa', weft: '1 MPa', shear: '100 kPa', bending: '10 uJ', thickness: '1 mm', diameter: '1 mm', density: 1000, poisson: 0.3,
  lift: '1 cm', amplitude: '1 cm', where: 'all', axis: [0, 0, 1], angle: '20 deg', time: 0,
};

const isObject = (value: Json | undefined): value is Doc => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Beginning {
  settings: Doc;
  guessed: string[]; // required, and nobody said what they are: to be asked for
}

/** `before`: the settings of the model that stood there. */
export function beginning(model: RegistryModel, before: Json | undefined): Beginning {
  const example = model.examples?.[0];
  const settings: Doc = isObject(example) ? (JSON.parse(JSON.stringify(example)) as Doc) : {};
  const guessed: string[] = [];
  for (const parameter of model.parameters) {
    const {name} = parameter;
    const kept = isObject(before) ? before[name] : undefined;
    const fits = kept !== undefined && Array.isArray(kept) === (parameter.kind === 'list');
    if (fits && (model.category === 'material' || model.category === 'start')) settings[name] = kept;
    if (!parameter.required || settings[name] !== undefined) continue;
    settings[name] = guesses[`${model.category}/${model.name}/${name}`] ?? guesses[name] ?? '';
    guessed.push(name);
  }
  return {settings, guessed};
}

/** How a scene writes a model with its settings. */
export function written(category: string, name: string, settings: Doc): Json {
  const {model: _model, from: _from, ...rest} = settings;
  if (category === 'mesh') return {[name]: rest};
  if (category === 'start' || category === 'load') return {from: name, ...rest};
  if ((category === 'stepper' || category === 'where') && Object.keys(rest).length === 0) return name;
  return {model: name, ...rest};
}
