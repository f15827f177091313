// What tests see and do (`?test=1`): the state as numbers, steps on command, the mouse without a mouse.

import type {Commands, Hit} from './net/protocol';
import type {Session} from './session';
import type {Inspector} from './ui/inspector';
import type {Plots} from './ui/plots';
import type {Stage} from './ui/stage';

const patience = 200000; // ms, of a machine that does much else

export interface StudioHooks {
  readonly ready: boolean;
  state(): Record<string, unknown>;
  /** A command, and the picture of what it did. */
  ask(name: keyof Commands, fields: Record<string, unknown>): Promise<Record<string, unknown>>;
  step(count: number): Promise<number>;
  /** Everything that was changed is known to the server, answered, and in the picture. */
  settled(): Promise<void>;
  pick(x: number, y: number): Promise<Hit | null>;
  drag(x0: number, y0: number, x1: number, y1: number): Promise<boolean>;
  release(): Promise<void>;
  /** Whether pulls pose the body while time stands; in test mode they do not unless told so. */
  poses(wanted: boolean): void;
  project(view: number, point: [number, number, number]): [number, number] | null;
  vertex(view: number, index: number): [number, number, number] | null;
  knot(index: number): [number, number];
  readonly extent: number;
  session: Session;
}

declare global {
  interface Window {
    studio: StudioHooks;
  }
}

export function installHooks(session: Session, stage: Stage, inspector: Inspector, plots: Plots, testing: boolean): void {
  const box = (): DOMRect => stage.element.getBoundingClientRect();
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const begin = performance.now();
    while (!holds()) {
      if (performance.now() - begin > patience) throw new Error(`waited ${patience / 1000} s for ${what}`);
      if (!session.connection.isOpen) throw new Error('the connection was lost');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  // An answer may overtake its frame: one that the page has not acknowledged holds the next one back. Tests aim at the picture next, so it
  // has to be that of the command. In test mode the status that precedes an answer names its frame.
  const seen = (): Promise<void> => until('the picture of a command', () => stage.viewer === null || (stage.viewer.shownFrame ?? -1) >= (session.status?.frame ?? 0));
  // In test mode time always stands between steps, and a pull is meant to act in them.
  if (testing && stage.interaction) stage.interaction.options.poses = false;
  window.studio = {
    session,
    poses(wanted) {
      if (stage.interaction) stage.interaction.options.poses = wanted;
    },
    get ready() {
      return session.hello !== null && session.topology !== null && session.registry !== null && (stage.viewer === null || stage.viewer.hasFrame);
    },
    state() {
      const {hello, status} = session;
      return {
        ready: this.ready,
        webgl: stage.viewer !== null,
        title: hello?.title,
        kind: hello?.kind,
        views: hello?.views,
        examples: hello?.examples,
        selection: session.selection,
        document: session.document,
        status,
        decay: Object.fromEntries(plots.records.decay),
        zeta: Object.fromEntries(plots.records.zeta),
        vertices: session.topology?.points.length ?? 0,
        drawn: stage.viewer?.drawn ?? 0,
        boxes: stage.viewer?.boxes ?? [],
        spring: session.status?.mouse_force ?? 0,
      };
    },
    async step(count) {
      return Number((await this.ask('step', {count})).time);
    },
    async settled() {
      const isQuiet = () => session.isQuiet && inspector.examplePanel.isQuiet && (stage.interaction?.isQuiet ?? true);
      do {
        await until('answers of the server', isQuiet);
        // Changes nothing, and a recorded run refuses it; what was told before has come when it is answered.
        await session.connection.request('equivalent', {frequency: 1, zeta: 0.1}).catch(() => {});
        await seen();
        plots.draw();
      } while (!isQuiet());
    },
    async ask(name, fields) {
      const reply = await session.connection.request(name, fields as never);
      await seen();
      return reply;
    },
    pick: async (x, y) => (stage.interaction ? stage.interaction.pick(x - box().left, y - box().top) : null),
    async drag(x0, y0, x1, y1) {
      const {interaction} = stage;
      const at = [x0 - box().left, y0 - box().top] as const;
      const hit = interaction ? await interaction.pick(...at) : null;
      if (!interaction || !hit || !(await interaction.grab(hit, ...at))) return false;
      interaction.pullToward(x1 - box().left, y1 - box().top);
      await this.settled();
      return true;
    },
    release: async () => stage.interaction?.release(),
    project(view, point) {
      const at = stage.viewer?.project(view, point) ?? null;
      return at && [at[0] + box().left, at[1] + box().top];
    },
    get extent() {
      return stage.viewer?.extent ?? 1;
    },
    vertex: (view, index) => stage.viewer?.vertex(view, index) ?? null,
    knot: (index) => inspector.examplePanel.editor.pageOf(index),
  };
}
