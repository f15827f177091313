// Starts `dashpot studio` for a test or a measurement, and talks to it: what stories and measure.mjs share.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {dirname, join, resolve as absolute} from 'node:path';
import {fileURLToPath} from 'node:url';

export const source = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(join(source, 'apps/studio/web/package.json'));
export const WebSocket = require('ws');
export const playwright = () => require('playwright-core');

/** {url, port, token, stop()}; the program ends with the test. */
export async function start(program, args, cwd) {
  const child = spawn(absolute(program), ['studio', '--no-open', '--json', ...args], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => (err += data));
  const told = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      if (out.trim().endsWith('}')) resolve(JSON.parse(out));
    });
    child.on('exit', (code) => reject(new Error(`dashpot studio ended with ${code}: ${err}`)));
  });
  const token = new URL(told.address).searchParams.get('token');
  const stop = () => new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.on('exit', (code) => resolve(code));
    child.kill('SIGINT');
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return {url: told.address, port: told.port, token, pid: child.pid, stop, isRunning: () => child.exitCode === null, log: () => err};
}

/** One page: numbered requests, newest status, frames. */
export class Page {
  constructor(server, {acknowledges = true} = {}) {
    this.pending = new Map();
    this.next = 1;
    this.texts = [];
    this.frames = 0;
    this.onFrame = () => {};
    this.onText = () => {};
    this.socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket?token=${server.token}`, 'dashpot.studio.1', {perMessageDeflate: false});
    this.hello = new Promise((resolve, reject) => {
      this.socket.on('error', reject);
      this.socket.on('message', (data, isBinary) => {
        if (isBinary) {
          ++this.frames;
          this.onFrame(data);
          if (acknowledges) this.tell('ack', {frame: data.readUInt32LE(4)});
          return;
        }
        const message = JSON.parse(String(data));
        if ('reply' in message) {
          this.pending.get(message.reply)?.(message);
          this.pending.delete(message.reply);
          return;
        }
        if (message.type === 'hello') resolve(message);
        if (message.type === 'hello' || message.type === 'changed') this.scene = message;
        if (message.type === 'status') this.status = message;
        this.onText(message);
      });
    });
  }
  tell(name, fields = {}) {
    this.socket.send(JSON.stringify({id: this.next++, do: name, ...fields}));
  }
  ask(name, fields = {}) {
    const id = this.next;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      this.tell(name, fields);
    });
  }
  close() {
    this.socket.terminate();
  }
}

/** Median and a quantile of numbers. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

export function check(holds, text) {
  if (!holds) throw new Error(text);
}
