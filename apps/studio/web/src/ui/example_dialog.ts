// Makes an example: from a vibration mode, from the frame that is shown, or from a pose pulled with the mouse.

import {digits, parseNumber, plain, quantity} from '../logic/format';
import type {Session} from '../session';
import {button, field, fill, h, select} from './dom';
import {dialog} from './popover';

export function makeExample(session: Session, mode: number | null, extent: number): void {
  dialog('Make an example', (body, close) => {
    const used = new Set(session.examples.map((example) => example.name));
    let number = 1;
    while (used.has(`example ${number}`)) ++number;
    const name = h('input', {type: 'text', value: `example ${number}`, autocomplete: 'off'});
    const amplitude = h('input', {type: 'text', class: 'number', value: plain(0.05 * extent, 2), inputmode: 'decimal'});
    const relaxed = h('input', {type: 'checkbox'});
    const from = select([['mode', 'a vibration mode'], ['current', 'the frame shown now'], ['pose', 'a pose pulled by hand']], mode !== null ? 'mode' : session.modes.length > 0 ? 'mode' : 'current', () => update());
    const index = h('input', {type: 'range', min: 1, max: Math.max(1, session.modes.length), step: 1, value: mode ?? 1});
    const shown = h('output', {class: 'unit'});
    const modeField = field('Mode', index);
    modeField.querySelector('.control')?.append(shown);
    const sizeField = field('Largest displacement', amplitude, 'm', 'What |χ| = 1 means');
    const help = h('p', {class: 'note'});
    const texts: Record<string, string> = {
      mode: 'The shape of the mode with this largest displacement.',
      current: 'The displacement of the body from its balance, as it is at this moment. Pause first, or scrub to the instant you want.',
      pose: 'Pause, then pull the body with the mouse: while time stands it gives way and stays as you leave it. Pull at several places if you like; what you see when you press "Make" is taken.',
    };
    const update = () => {
      const kind = from.value;
      modeField.hidden = kind !== 'mode';
      sizeField.hidden = kind !== 'mode';
      const info = session.modes[Number(index.value) - 1];
      fill(shown, info ? `${index.value}: ${digits(info.frequency)} Hz` : index.value);
      fill(help, texts[kind], kind === 'mode' && session.modes.length === 0 ? ' Modes are found first.' : '');
    };
    index.addEventListener('input', () => {
      update();
      const views = (session.hello?.views ?? []).filter((view) => view.kind !== 'mode').slice(0, 3);
      void session.setViews([...views, {kind: 'mode', index: Number(index.value)}]);
    });
    const make = async () => {
      const kind = from.value as 'mode' | 'current' | 'pose';
      const size = parseNumber(amplitude.value);
      if (kind === 'mode' && !(size > 0)) return session.complain(new Error(`Largest displacement "${amplitude.value}": a length above zero in meters is expected, for example ${quantity(0.05 * extent, 'm')}`));
      const reply = await session.change('make an example', 'example', {from: kind, name: name.value.trim(), relaxed: relaxed.checked, ...(kind === 'mode' ? {index: Number(index.value), amplitude: size} : {})});
      if (!reply) return;
      close();
      const made = session.examples.find((example) => example.name === name.value.trim());
      if (made) session.select({kind: 'example', at: made.at});
    };
    fill(body, field('Name', name), field('From', from), modeField, sizeField, field('Relaxed', relaxed, '', 'Takes the static, linearized form of the shape: it holds the slow part, which is what is seen to vibrate'), help,
      h('div', {class: 'row end'}, button({text: 'Make', label: 'Make the example', class: 'primary', onclick: () => void make()})));
    update();
    if (session.modes.length === 0) void session.findModes(8).then(() => ((index.max = String(Math.max(1, session.modes.length))), update()));
  });
}
