// The studio's story in a real browser, told in numbers: choose the ear example, bend its curve, pull the ear and let go, see that it dies
// out faster; ask for an unloading target and get it; save, open again, the same design.
//   node tests/studio/story.mjs build/bin/dashpot [FOLDER for screenshots]
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve as absolute} from 'node:path';

import {check, playwright, start} from './server.mjs';

const [program, pictures] = process.argv.slice(2);
const browserPath = process.env.DASHPOT_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(browserPath)) {
  console.log(`no browser at ${browserPath}: the story is not told (apt-get install chromium)`);
  process.exit(77);
}
if (pictures) mkdirSync(pictures, {recursive: true});
const project = mkdtempSync(join(tmpdir(), 'studio-story-'));
const server = await start(program, ['--test'], project);
const browser = await playwright().chromium.launch({
  executablePath: browserPath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});
const page = await browser.newPage({viewport: {width: 1280, height: 720}});
const complaints = [];
page.on('pageerror', (error) => complaints.push(String(error)));
page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
const picture = async (name) => pictures && page.screenshot({path: join(pictures, `${name}.png`)});
const studio = (what, ...args) => page.evaluate(([name, values]) => window.studio[name](...values), [what, args]);
const state = () => page.evaluate(() => JSON.parse(JSON.stringify(window.studio.state())));
const until = (what, text) => page.waitForFunction(what, null, {timeout: 120000}).catch(() => { throw new Error(text); });

/** Where the surface point nearest to the tip of the left ear is in the first viewport. */
async function ear() {
  const at = await page.evaluate(() => {
    const {session} = window.studio;
    const count = session.topology.points.length;
    let best = null;
    for (let i = 0; i < count; ++i) {
      const p = window.studio.vertex(0, i);
      const score = p[1] + 2 * p[0]; // the ear on the side of +x
      if (!best || score > best.score) best = {score, p};
    }
    const screen = window.studio.project(0, best.p);
    return {screen, p: best.p};
  });
  check(at.screen, 'the ear is not in the picture');
  return at.screen;
}

/** Pulls the ear, lets it go, and gives the decay rate of its envelope [1/s] in the designed world. */
async function ring() {
  await page.evaluate(() => window.studio.session.connection.request('reset', {}));
  await studio('step', 300); // the motion of the start dies out
  const [x, y] = await ear();
  // A little inside the outline, so that the ray meets the body.
  const [cx, cy] = [x - 6, y + 6];
  const held = await studio('drag', cx, cy, cx + 60, cy);
  check(held, 'the ear could not be grabbed');
  await studio('step', 60);
  const pulled = await state();
  check(pulled.status.mouse_force > 0, `no force while pulling: ${pulled.status.mouse_force}`);
  await picture('pulling');
  await studio('release');
  await studio('step', 250);
  const {decay, status} = await state();
  check(status.released !== null, 'the release is not marked');
  const rate = (points) => {
    const used = points.filter((p) => p.y > 0);
    const n = used.length;
    const [mx, my] = [used.reduce((s, p) => s + p.x, 0) / n, used.reduce((s, p) => s + Math.log(p.y), 0) / n];
    return -used.reduce((s, p) => s + (p.x - mx) * (Math.log(p.y) - my), 0) / used.reduce((s, p) => s + (p.x - mx) ** 2, 0);
  };
  check((decay.designed ?? []).length >= 3, `only ${decay.designed?.length ?? 0} peaks after the release`);
  return {designed: rate(decay.designed), reference: rate(decay.reference), peaks: decay.designed.length};
}

