// Opening, saving, exporting, dropping files. Everything of the server lies in the project folder; what is dropped comes from the user's disk.

import {get, type Json} from '../logic/pointer';
import type {Session} from '../session';
import {button, field, fill, h} from './dom';
import {dialog, type MenuItem} from './popover';

interface Files {
  scenes: {path: string; title: string}[];
  runs: {path: string}[];
}

export function openDialog(session: Session): void {
  dialog('Open', (body, close) => {
    const filter = h('input', {type: 'search', placeholder: 'Filter', autofocus: true, 'aria-label': 'Filter by name'});
    const list = h('div', {class: 'file-list'}, h('p', {class: 'note'}, 'Reading the project folder …'));
    let files: Files = {scenes: [], runs: []};
    const open = async (path: string, kind: 'scene' | 'run') => {
      const reply = await session.command('open', {path, kind});
      if (!reply) return;
      session.forgetHistory();
      close();
    };
    const entry = (path: string, detail: string, kind: 'scene' | 'run') => h('button', {type: 'button', class: 'item', onclick: () => void open(path, kind)}, h('span', {class: 'grow'}, detail || path), detail ? h('span', {class: 'detail'}, path) : null);
    const draw = () => {
      const wanted = filter.value.toLowerCase();
      const match = (text: string) => text.toLowerCase().includes(wanted);
      const scenes = files.scenes.filter((f) => match(f.path + f.title));
      const runs = files.runs.filter((f) => match(f.path));
      fill(list, h('h3', {}, 'Scenes'), ...(scenes.length ? scenes.map((f) => entry(f.path, f.title, 'scene')) : [h('p', {class: 'note'}, 'None found in the project folder.')]), h('h3', {}, 'Finished runs'), ...(runs.length ? runs.map((f) => entry(f.path, '', 'run')) : [h('p', {class: 'note'}, 'None found. `dashpot run SCENE --out DIR` makes one.')]));
    };
    filter.addEventListener('input', draw);
    fill(body, filter, list);
    fetch(session.url('api/files'))
      .then(async (response) => {
        if (!response.ok) throw new Error(await response.text());
        files = (await response.json()) as Files;
        draw();
      })
      .catch((error: unknown) => fill(list, h('p', {class: 'note'}, `The files could not be listed: ${error instanceof Error ? error.message : String(error)}`)));
  });
}

export function saveDialog(session: Session): void {
  dialog('Save the scene', (body, close) => {
    const path = h('input', {type: 'text', value: session.hello?.path ?? 'scene.json', autocomplete: 'off', spellcheck: 'false'});
    const save = async () => {
      const to = path.value.trim();
      const reply = await session.command('save', {path: to.endsWith('.json') ? to : `${to}.json`});
      if (!reply) return;
      if (session.hello) session.hello.path = to;
      close();
      session.note(`Saved ${to}${typeof reply.bytes === 'number' ? ` (${reply.bytes} bytes)` : ''}. The same from the command line: ${commandLine(to)}`);
    };
    path.addEventListener('keydown', (event) => event.key === 'Enter' && void save());
    fill(body, field('File in the project folder', path), h('div', {class: 'row end'}, button({text: 'Download instead', label: 'Download the scene as a file', onclick: () => (downloadScene(session), close())}), button({text: 'Save', label: 'Save the scene', class: 'primary', onclick: () => void save()})));
    path.select();
  });
}

export async function save(session: Session): Promise<void> {
  const path = session.hello?.path;
  if (!path) return saveDialog(session);
  const reply = await session.command('save', {path});
  if (reply) session.note(`Saved ${path}.`);
}

