// The studio's story in a real browser, told in numbers: choose the ear example, bend its curve, pull the ear and let go, see that it dies
// out faster; ask for an unloading target and get it; save, open again, the same design.
//   node tests/studio/story.mjs build/bin/dashpot [FOLDER for screenshots]
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve as absolute} from 'node:path';

import {launch, openStudio} from './browser.mjs';
import {check, start} from './server.mjs';

const [program, pictures] = process.argv.slice(2);
const browser = await launch();
const project = mkdtempSync(join(tmpdir(), 'studio-story-'));
const server = await start(program, ['--test'], project);
const {page, complaints, studio, ask, state, until, ready, go, picture, vertexAlong, dragMouse} = await openStudio(browser, server.url, pictures);

/** Pulls the left ear, lets it go, and gives the decay rate of its envelope [1/s] in both worlds. */
async function ring() {
  await ask('reset');
  await studio('step', 300); // the motion of the start dies out
  const {inside} = await vertexAlong([2, 1, 0]); // the tip of the ear on the side of +x
  check(inside, 'the ear is not in the picture');
  const [x, y] = inside;
  const held = await studio('drag', x, y, x + 60, y);
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

  // The points of the curve go up, the middle one first.
  for (const [index, up] of [[1, 75], [0, 55], [2, 55]]) {
    const [x, y] = await studio('knot', index);
    await dragMouse([x, y], [x, y - up]);
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
  await page.evaluate(() => window.studio.session.on('design', (event) => event.done && (window.found = event)));
  await page.getByRole('button', {name: 'Find the gains that meet the targets'}).click();
  await until(() => window.found, 'the search did not end');
  const solved = await page.evaluate(() => window.found);
  const met = solved.results?.[0];
  check(met, `the search gave no result: ${JSON.stringify(solved)}`);
  console.log(`asked ${met.asked} left, achieved ${met.achieved} (${solved.simulations} simulations)`);
  check(Math.abs(met.achieved / met.asked - 1) <= 0.01, 'the target is missed by more than 1 %');
  await studio('settled');
  await picture('solved');

  // Save, open again: the same design.
  const saved = await ask('save', {path: 'designs/koala.json'});
  check(saved.ok, 'the scene was not saved');
  const kept = (await state()).document;
  await page.reload();
  await ready();
  await ask('open', {path: 'designs/koala.json', kind: 'scene'});
  await studio('settled');
  const again = (await state()).document;
  check(JSON.stringify(again) === JSON.stringify(kept), 'the design is another after saving and opening');
  const written = JSON.parse(readFileSync(join(project, 'designs/koala.json'), 'utf8'));
  check(JSON.stringify(written.bodies[0].damping) === JSON.stringify(kept.bodies[0].damping), 'the file holds another design');
  execFileSync(absolute(program), ['check', join(project, 'designs/koala.json'), '--quiet']);
  if (pictures) {
    await ask('modes', {count: 6});
    await go('&theme=dark');
    await ask('views', {views: [{kind: 'designed'}, {kind: 'reference'}, {kind: 'example', name: 'left ear'}, {kind: 'mode', index: 1}]});
    await studio('settled');
    await ring();
    await picture('dark');
  }
  check(complaints.length === 0, `the page complained: ${complaints.join('; ')}`);
  console.log('the story is told');
} catch (error) {
  await Promise.resolve(picture('failed')).catch(() => {});
  console.error(String(error?.stack ?? error));
  console.error(complaints.join('\n'));
  console.error(server.log());
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  rmSync(project, {recursive: true, force: true});
}
process.exit(process.exitCode ?? 0);
