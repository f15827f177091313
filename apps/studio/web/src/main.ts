import 'uplot/dist/uPlot.min.css';
import './style.css';

import {clone, type Json} from './logic/pointer';
import {Session} from './session';
import {installHooks} from './test_hooks';
import {button, fill, h} from './ui/dom';
import {makeExample} from './ui/example_dialog';
import {downloadScene, dropped, save} from './ui/files';
import {Inspector} from './ui/inspector';
import {Plots} from './ui/plots';
import {Messages} from './ui/popover';
import {Stage} from './ui/stage';
import {StatusBar} from './ui/status_bar';
import {Timeline} from './ui/timeline';
import {TopBar} from './ui/top_bar';
import {Tree} from './ui/tree';

const query = new URLSearchParams(location.search);
const testing = query.get('test') === '1';
const token = query.get('token') ?? '';

const dark = () => document.documentElement.dataset.theme === 'dark';
function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}
setTheme(query.get('theme') ?? localStorage.getItem('dashpot-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
document.documentElement.classList.toggle('testing', testing);

const session = new Session(token);
const messages = new Messages();
session.on('message', ({kind, text, problems}) => messages.show(kind, text, problems));
const plots = new Plots(session);
const stage = new Stage(session, testing);
const inspector = new Inspector(session);
const tree = new Tree(session);
const top = new TopBar(session, () => stage.viewer?.canvas ?? null);
const banner = h('div', {class: 'banner', role: 'status', 'aria-live': 'assertive', hidden: true});

document.body.append(
  h('div', {class: 'app'}, top.element, tree.element, stage.element, h('div', {class: 'bottom'}, new Timeline(session).element, plots.element), inspector.element, new StatusBar(session, () => stage.viewer?.drawn ?? 0).element),
  banner, messages.element,
);

const extent = () => stage.viewer?.extent ?? 1;
tree.onMakeExample = () => makeExample(session, null, extent());
inspector.modesPanel.onMakeExample = (mode) => makeExample(session, mode, extent());

top.onTheme = () => {
  setTheme(dark() ? 'light' : 'dark');
  localStorage.setItem('dashpot-theme', document.documentElement.dataset.theme ?? 'light');
  plots.themeChanged();
  stage.viewer?.request();
  if (session.hello) session.emit('document', session.hello); // swatches have their colors in them
};

// A lost connection, and another document on the server when it is back.
let wasOpen = false;
session.on('connection', ({state}) => {
  if (state === 'open') {
    wasOpen = true;
    banner.hidden = true;
  } else if (state === 'lost') {
    banner.hidden = false;
    fill(banner, wasOpen ? 'The connection to the program was lost. Your design is safe in this page; it is trying again.' : 'The program does not answer. Is `dashpot studio` running, and is this the address it printed (with its token)?', wasOpen ? button({text: 'Download the scene', label: 'Download the scene as a file', onclick: () => downloadScene(session)}) : null);
  }
});
session.on('conflict', ({mine}) => {
  const kept: Json = clone(mine);
  banner.hidden = false;
  const close = () => (banner.hidden = true);
  fill(banner, 'The program has another design than this page had.', button({text: 'Put mine back', label: 'Put the design of this page back', class: 'primary', onclick: () => void session.restore(kept).then((ok) => ok && close())}), button({text: 'Keep the other', label: 'Keep the design of the program', onclick: close}));
});

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'range' && (target as HTMLInputElement).type !== 'checkbox';
  if (command && key === 's') void save(session);
  else if (command && key === 'z' && !writing) void (event.shiftKey ? session.redo() : session.undo());
  else if (command && key === 'y' && !writing) void session.redo();
  else if (command || event.altKey || writing || document.querySelector('dialog[open]')) return;
  else if (key === ' ' && target.tagName !== 'BUTTON' && target.tagName !== 'SUMMARY') top.togglePlay();
  else if (key === '.') void session.command('step', {count: 1});
  else if (key === 'r') void session.command('reset', {});
  else if (key === 'f') stage.viewer?.fit();
  else if (/^[1-5]$/.test(key)) stage.chooseTool((['pull', 'poke', 'pin', 'unpin', 'paint'] as const)[Number(key) - 1]);
  else return;
  event.preventDefault();
});

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  document.documentElement.classList.add('dropping');
});
for (const end of ['dragleave', 'drop', 'dragend'] as const) document.addEventListener(end, () => document.documentElement.classList.remove('dropping'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  for (const file of event.dataTransfer?.files ?? []) dropped(session, file, (csv) => void plots.read(csv));
});

installHooks(session, stage, inspector, plots, testing);
session.start();
