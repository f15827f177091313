// A history of steps that can be taken back. Steps of one gesture (a drag, a held arrow key) carry the same label and are joined to one.

export interface Step<T> {
  label: string;
  undo: T;
  redo: T;
}

export class History<T> {
  private done: Step<T>[] = [];
  private undone: Step<T>[] = [];
  private open: string | null = null;

  constructor(private readonly limit = 200) {}

  /** Notes a step. `gesture`: steps in a row with the same one become one step, from its first undo to its last redo. */
  push(step: Step<T>, gesture: string | null = null): void {
    this.undone = [];
    const last = this.done[this.done.length - 1];
    if (gesture !== null && gesture === this.open && last) {
      last.redo = step.redo;
      return;
    }
    this.done.push({...step});
    if (this.done.length > this.limit) this.done.shift();
    this.open = gesture;
  }

  /** Ends a gesture: the next step stands for itself. */
  seal(): void {
    this.open = null;
  }

  undo(): Step<T> | null {
    const step = this.done.pop() ?? null;
    if (step) this.undone.push(step);
    this.open = null;
    return step;
  }

  redo(): Step<T> | null {
    const step = this.undone.pop() ?? null;
    if (step) this.done.push(step);
    this.open = null;
    return step;
  }

  clear(): void {
    this.done = [];
    this.undone = [];
    this.open = null;
  }

  get undoLabel(): string | null {
    return this.done[this.done.length - 1]?.label ?? null;
  }
  get redoLabel(): string | null {
    return this.undone[this.undone.length - 1]?.label ?? null;
  }
}
