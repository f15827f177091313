// One socket to the server: numbered requests with promises, frames acknowledged as they are drawn, and a new socket when the old one
// is lost (after 0.5 s, 1 s, 2 s, … at most 5 s). Requests that were under way when the socket was lost fail with `Disconnected`.

import {type Commands, decodeFrame, type Frame, isReply, type Problem, type Reply, type ServerText, subprotocol} from './protocol';

export class Refused extends Error {
  constructor(
    message: string,
    readonly problems: Problem[],
  ) {
    super(message);
  }
}
export class Disconnected extends Error {}

export interface Listener {
  text(message: ServerText): void;
  frame(frame: Frame): void;
  state(state: 'connecting' | 'open' | 'lost', retryIn: number): void;
}

interface Pending {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private next = 1;
  private readonly pending = new Map<number, Pending>();
  private attempts = 0;
  private timer = 0;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {}

  open(): void {
    window.clearTimeout(this.timer);
    this.listener.state('connecting', 0);
    const socket = new WebSocket(this.url, subprotocol);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.listener.state('open', 0);
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Nothing that was asked waits for its answer. */
  get isQuiet(): boolean {
    return this.pending.size === 0;
  }

  request<K extends keyof Commands>(command: K, fields: Commands[K]): Promise<Reply> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      if (!this.send({id, do: command, ...fields})) {
        reject(new Disconnected('not connected to the server'));
        return;
      }
      this.pending.set(id, {resolve, reject});
    });
  }

  /** A command whose answer nobody waits for. */
  tell<K extends keyof Commands>(command: K, fields: Commands[K]): void {
    this.send({id: this.next++, do: command, ...fields});
  }

  private send(message: object): boolean {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  private receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      this.listener.frame(frame);
      this.tell('ack', {frame: frame.number});
      return;
    }
    const message = JSON.parse(String(data)) as ServerText;
    if (!isReply(message)) {
      this.listener.text(message);
      return;
    }
    const waiting = this.pending.get(message.reply);
    this.pending.delete(message.reply);
    if (message.ok) waiting?.resolve(message);
    else waiting?.reject(new Refused(message.error ?? 'refused', message.problems ?? []));
  }

  private lost(): void {
    this.socket = null;
    for (const waiting of this.pending.values()) waiting.reject(new Disconnected('the connection was lost'));
    this.pending.clear();
    if (this.closed) return;
    const wait = Math.min(5000, 500 * 2 ** this.attempts++);
    this.listener.state('lost', wait);
    this.timer = window.setTimeout(() => this.open(), wait);
  }
}
