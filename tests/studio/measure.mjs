// Measures a running studio on loopback: how many steps of the default koala it takes in a second while it streams to one page, and how long
// it takes from a mouse message to the first frame that was computed after it. Prints numbers; ends with 1 where a bar of
// docs/design/0020-studio.md is missed.
//   node tests/studio/measure.mjs build/bin/dashpot [SECONDS]
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {Page, quantile, start} from './server.mjs';

const [program, seconds = '4'] = process.argv.slice(2);
const server = await start(program, [], mkdtempSync(join(tmpdir(), 'studio-')));
const page = new Page(server);
const hello = await page.hello;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function stepsPerSecond(views) {
  await page.ask('views', {views});
  await page.ask('speed', {factor: 4});
  await page.ask('play');
  await sleep(500);
  const [t0, w0, f0] = [page.status.time, performance.now(), page.frames];
  await sleep(1000 * Number(seconds));
  const wall = (performance.now() - w0) / 1000;
  return {views: views.length, steps_per_s: (page.status.time - t0) / hello.dt / wall, frames_per_s: (page.frames - f0) / wall, step_ms: page.status.step_ms};
}
const one = await stepsPerSecond([{kind: 'designed'}]);
const two = await stepsPerSecond([{kind: 'designed'}, {kind: 'reference'}]);

// Latency: a target that no frame has shown yet, until one shows it. The spring is the last 32 bytes of a frame.
await page.ask('views', {views: [{kind: 'designed'}]});
await page.ask('speed', {factor: 1});
await page.ask('reset');
await page.ask('play');
const at = 1000; // any point that can move
const grabbed = await page.ask('grab', {node: at, radius: 0, stiffness: 0});
if (!grabbed.ok) throw new Error(grabbed.error);
const times = [];
for (let i = 0; i < 100; ++i) {
  const x = Math.fround(0.2 + 0.0001 * i);
  const begin = performance.now();
  const seen = new Promise((resolve) => {
    page.onFrame = (data) => data.readUInt32LE(data.length - 32) === 1 && Math.abs(data.readFloatLE(data.length - 16) - x) < 1e-7 && resolve(performance.now());
  });
  page.tell('drag', {target: [x, 0.3, 0]});
  times.push((await seen) - begin);
  await sleep(7 + (i % 13));
}
await page.ask('release');
const tick = 1000 * hello.dt; // a step at the speed of the clock
const bar = 2 * tick + 5;
const result = {one_world: one, two_worlds: two, latency_ms: {median: quantile(times, 0.5), p95: quantile(times, 0.95), worst: Math.max(...times)}, tick_ms: tick, bars: {steps_per_s: 100, latency_ms: bar}};
console.log(JSON.stringify(result, null, 2));
page.close();
await server.stop();
process.exit(one.steps_per_s >= 100 && quantile(times, 0.5) <= bar ? 0 : 1);
