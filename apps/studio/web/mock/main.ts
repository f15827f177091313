// `npm run mock`: serves dist/ and speaks the protocol with a toy body, so that the page can be built and tested without the C++ server.
// PORT (8735) and TEST=1 (steps on command only) from the environment.

import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {dirname, extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

import {WebSocketServer} from 'ws';

import {registry} from './document';
import {encodeTopology} from './encode';
import {MockSession} from './session';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const types: Record<string, string> = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css'};
const session = new MockSession(process.env.TEST === '1');

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const json = (value: unknown) => response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(value));
  const {rest, triangles, pinned} = session.surface;
  if (url.pathname === '/api/registry') return json(registry);
  if (url.pathname === '/api/document') return json(session.document);
  if (url.pathname === '/api/files') return json({scenes: [{path: 'scenes/bar.json', title: 'A bar'}], runs: [{path: 'out/bar'}]});
  if (url.pathname === '/api/topology') return response.writeHead(200, {'content-type': 'application/octet-stream'}).end(Buffer.from(encodeTopology(rest.map((_, i) => i), rest.map(() => 0), [[201, 162, 122]], triangles, {bodies: ['bar'], regions: [], pinned})));
  if (url.pathname.startsWith('/api/')) return response.writeHead(404).end('the mock has no such thing');
  const path = normalize(url.pathname === '/' ? '/index.html' : url.pathname);
  readFile(join(dist, path)).then(
    (data) => response.writeHead(200, {'content-type': types[extname(path)] ?? 'application/octet-stream'}).end(data),
    () => response.writeHead(404).end('not found'),
  );
  return undefined;
});

const sockets = new WebSocketServer({server, path: '/socket', perMessageDeflate: false, handleProtocols: () => 'dashpot.studio.1'});
sockets.on('connection', (socket) => {
  socket.send(JSON.stringify(session.describe('hello')));
  session.clients.set(socket, true);
  socket.on('close', () => session.clients.delete(socket));
  socket.on('message', (data) => {
    const {id, do: name, ...fields} = JSON.parse(String(data)) as {id: number; do: string} & Record<string, never>;
    if (name === 'ack') return void session.clients.set(socket, true);
    try {
      socket.send(JSON.stringify({reply: id, ok: true, ...session.command(name, fields)}));
    } catch (error) {
      socket.send(JSON.stringify({reply: id, ok: false, error: (error as Error).message, problems: []}));
    }
  });
});

const port = Number(process.env.PORT ?? 8735);
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/?token=mock`));
