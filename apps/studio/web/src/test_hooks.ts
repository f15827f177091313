// What tests see and do (`?test=1`): the state as numbers, steps on command, the mouse without a mouse.

import type {Hit} from './net/protocol';
import type {Session} from './session';
import type {Inspector} from './ui/inspector';
import type {Plots} from './ui/plots';
import type {Stage} from './ui/stage';

export interface StudioHooks {
  readonly ready: boolean;
  state(): Record<string, unknown>;
  step(count: number): Promise<number>;
  pick(x: number, y: number): Promise<Hit | null>;
  drag(x0: number, y0: number, x1: number, y1: number): Promise<boolean>;
  release(): Promise<void>;
  project(view: number, point: [number, number, number]): [number, number] | null;
  vertex(view: number, index: number): [number, number, number] | null;
  knot(index: number): [number, number];
  session: Session;
}

declare global {
  interface Window {
    studio: StudioHooks;
  }
}

export function installHooks(session: Session, stage: Stage, inspector: Inspector, plots: Plots): void {
  const box = (): DOMRect => stage.element.getBoundingClientRect();
  window.studio = {
    session,
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
      const reply = await session.connection.request('step', {count});
      // The answer may overtake the frame: one that the page has not acknowledged holds the next one back. Tests aim at the picture
      // next, so it has to be of this time.
      while (stage.viewer && Math.abs((stage.viewer.shownTime ?? -1) - Number(reply.time)) > 1e-9) {
        if (!session.connection.isOpen) throw new Error('the connection was lost before the frame came');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return Number(reply.time);
    },
    pick: async (x, y) => (stage.interaction ? stage.interaction.pick(x - box().left, y - box().top) : null),
    async drag(x0, y0, x1, y1) {
      const {interaction} = stage;
      const at = [x0 - box().left, y0 - box().top] as const;
      const hit = interaction ? await interaction.pick(...at) : null;
      if (!interaction || !hit || !(await interaction.grab(hit, ...at))) return false;
      interaction.pullToward(x1 - box().left, y1 - box().top);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return true;
    },
    release: async () => stage.interaction?.release(),
    project(view, point) {
      const at = stage.viewer?.project(view, point) ?? null;
      return at && [at[0] + box().left, at[1] + box().top];
    },
    vertex: (view, index) => stage.viewer?.vertex(view, index) ?? null,
    knot: (index) => inspector.examplePanel.editor.pageOf(index),
  };
}
