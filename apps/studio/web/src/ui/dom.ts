// A few helpers to make elements; nothing of a framework.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

function assign(element: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') element.setAttribute('class', String(value));
    else if (key in element && /^(value|checked|disabled|selected|indeterminate|htmlFor|tabIndex|hidden)$/.test(key))
      (element as unknown as Props)[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  append(element, children);
  assign(element, props); // after the options of a select are there
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  assign(element, props);
  append(element, children);
  return element;
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

const icons: Record<string, string> = {
  play: 'M5 3l9 5-9 5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M3 3l7 5-7 5zM11 3h2v10h-2z',
  reset: 'M8 3a5 5 0 1 1-4.6 3H1.8A6.5 6.5 0 1 0 8 1.5V0L4.5 2.6 8 5z',
  undo: 'M6 3V0L1 4l5 4V5c4 0 6 1.5 7.5 5C13.500 5.500 11 3 6 3z',
  redo: 'M10 3V0l5 4-5 4V5c-4 0-6 1.500-7.500 5C2.500 5.500 5 3 10 3z',
  plus: 'M7 2h2v5h5v2H9v5H7V9H2V7h5z',
  close: 'M3.500 2.200L8 6.700l4.500-4.500 1.300 1.300L9.300 8l4.500 4.500-1.300 1.300L8 9.300l-4.500 4.500-1.300-1.300L6.700 8 2.200 3.500z',
  bin: 'M5 1h6v1h4v2H1V2h4zM2.500 5h11l-1 10h-9z',
  hand: 'M6 1.500a1 1 0 0 1 2 0V7h.5V2.500a1 1 0 0 1 2 0V7h.5V4a1 1 0 0 1 2 0v6c0 3-2 5-4.500 5C6 15 5 13.500 2.500 9.500 2 8.500 3.300 7.800 4 8.600L5.500 10H6z',
  poke: 'M2 14l6-6m0 0V4.500M8 8H4.500M9.500 6.500L14 2',
  pin: 'M6 1h4l.5 6 2.500 2v1.500H9V15H7v-4.500H3V9l2.500-2z',
  unpin: 'M6 1h4l.5 6 2.500 2v1.500H3V9l2.500-2zM2 14l12-12 1 1L3 15z',
  brush: 'M14 1c-3 1-7 5-8 7l2 2c2-1 6-5 7-8zM5 9c-2 0-2 3-4 4.500C3 15 7 14.500 7 11z',
  sun: 'M8 4.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM7.300 0h1.400v3H7.300zM7.300 13h1.400v3H7.300zM0 7.300h3v1.400H0zM13 7.300h3v1.400h-3z',
};

export function icon(name: string): SVGSVGElement {
  const stroked = name === 'poke';
  return s('svg', {viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true'}, s('path', stroked ? {d: icons[name], fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8} : {d: icons[name]}));
}

interface ButtonProps {
  icon?: string;
  text?: string;
  label: string; // what it does; also the tooltip
  key?: string;
  class?: string;
  onclick: () => void;
}

export function button(props: ButtonProps): HTMLButtonElement {
  const title = props.key ? `${props.label} (${props.key})` : props.label;
  return h('button', {type: 'button', class: props.class ?? (props.text ? '' : 'square'), 'aria-label': props.label, title, 'aria-keyshortcuts': props.key, onclick: props.onclick}, props.icon ? icon(props.icon) : null, props.text);
}

let nextId = 0;
export function uniqueId(prefix: string): string {
  return `${prefix}-${++nextId}`;
}

/** A label above or before its control; the control gets an id when it has none. */
export function field(label: string, control: HTMLElement, unit = '', help = ''): HTMLElement {
  if (!control.id) control.id = uniqueId('field');
  return h('div', {class: 'field', title: help}, h('label', {htmlFor: control.id}, label), h('span', {class: 'control'}, control, unit ? h('span', {class: 'unit'}, unit) : null));
}

export function select(options: [string, string][], value: string, onchange: (value: string) => void, label?: string): HTMLSelectElement {
  const control = h('select', {'aria-label': label}, ...options.map(([key, text]) => h('option', {value: key}, text)));
  control.value = value;
  control.addEventListener('change', () => onchange(control.value));
  return control;
}

export function css(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

/** Replaces all children. */
export function fill(element: Element, ...children: Child[]): void {
  element.textContent = '';
  append(element, children);
}