function commandLine(path: string): string {
  const name = path.replace(/^.*\//, '').replace(/\.json$/, '');
  return `dashpot run ${path} --out out/${name}`;
}

function download(name: string, data: Blob): void {
  const link = h('a', {href: URL.createObjectURL(data), download: name});
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The design as the page has it; works without a server too. */
export function downloadScene(session: Session): void {
  const title = String(get(session.document, '/title') ?? 'scene').toLowerCase().replace(/[^a-z0-9]+/g, '_').slice(0, 40) || 'scene';
  download(`${title}.json`, new Blob([JSON.stringify(session.document, null, 2) + '\n'], {type: 'application/json'}));
}

/** Records the canvas until it is called again. */
class Movie {
  private recorder: MediaRecorder | null = null;
  get running(): boolean {
    return this.recorder !== null;
  }
  toggle(session: Session, canvas: HTMLCanvasElement | null): void {
    if (this.recorder) return this.recorder.stop();
    if (!canvas || typeof MediaRecorder === 'undefined') return session.complain(new Error('This browser cannot record the viewports: they need WebGL and MediaRecorder.'));
    const chunks: Blob[] = [];
    const recorder = new MediaRecorder(canvas.captureStream(60), {videoBitsPerSecond: 12e6});
    recorder.ondataavailable = (event) => chunks.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      const type = recorder.mimeType || 'video/webm';
      download(`dashpot.${type.includes('mp4') ? 'mp4' : 'webm'}`, new Blob(chunks, {type}));
    };
    recorder.start(500);
    this.recorder = recorder;
    session.note('Recording the viewports. "Stop the movie" in the Export menu ends it.');
  }
}
const movie = new Movie();

export function exportItems(session: Session, canvas: () => HTMLCanvasElement | null): MenuItem[] {
  const kinds: [string, string, string][] = [['glb', 'Animation for web and games (.glb)', 'glTF with a few shapes and their weights'], ['usda', 'Animation for Houdini, Maya, Blender (.usda)', 'USD with point samples'], ['pc2', 'Point cache (.pc2)', 'for Blender and 3ds Max'], ['csv', 'Probes and energies (.csv)', ''], ['report', 'Report (.html)', 'plots and pictures in one file']];
  const fetchKind = async (kind: string) => {
    try {
      const response = await fetch(session.url('api/export', {kind}));
      if (!response.ok) throw new Error(`The export was refused: ${await response.text()}`);
      const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      download(name ?? `dashpot.${kind === 'report' ? 'html' : kind}`, await response.blob());
    } catch (error) {
      session.complain(error);
    }
  };
  return [
    ...kinds.map(([kind, text, help]): MenuItem => ({text, help, action: () => void fetchKind(kind)})),
    {text: movie.running ? 'Stop the movie' : 'Record a movie of the viewports', action: () => movie.toggle(session, canvas())},
    {text: 'Download the scene (.json)', action: () => downloadScene(session)},
    {text: 'Copy as command line', help: 'what runs the saved scene without the page', action: () => void navigator.clipboard?.writeText(commandLine(session.hello?.path ?? 'scene.json')).then(() => session.note(`Copied: ${commandLine(session.hello?.path ?? 'scene.json')}`))},
  ];
}

/** A mesh that was dropped: in the place of a body's mesh, or as a scene of its own. */
export async function dropMesh(session: Session, file: File): Promise<void> {
  let answer: {path?: string; points?: number; tets?: number; error?: string; problems?: {where: string; text: string}[]};
  try {
    const response = await fetch(session.url('api/mesh', {name: file.name}), {method: 'POST', body: file});
    const text = await response.text();
    answer = text.startsWith('{') ? (JSON.parse(text) as typeof answer) : {error: text};
    if (!response.ok && !answer.error) answer.error = `refused with status ${response.status}`;
  } catch (error) {
    return session.complain(error);
  }
  if (answer.error || !answer.path) return session.emit('message', {kind: 'error', text: `${file.name}: ${answer.error}`, problems: answer.problems});
  const mesh = {file: answer.path};
  dialog(`Mesh ${file.name}`, (body, close) => {
    const take = async (label: string, at: string, value: Json) => {
      if (await session.edit(label, [{at, value}])) close();
    };
    const fresh: Json = {
      dashpot: 1, title: file.name, gravity: [0, 0, 0], time: {dt: '5 ms', end: '5 s', stepper: 'bathe'},
      bodies: [{name: file.name.replace(/\.[^.]*$/, ''), mesh, material: {model: 'stvk', young: '1 MPa', poisson: 0.4, density: 1000}, damping: [{model: 'rayleigh', zeta: [{mode: 1, zeta: 0.02}]}]}],
    };
    fill(body, h('p', {}, `${answer.points ?? '?'} points, ${answer.tets ?? 0} tets.`),
      ...(session.hello?.bodies ?? []).map((b) => button({text: `In the place of the mesh of ${b.name}`, label: `Use it as the mesh of ${b.name}`, onclick: () => void take('replace the mesh', `${b.at}/mesh`, mesh)})),
      button({text: 'As a new scene: soft rubber, 2 % damping, nothing held', label: 'Make a scene of it', onclick: () => void take('scene of a dropped mesh', '', fresh)}));
  });
}

/** What was dropped on the page: measured data, a mesh, or a scene. */
export function dropped(session: Session, file: File, measured: (file: File) => void): void {
  const ending = file.name.toLowerCase().replace(/^.*\./, '');
  if (['csv', 'tsv', 'txt'].includes(ending)) measured(file);
  else if (['msh', 'veg', 'node', 'ele', 'obj', 'ply', 'off', 'stl'].includes(ending)) void dropMesh(session, file);
  else if (ending === 'json') void file.text().then((text) => session.edit(`open ${file.name}`, [{at: '', value: JSON.parse(text) as Json}])).catch((error: unknown) => session.complain(new Error(`${file.name}: ${(error as Error).message}`)));
  else session.complain(new Error(`${file.name}: a mesh (.msh .veg .node .ele .obj .ply .off .stl), measured data (.csv) or a scene (.json) is expected`));
}
