import {fill, h} from './dom';
import {dialog} from './popover';

const keys: [string, string][] = [
  ['Space', 'play, pause'], ['.', 'one step'], ['R', 'reset'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['Ctrl+S', 'save'],
  ['1 … 5', 'tools: pull, poke, pin, unpin, paint a region'], ['F', 'see the whole body'],
  ['drag on the body', 'pull it with a spring; letting go marks t\u00a0=\u00a00'], ['the same while paused', 'brings the body into a pose; it stays so until time goes on'], ['drag beside it, arrow keys', 'turn the camera'], ['Shift+drag, right button', 'move the camera'], ['wheel, + −', 'nearer, farther'],
  ['Enter in the viewport', 'take hold of what is in the middle; arrows pull, Enter lets go'],
  ['click in the curve', 'add a point'], ['arrows on a point', 'nudge it (Shift: ten times)'], ['Delete, Insert', 'remove, add a point'],
];

export function helpDialog(): void {
  dialog('Help', (body) => {
    fill(body,
      h('p', {}, 'Choose an example on the left, say on the right how strongly it is damped at which size of motion, pull the body in the middle and let go. The plots show how it rings with your design, with the damping of the body alone, and what the time integrator takes by itself.'),
      h('p', {}, 'Drop a mesh, a scene or a CSV file of measured data anywhere on the page.'),
      h('table', {class: 'keys'}, h('tbody', {}, ...keys.map(([key, text]) => h('tr', {}, h('th', {scope: 'row'}, key), h('td', {}, text))))));
  });
}
