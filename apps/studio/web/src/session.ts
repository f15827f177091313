// What the page knows of the session, and the one way to change it. The scene document is the truth; two kinds of change exist: `set` turns
// values of parameters at once, `edit` changes the document and lets the server compile it again. Both go into one history. Without a
// connection changes are made to the page's own copy; when the server is back and has another document, the user is asked which one counts.

import {type Curve, isConstant, problemsOf} from './logic/curve';
import {Emitter} from './logic/emitter';
import {type Change, applyAll, clone, difference, equal, get, type Json, join} from './logic/pointer';
import {History} from './logic/undo';
import {Connection, Disconnected, Refused} from './net/connection';
import {
  type Commands, curveOf, decodeTopology, isReply, type Example, type Frame, type Hello, type ModeInfo, type Parameter, type Registry, type Reply,
  type ServerEvent, type ServerText, type Status, type Topology, type View,
} from './net/protocol';

export type Values = Record<string, number | number[]>;
type Operation = {edit: Change[]} | {set: Values};

export interface Selection {
  kind: 'scene' | 'body' | 'material' | 'damping' | 'pins' | 'example' | 'modes' | 'regions';
  at: string;
}
export interface Conflict {
  mine: Json;
}
interface Events {
  document: Hello;
  curve: Example;
  status: Status;
  frame: Frame;
  topology: Topology;
  registry: Registry;
  connection: {state: 'connecting' | 'open' | 'lost'; retryIn: number};
  selection: Selection;
  design: ServerEvent;
  message: {kind: 'note' | 'error'; text: string; problems?: {where: string; text: string}[]};
  history: void;
  conflict: Conflict;
  modes: ModeInfo[];
  opened: void; // another scene or run comes next
}

export class Session extends Emitter<Events> {
  hello: Hello | null = null;
  document: Json = null;
  parameters = new Map<string, Parameter>();
  status: Status | null = null;
  topology: Topology | null = null;
  registry: Registry | null = null;
  modes: ModeInfo[] = [];
  selection: Selection = {kind: 'scene', at: ''};
  readonly history = new History<Operation>();
  readonly connection: Connection;
  private topologyNumber = -1;
  private changedOffline = false;
  private scene = '';
  private editing = 0; // edits of this page under way
  private adopted = 0; // documents taken from the server
  private readonly waiting = new Map<string, number | number[]>();
  private setting = false;

  constructor(readonly token: string) {
    super();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(`${scheme}://${location.host}/socket?token=${encodeURIComponent(token)}`, {
      text: (message) => this.receive(message),
      frame: (frame) => this.emit('frame', frame),
      state: (state, retryIn) => this.emit('connection', {state, retryIn}),
    });
  }

  start(): void {
    this.connection.open();
    void this.fetchRegistry();
  }

  url(path: string, query: Record<string, string> = {}): string {
    return `${path}?${new URLSearchParams({...query, token: this.token})}`;
  }

  get examples(): Example[] {
    return this.hello?.examples ?? [];
  }
  get worlds(): string[] {
    return this.status?.worlds.map((world) => world.kind) ?? [];
  }
  exampleAt(at: string): Example | undefined {
    return this.examples.find((example) => example.at === at);
  }
  get selectedExample(): Example | undefined {
    return this.selection.kind === 'example' ? this.exampleAt(this.selection.at) : undefined;
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.emit('selection', selection);
  }

  /** Sends a command; what goes wrong is shown and answered with null. */
  async command<K extends keyof Commands>(name: K, fields: Commands[K]): Promise<Reply | null> {
    try {
      return await this.connection.request(name, fields);
    } catch (error) {
      this.complain(error);
      return null;
    }
  }

  complain(error: unknown): void {
    if (error instanceof Disconnected) return; // the banner says it
    const problems = error instanceof Refused ? error.problems : undefined;
    this.emit('message', {kind: 'error', text: error instanceof Error ? error.message : String(error), problems});
  }

  /** A command that changes the document on the server (a pin, a new example): it can be taken back as an edit can. */
  async change<K extends keyof Commands>(label: string, name: K, fields: Commands[K]): Promise<Reply | null> {
    const before = this.document;
    const reply = await this.command(name, fields);
    if (reply) this.remember(label, before);
    return reply;
  }

  /** Another scene: steps of the one before cannot be taken back in it. */
  forgetHistory(): void {
    this.history.clear();
    this.emit('history', undefined);
  }

  /** What the server made of the document since `before` becomes a step that can be taken back. */
  remember(label: string, before: Json): void {
    const redo = difference(before, this.document);
    if (redo.length === 0) return;
    this.history.push({label, undo: {edit: difference(this.document, before)}, redo: {edit: redo}});
    this.emit('history', undefined);
  }

  note(text: string): void {
    this.emit('message', {kind: 'note', text});
  }