try {
  await page.goto(`${server.url}&test=1&theme=light`);
  await until(() => window.studio?.ready, 'the page did not become ready');
  await picture('opened');
  const opened = await state();
  check(opened.examples.length === 4, `${opened.examples.length} examples instead of 4`);
  check(opened.webgl, 'there is no WebGL');

  // From the front, so that a pull to the side is one along x. With the keys, as those do who have no mouse.
  await page.getByRole('application').focus();
  for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowRight');
  await page.getByRole('button', {name: /left ear/}).first().click();
  await until(() => window.studio.session.selectedExample?.name === 'left ear', 'the ear example was not chosen');
  const before = await ring();

  // The middle point of the curve goes up by a factor of more than three.
  const from = await studio('knot', 1);
  await page.mouse.move(from[0], from[1]);
  await page.mouse.down();
  await page.mouse.move(from[0], from[1] - 20, {steps: 4});
  await page.mouse.move(from[0], from[1] - 55, {steps: 8});
  await page.mouse.up();
  await page.waitForTimeout(300);
  for (const index of [0, 2]) {
    const knot = await studio('knot', index);
    await page.mouse.move(knot[0], knot[1]);
    await page.mouse.down();
    await page.mouse.move(knot[0], knot[1] - 55, {steps: 8});
    await page.mouse.up();
    await page.waitForTimeout(200);
  }
  const bent = (await state()).examples.find((e) => e.name === 'left ear').curve.points;
  check(bent.every(([, gamma]) => gamma > 2), `the curve did not follow the mouse: ${JSON.stringify(bent)}`);
  const after = await ring();
  await picture('rung');
  console.log(`decay of the ear: ${before.designed.toFixed(3)} /s before, ${after.designed.toFixed(3)} /s with gains ${bent.map(([, g]) => g.toFixed(1)).join(', ')}; without examples ${after.reference.toFixed(3)} /s`);
  check(after.designed > 1.3 * before.designed, 'the stronger gain does not make the ear die out faster');

  // An unloading target for another example, which the ear does not touch.
  await page.getByRole('button', {name: /lean forward/}).first().click();
  await until(() => window.studio.session.selectedExample?.name === 'lean forward', 'the leaning example was not chosen');
  await page.getByRole('button', {name: 'Add a target'}).click();
  const left = page.getByLabel('Remains after one cycle, target 1');
  await left.fill('0.6');
  await left.press('Enter');
  const results = page.evaluate(() => new Promise((resolve) => window.studio.session.on('design', (event) => event.done && resolve(event))));
  await page.getByRole('button', {name: 'Find the gains that meet the targets'}).click();
  const solved = await results;
  const met = solved.results?.[0];
  check(met, `the search gave no result: ${JSON.stringify(solved)}`);
  console.log(`asked ${met.asked} left, achieved ${met.achieved} (${solved.simulations} simulations)`);
  check(Math.abs(met.achieved / met.asked - 1) <= 0.01, 'the target is missed by more than 1 %');
  await page.waitForTimeout(300);
  await picture('solved');

  // Save, open again: the same design.
  const saved = await page.evaluate(() => window.studio.session.connection.request('save', {path: 'designs/koala.json'}));
  check(saved.ok, 'the scene was not saved');
  const kept = (await state()).document;
  await page.reload();
  await until(() => window.studio?.ready, 'the page did not come back');
  await page.evaluate(() => window.studio.session.connection.request('open', {path: 'designs/koala.json', kind: 'scene'}));
  await page.waitForTimeout(500);
  const again = (await state()).document;
  check(JSON.stringify(again) === JSON.stringify(kept), 'the design is another after saving and opening');
  const written = JSON.parse(readFileSync(join(project, 'designs/koala.json'), 'utf8'));
  check(JSON.stringify(written.bodies[0].damping) === JSON.stringify(kept.bodies[0].damping), 'the file holds another design');
  execFileSync(absolute(program), ['check', join(project, 'designs/koala.json'), '--quiet']);
  await page.evaluate(() => window.studio.session.connection.request('modes', {count: 6}));
  if (pictures) {
    await page.goto(`${server.url}&test=1&theme=dark`);
    await until(() => window.studio?.ready, 'the page did not become ready in dark');
    await page.evaluate(() => window.studio.session.connection.request('views', {views: [{kind: 'designed'}, {kind: 'reference'}, {kind: 'example', name: 'left ear'}, {kind: 'mode', index: 1}]}));
    await page.waitForTimeout(500);
    await ring();
    await picture('dark');
  }
  check(complaints.length === 0, `the page complained: ${complaints.join('; ')}`);
  console.log('the story is told');
} catch (error) {
  if (pictures) await page.screenshot({path: join(pictures, 'failed.png')}).catch(() => {});
  console.error(String(error?.stack ?? error));
  console.error(complaints.join('\n'));
  console.error(server.log());
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
process.exit(process.exitCode ?? 0);
