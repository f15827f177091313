// Dialogs (modal, native <dialog>) and menus that open under a button.

import {button, fill, h} from './dom';

export function dialog(title: string, build: (body: HTMLElement, close: () => void) => void): HTMLDialogElement {
  const body = h('div', {class: 'dialog-body'});
  const element = h('dialog', {'aria-label': title}, h('header', {}, h('h2', {}, title), button({icon: 'close', label: 'Close', class: 'square quiet', onclick: () => close()})), body);
  const close = () => element.close();
  element.addEventListener('close', () => element.remove());
  element.addEventListener('click', (event) => event.target === element && close());
  build(body, close);
  document.body.append(element);
  element.showModal();
  return element;
}

export interface MenuItem {
  text: string;
  help?: string;
  action: () => void;
  disabled?: boolean;
}

/** A button with a menu under it; arrow keys move, Escape closes. */
export function menuButton(text: string, label: string, items: () => MenuItem[], props: {class?: string} = {}): HTMLElement {
  const menu = h('div', {class: 'menu', role: 'menu', hidden: true});
  const toggle = h('button', {type: 'button', class: props.class ?? '', 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label, title: label}, text, h('span', {class: 'caret', 'aria-hidden': 'true'}, '▾'));
  const holder = h('div', {class: 'menu-holder'}, toggle, menu);
  const show = (open: boolean) => {
    menu.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    if (!open) return;
    fill(menu, ...items().map((item) => h('button', {type: 'button', role: 'menuitem', disabled: item.disabled, title: item.help, onclick: () => (show(false), toggle.focus(), item.action())}, item.text)));
    menu.querySelector('button')?.focus();
    const box = menu.getBoundingClientRect();
    menu.classList.toggle('to-left', box.right > window.innerWidth - 4);
  };
  toggle.addEventListener('click', () => show(menu.hidden));
  holder.addEventListener('focusout', (event) => !holder.contains(event.relatedTarget as Node) && show(false));
  holder.addEventListener('keydown', (event) => {
    if (menu.hidden) return;
    const buttons = [...menu.querySelectorAll('button:not(:disabled)')] as HTMLElement[];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') show(false), toggle.focus();
    else if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === 'ArrowUp') buttons[(at + buttons.length - 1) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return holder;
}

/** Short messages in the corner; errors stay until they are closed, notes go after some seconds. */
export class Messages {
  readonly element = h('div', {class: 'messages', role: 'log', 'aria-live': 'polite', 'aria-label': 'Messages'});

  show(kind: 'note' | 'error', text: string, problems: {where: string; text: string}[] = []): void {
    const already = [...this.element.children].find((child) => (child as HTMLElement).dataset.text === text);
    already?.remove();
    const others = problems.filter((p) => !text.includes(p.text)); // the first problem is often the text itself
    const list = others.length > 0 ? h('ul', {}, ...others.slice(0, 8).map((p) => h('li', {}, p.where ? h('code', {}, p.where) : null, ' ', p.text))) : null;
    const box = h('div', {class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status', 'data-text': text}, h('div', {}, h('p', {}, text), list), button({icon: 'close', label: 'Dismiss', class: 'square quiet', onclick: () => box.remove()}));
    this.element.append(box);
    while (this.element.children.length > 4) this.element.firstElementChild?.remove();
    if (kind === 'note') window.setTimeout(() => box.remove(), 6000);
  }
}