  /** Changes the document. The promise tells whether the change was taken. */
  async edit(label: string, changes: Change[]): Promise<boolean> {
    let inverse: Change[];
    let changed: Json;
    try {
      ({document: changed, inverse} = applyAll(this.document, changes));
    } catch (error) {
      this.complain(error);
      return false;
    }
    if (!(await this.sendEdit(changes, changed))) return false;
    this.history.push({label, undo: {edit: inverse}, redo: {edit: clone(changes as unknown as Json) as unknown as Change[]}});
    this.emit('history', undefined);
    return true;
  }

  private async sendEdit(changes: Change[], changed: Json): Promise<boolean> {
    if (!this.connection.isOpen) {
      this.document = changed;
      this.changedOffline = true;
      if (this.hello) this.emit('document', this.hello);
      return true;
    }
    const told = this.adopted;
    ++this.editing;
    const reply = await this.command('edit', {changes, quiet: true});
    --this.editing;
    if (reply === null) return false;
    if (told === this.adopted) this.document = changed; // the server's own word about it is still under way
    return true;
  }

  /** Turns values of parameters while the scene runs. Within one gesture only the newest values are sent, one request at a time. */
  set(label: string, values: Values, gesture: string | null): void {
    const before: Values = {};
    for (const name of Object.keys(values)) {
      const parameter = this.parameters.get(name);
      if (parameter) before[name] = clone(parameter.value);
    }
    this.history.push({label, undo: {set: before}, redo: {set: clone(values)}}, gesture);
    this.emit('history', undefined);
    this.applyValues(values);
  }

  private applyValues(values: Values): void {
    for (const [name, value] of Object.entries(values)) {
      const parameter = this.parameters.get(name);
      if (parameter) parameter.value = clone(value);
      this.writeValue(name, value);
      this.waiting.set(name, value);
    }
    if (!this.connection.isOpen) this.changedOffline = true;
    void this.flush();
  }

  /** Values that another page turned; what is being turned here is newer. */
  private takeValues(values: Values): void {
    if (this.setting || this.waiting.size > 0) return;
    for (const [name, value] of Object.entries(values)) {
      const parameter = this.parameters.get(name);
      if (parameter) parameter.value = clone(value);
      this.writeValue(name, value);
    }
  }

  private async flush(): Promise<void> {
    if (this.setting || this.waiting.size === 0 || !this.connection.isOpen) return;
    this.setting = true;
    const values = Object.fromEntries(this.waiting);
    this.waiting.clear();
    await this.command('set', {values});
    this.setting = false;
    void this.flush();
  }

  /** Everything that was changed here is known to the server, and what it answered is known here. */
  get isQuiet(): boolean {
    return !this.setting && this.waiting.size === 0 && this.connection.isQuiet && this.topologyNumber === this.hello?.topology;
  }

  /** Writes a value into the page's copy of the document, where it has a place there. */
  private writeValue(name: string, value: number | number[]): void {
    const example = this.examples.find((e) => name === join(e.at, 'gamma') || name === join(e.at, 'at'));
    if (example) {
      const points = example.curve.points;
      const list = Array.isArray(value) ? value : [value];
      const column = name.endsWith('/at') ? 0 : 1;
      list.forEach((v, i) => points[i] && (points[i][column] = v));
      const place = points.length === 1 && get(this.document, join(example.at, 'curve')) === undefined ? {at: join(example.at, 'gamma'), value: points[0][1]} : {at: join(example.at, 'curve'), value: clone(points) as Json};
      this.document = applyAll(this.document, [place]).document;
      this.emit('curve', example);
    } else if (get(this.document, name) !== undefined) {
      this.document = applyAll(this.document, [{at: name, value}]).document;
    }
  }

  /** Gives an example another gain curve: by values where only values differ, by an edit where the document's form changes. */
  async setCurve(example: Example, curve: Curve, label: string, gesture: string | null): Promise<boolean> {
    const problems = problemsOf(curve);
    if (problems.length > 0) {
      this.emit('message', {kind: 'error', text: problems.join('; ')});
      return false;
    }
    const old = curveOf(example);
    const gammaName = join(example.at, 'gamma');
    const inDocument = get(this.document, join(example.at, 'curve')) !== undefined;
    const sameForm = curve.knots.length === old.knots.length && (isConstant(curve) || (curve.interpolation === old.interpolation && inDocument));
    if (sameForm && this.parameters.has(gammaName) && isConstant(curve) !== inDocument) {
      const values: Values = isConstant(curve)
        ? {[gammaName]: this.listLike(gammaName, [curve.knots[0].gamma])}
        : {[gammaName]: curve.knots.map((k) => k.gamma), [join(example.at, 'at')]: curve.knots.map((k) => k.x)};
      this.set(label, values, gesture);
      return true;
    }
    return this.edit(label, this.curveChanges(example, curve));
  }

  private listLike(name: string, values: number[]): number | number[] {
    return Array.isArray(this.parameters.get(name)?.value) ? values : values[0];
  }

