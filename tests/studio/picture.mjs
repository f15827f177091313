// A picture of the studio at work, for docs/studio.md: the ear has a stronger gain, was pulled and let go, and rings in both worlds.
//   node tests/studio/picture.mjs build/bin/dashpot FILE.png [light|dark]
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {playwright, start} from './server.mjs';

const [program, file, theme = 'light'] = process.argv.slice(2);
const server = await start(program, [], mkdtempSync(join(tmpdir(), 'studio-')));
const browser = await playwright().chromium.launch({
  executablePath: process.env.DASHPOT_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
});
const page = await browser.newPage({viewport: {width: 1280, height: 720}});
await page.goto(`${server.url}&theme=${theme}`);
await page.waitForFunction(() => window.studio?.ready, null, {timeout: 60000});
const ask = (name, fields) => page.evaluate(([n, f]) => window.studio.session.connection.request(n, f), [name, fields]);
await page.waitForTimeout(4000); // what the scene starts with dies out
const at = await page.evaluate(() => window.studio.session.examples[0].at);
await page.evaluate((at) => window.studio.session.set('bend', {[`${at}/gamma`]: [8, 12, 16]}, null), at);
// The tip of the left ear, pulled to the side.
const node = await page.evaluate(() => {
  const {session} = window.studio;
  let best = null;
  for (let i = 0; i < session.topology.points.length; ++i) {
    const [x, y] = window.studio.vertex(0, i);
    if (!best || y + 2 * x > best.score) best = {score: y + 2 * x, point: session.topology.points[i], p: window.studio.vertex(0, i)};
  }
  return best;
});
const pull = async () => {
  await ask('grab', {node: node.point, radius: 0, stiffness: 0});
  for (let i = 1; i <= 10; ++i) {
    await page.evaluate((target) => window.studio.session.connection.tell('drag', {target}), [node.p[0] + 0.012 * i, node.p[1], node.p[2]]);
    await page.waitForTimeout(80);
  }
};
await pull();
await ask('release', {});
await page.waitForTimeout(5000);
await page.screenshot({path: file});
await browser.close();
await server.stop();
process.exit(0);