  /** The changes of the document that give an example this curve. */
  curveChanges(example: Example, curve: Curve): Change[] {
    const has = (key: string) => get(this.document, join(example.at, key)) !== undefined;
    const changes: Change[] = [];
    for (const key of isConstant(curve) ? ['curve', 'interpolation', 'preset'] : ['gamma', 'preset'])
      if (has(key)) changes.push({at: join(example.at, key), remove: true});
    if (isConstant(curve)) {
      changes.push({at: join(example.at, 'gamma'), value: curve.knots[0].gamma});
    } else {
      changes.push({at: join(example.at, 'curve'), value: curve.knots.map((k) => [k.x, k.gamma])});
      changes.push({at: join(example.at, 'interpolation'), value: curve.interpolation});
    }
    return changes;
  }

  async undo(): Promise<void> {
    const step = this.history.undo();
    if (step) await this.perform(step.undo);
  }
  async redo(): Promise<void> {
    const step = this.history.redo();
    if (step) await this.perform(step.redo);
  }
  private async perform(operation: Operation): Promise<void> {
    this.emit('history', undefined);
    if ('set' in operation) {
      this.applyValues(operation.set);
      return;
    }
    try {
      await this.sendEdit(operation.edit, applyAll(this.document, operation.edit).document);
    } catch (error) {
      this.complain(error);
    }
  }

  /** Puts a whole document in the place of the server's. */
  restore(document: Json): Promise<boolean> {
    return this.edit('restore the design', [{at: '', value: document}]);
  }

  async setViews(views: View[]): Promise<void> {
    const reply = await this.command('views', {views});
    if (reply && this.hello) {
      this.hello.views = (reply.views as View[] | undefined) ?? views;
      this.emit('document', this.hello);
    }
  }

  async findModes(count: number): Promise<void> {
    const reply = await this.command('modes', {count});
    if (!reply) return;
    this.modes = reply.modes as unknown as ModeInfo[];
    this.emit('modes', this.modes);
  }

  private receive(message: ServerText): void {
    if (isReply(message)) return;
    if (message.type === 'status') {
      this.status = message;
      this.emit('status', message);
    } else if (message.type === 'event') {
      this.event(message as ServerEvent);
    } else {
      this.adopt(message as Hello);
    }
  }

  private event(event: ServerEvent): void {
    if (event.kind === 'design') this.emit('design', event);
    else if (event.kind === 'values') this.takeValues(event.values ?? {});
    else if (event.kind === 'failure') this.emit('message', {kind: 'error', text: event.text ?? 'the simulation failed', problems: event.problems});
    else if (event.kind === 'note' && event.text) this.emit('message', {kind: 'note', text: event.text});
    else if (event.kind === 'job' && event.text && event.done) this.emit('message', {kind: 'note', text: event.text});
  }

  private adopt(hello: Hello): void {
    const mine = this.document;
    const offline = this.changedOffline;
    const first = this.hello === null;
    ++this.adopted;
    // Events of a `changed` may leave out what is told once.
    this.hello = {...this.hello, ...hello};
    this.document = hello.document;
    this.parameters = new Map(hello.parameters.map((parameter) => [parameter.name, parameter]));
    this.changedOffline = false;
    if (hello.type === 'hello') this.waiting.clear(); // values turned without a connection are in the page's document: the user is asked about it
    const scene = `${hello.kind} ${hello.path} ${hello.title}`;
    if (scene !== this.scene && hello.topology !== this.topologyNumber) this.emit('opened', undefined);
    // Whoever opened it: what was done in the scene before cannot be taken back in this one.
    if (hello.type === 'changed' && scene !== this.scene && this.editing === 0 && !equal(mine, hello.document)) this.forgetHistory();
    this.scene = scene;
    if (first || !this.selectionExists()) this.selection = this.defaultSelection();
    this.emit('document', this.hello);
    this.emit('selection', this.selection);
    if (hello.topology !== this.topologyNumber) void this.fetchTopology(hello.topology);
    if (hello.type === 'hello' && !first && mine !== null && !equal(mine, hello.document) && (offline || this.history.undoLabel !== null)) this.emit('conflict', {mine});
  }

  private selectionExists(): boolean {
    if (this.hello?.kind === 'run') return this.selection.kind === 'scene';
    if (this.selection.kind === 'example') return this.exampleAt(this.selection.at) !== undefined;
    return this.selection.kind === 'scene' || this.selection.kind === 'modes' || get(this.document, this.selection.at) !== undefined;
  }
  private defaultSelection(): Selection {
    const [example] = this.examples;
    return example ? {kind: 'example', at: example.at} : {kind: 'scene', at: ''};
  }

  private async fetchTopology(number: number): Promise<void> {
    try {
      const response = await fetch(this.url('api/topology', {view: '0'}));
      if (!response.ok) throw new Error(`the surface could not be read: ${await response.text()}`);
      this.topology = decodeTopology(await response.arrayBuffer());
      this.topologyNumber = number;
      this.emit('topology', this.topology);
    } catch (error) {
      this.complain(error);
    }
  }

  private async fetchRegistry(): Promise<void> {
    try {
      const response = await fetch(this.url('api/registry'));
      if (!response.ok) throw new Error(`the list of models could not be read: ${await response.text()}`);
      this.registry = (await response.json()) as Registry;
      this.emit('registry', this.registry);
    } catch (error) {
      this.complain(error);
    }
  }
}

