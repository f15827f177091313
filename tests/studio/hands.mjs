// What hands do in the studio, in a real browser and told in numbers: pin and unpin, poke, paint, undo and redo, everything by keyboard alone,
// a finished run that is scrubbed, springs and colliders, a socket that drops.
//   node tests/studio/hands.mjs build/bin/dashpot [FOLDER for screenshots]
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve as absolute} from 'node:path';

import {launch, openStudio} from './browser.mjs';
import {check, start} from './server.mjs';

const [program, pictures] = process.argv.slice(2);
const bar = {
  dashpot: 1, title: 'A bar', time: {dt: '5 ms', end: '0.5 s', stepper: 'bathe'},
  bodies: [{
    name: 'bar', mesh: {bar: {size: [0.4, 0.05, 0.04], cells: [8, 2, 2]}},
    material: {model: 'stvk', young: '2 MPa', poisson: 0.3, density: 1000},
    damping: [{
      model: 'example_based', frame: 'fixed', over: {model: 'rayleigh', beta: '1 ms', stiffness: 'rest'},
      examples: [{name: 'sway', shape: {from: 'mode', mode: 1, amplitude: '2 cm'}, curve: [[0.2, 1], [1, 1]]}],
    }],
    pins: [{where: {box: [[-1, -1, -1], [1e-6, 1, 1]]}}],
    start: {from: 'mode', mode: 1, amplitude: '1 cm'},
  }],
  record: {probes: [{name: 'tip', where: {nearest: [0.4, 0.05, 0.04]}}]},
};
const chainOverBall = {
  dashpot: 1, title: 'A chain over a ball', gravity: [0, -9.81, 0], time: {dt: '5 ms', end: '0.5 s', stepper: 'bathe'},
  bodies: [{name: 'chain', mesh: {chain: {ends: [[-0.5, 0.5, 0], [0.5, 0.5, 0]], edges: 12}}, springs: [{stiffness: '20 kN/m'}], point_masses: [{mass: '10 g'}], pins: [{where: {vertices: [0]}}]}],
  colliders: [{plane: {name: 'floor'}}, {sphere: {name: 'ball', center: [0, 0.2, 0], radius: 0.2}}],
};
const project = mkdtempSync(join(tmpdir(), 'studio-hands-'));
writeFileSync(join(project, 'bar.json'), JSON.stringify(bar));
writeFileSync(join(project, 'chain.json'), JSON.stringify(chainOverBall));
execFileSync(absolute(program), ['run', 'bar.json', '--out', 'out/bar', '--quiet'], {cwd: project});

/** A way to the server that can be cut: what a network does to a socket. */
function cuttable(port) {
  const open = new Set();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [[client, upstream], [upstream, client]]) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => (open.delete(from), to.destroy()));
      from.pipe(to);
    }
  });
  return {
    listen: (at) => new Promise((resolve) => server.listen(at, '127.0.0.1', () => resolve(server.address().port))),
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => (isCut = false),
    close: () => server.close(),
  };
}

const browser = await launch();
// The page comes through the wire that can be cut; the server has to know that name of itself.
const spare = cuttable(0);
const wirePort = await spare.listen(0);
spare.close();
const server = await start(program, ['bar.json', '--test', '--allow-host', `localhost:${wirePort}`], project);
const wire = cuttable(server.port);
await wire.listen(wirePort);
const url = server.url.replace(/\/\/[^/]*/, `//localhost:${wirePort}`);
const {page, complaints, studio, ask, state, until, go, picture, vertexAlong} = await openStudio(browser, url, pictures);
const told = (text) => console.log(text);

const tip = () => vertexAlong([1, 0.1, 0.1]);
const clickAt = async ([x, y]) => {
  await page.mouse.click(x, y);
  await studio('settled');
};
const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key);
  await studio('settled');
};
const document = async () => (await state()).document;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
/** How far the tip of the bar goes in 30 steps from the start [m]. */
async function swing() {
  await ask('reset');
  const {index, p} = await tip();
  let most = 0;
  for (let i = 0; i < 6; ++i) {
    await studio('step', 5);
    const now = await studio('vertex', 0, index);
    most = Math.max(most, Math.hypot(...now.map((x, c) => x - p[c])));
  }
  return most;
}

async function pins() {
  const free = await swing();
  const first = await document();
  await ask('reset');
  await press('3');
  await clickAt((await tip()).inside);
  const pinned = await document();
  check(pinned.bodies[0].pins.length === 2, `${pinned.bodies[0].pins.length} pins instead of 2 after a click with the pin`);
  const held = await swing();
  await picture('pinned');
  await press('4');
  await clickAt((await tip()).inside);
  check((await document()).bodies[0].pins.length === 1, 'the pin was not taken away');
  const again = await swing();
  check(free > 1e-3 && held < 0.2 * free, `the tip moves by ${free} m free and ${held} m pinned`);
  check(Math.abs(again - free) <= 1e-6 * free + 1e-6, `the tip moves by ${again} m after unpinning, ${free} m before`);
  // Both can be taken back, and done again.
  await press('Control+z');
  check(same(await document(), pinned), 'undo does not bring the pin back');
  await press('Control+z');
  check(same(await document(), first), 'undo does not take the pin away');
  await press('Control+Shift+z', 'Control+Shift+z');
  check((await document()).bodies[0].pins.length === 1, 'redo does not pin and unpin again');
  told(`tip moves by ${(1e3 * free).toFixed(2)} mm free, ${(1e3 * held).toFixed(2)} mm pinned`);
}

async function poke() {
  await ask('reset');
  const before = (await state()).status.worlds[0].external;
  await press('2');
  await clickAt((await tip()).inside);
  await studio('step', 200);
  const {status, decay} = await state();
  const given = status.worlds[0].external - before;
  check(Math.abs(given) > 1e-6, `a poke does ${given} J of work`);
  check(status.released !== null && (decay.designed ?? []).length >= 3, 'a poke does not begin a decay');
  told(`a poke gives ${given.toExponential(2)} J`);
}

async function paint() {
  const before = await document();
  await press('5');
  await ask('reset');
  await clickAt((await tip()).inside);
  const panel = page.getByRole('group', {name: 'Painted region'});
  await panel.getByLabel('Is', {exact: true}).fill('20 MPa');
  await panel.getByLabel('Is', {exact: true}).press('Enter');
  await picture('painted');
  await panel.getByRole('button', {name: 'Make the painted patch a region'}).click();
  await until(() => window.studio.session.document.bodies[0].material.regions !== undefined, 'no region was made');
  await studio('settled');
  const {where, young} = (await document()).bodies[0].material.regions[0];
  const {center, radius} = where.any[0].sphere;
  check(young === '20 MPa', `the region has ${young} instead of 20 MPa`);
  check(center[0] > 0.35 && center[0] < 0.41 && radius > 0, `the region is at ${center} with radius ${radius}, not at the tip`);
  await press('1', 'Control+z');
  check(same(await document(), before), 'undo does not take the region away');
  told(`painted a region at x = ${center[0]} m`);
}

/** Edits keep what was recorded where the nodes stay, and say so where they do not. */
async function recording() {
  await ask('reset');
  await studio('step', 60);
  const at = 0.1;
  await ask('scrub', {time: at});
  const {index, p} = await tip();
  await ask('scrub', {time: 0.3});
  await ask('edit', {changes: [{at: '/bodies/0/material/young', value: '2.2 MPa'}], quiet: true});
  await studio('settled');
  const kept = (await state()).status.recorded;
  check(kept[0] === 0 && kept[1] >= 0.29, `after an edit ${kept} s can be scrubbed instead of 0 to 0.3 s`);
  await ask('scrub', {time: at});
  const again = await studio('vertex', 0, index);
  const apart = Math.hypot(...again.map((x, c) => x - p[c]));
  check(apart < 1e-5, `the instant before the edit is shown ${apart} m apart from what it was`);
  await ask('edit', {changes: [{at: '/bodies/0/mesh/bar/cells', value: [6, 2, 2]}], quiet: true});
  await studio('settled');
  await until(() => [...document.querySelectorAll('.message')].some((m) => /recorded/.test(m.textContent)), 'nobody says that the recording is gone');
  const gone = (await state()).status.recorded;
  check(gone[1] - gone[0] === 0, `with other nodes ${gone} s can be scrubbed`);
  await ask('open', {path: 'bar.json', kind: 'scene'});
}

/** Nothing but keys: reach the viewports, take hold, pull, let go; bend the curve; play and step. */
async function keyboard() {
  await go();
  await ask('open', {path: 'bar.json', kind: 'scene'});
  await studio('settled');
  const names = await page.evaluate(() => [...document.querySelectorAll('button, input, select, textarea, [tabindex="0"], [role="slider"]')]
    .filter((e) => e.checkVisibility() && !e.disabled)
    .filter((e) => !(e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent?.trim() || e.title))
    .map((e) => e.outerHTML.slice(0, 120)));
  check(names.length === 0, `controls without a name: ${names.join('; ')}`);
  const tabTo = async (what, text) => {
    for (let i = 0; i < 200; ++i) {
      if (await page.evaluate(what)) return i;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${text}`);
  };
  await tabTo(() => document.activeElement?.getAttribute('role') === 'application', 'the viewports');
  await press('Enter');
  check(await page.evaluate(() => document.querySelector('.viewports').classList.contains('holding')), 'Enter does not take hold of the body in the middle');
  await press('ArrowUp', 'ArrowUp', 'ArrowUp');
  await press('.');
  const pulled = (await state()).status;
  check(pulled.mouse_force > 0 && pulled.time > 0, `arrows pull with ${pulled.mouse_force} N at ${pulled.time} s`);
  await press('Enter');
  check((await state()).status.released === pulled.time, 'Enter does not let go');
  await page.keyboard.press('Tab');
  await tabTo(() => document.activeElement?.getAttribute('role') === 'slider' && document.activeElement.closest('.curve') !== null, 'a point of the curve');
  const [[, gamma]] = (await state()).examples[0].curve.points;
  await press('Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp');
  const [[, raised]] = (await state()).examples[0].curve.points;
  check(Math.abs(raised / gamma - 10 ** 0.3) < 1e-3, `three large steps up make ${raised} of ${gamma}`);
  await press('Control+z');
  check(Math.abs((await state()).examples[0].curve.points[0][1] - gamma) < 1e-9, 'one undo does not take the three steps of one key back');
  await press('Insert');
  check((await state()).examples[0].curve.points.length === 3, 'Insert adds no point');
  await press('Delete');
  check((await state()).examples[0].curve.points.length === 2, 'Delete takes no point away');
  await page.evaluate(() => document.activeElement.blur());
  await press(' ');
  check((await state()).status.playing, 'Space does not play');
  await press(' ');
  check(!(await state()).status.playing, 'Space does not pause');
  await press('r');
  check((await state()).status.time === 0, 'R does not go back to the start');
  // A menu and a dialog, by keys.
  await page.getByRole('button', {name: 'Open a scene or a finished run'}).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await until(() => document.querySelector('dialog[open] .file-list .item'), 'the dialog lists no files');
  await picture('open');
  await page.keyboard.press('Escape');
  await until(() => !document.querySelector('dialog'), 'Escape does not close the dialog');
  told(`by keys alone: pulled with ${pulled.mouse_force.toPrecision(3)} N, gain ${gamma} to ${raised.toFixed(3)}`);
}

async function finishedRun() {
  await page.getByRole('button', {name: 'Open a scene or a finished run'}).click();
  await page.getByRole('menuitem', {name: /Scene or finished run/}).click();
  await page.getByRole('button', {name: 'out/bar'}).click();
  await until(() => window.studio.session.hello.kind === 'run', 'the run was not opened');
  await studio('settled');
  const rows = readFileSync(join(project, 'out/bar/probes.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const column = (name) => rows[0].findIndex((cell) => cell.replace(/ .*/, '') === name);
  const slider = page.getByLabel('Time', {exact: true});
  let worst = 0;
  let moved = 0;
  for (const row of [rows[1], rows[Math.floor(rows.length / 3)], rows[rows.length - 1]]) {
    const time = Number(row[column('time')]);
    await slider.evaluate((input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event('input'));
      input.dispatchEvent(new Event('change'));
    }, time);
    await studio('settled');
    const expected = ['x', 'y', 'z'].map((axis) => Number(row[column(`tip.${axis}`)]));
    const {p} = await tip();
    worst = Math.max(worst, Math.hypot(...p.map((x, c) => x - expected[c])));
    moved = Math.max(moved, Math.hypot(...expected.map((x, c) => x - Number(rows[1][column(`tip.${'xyz'[c]}`)]))));
    check(Math.abs((await state()).status.time - time) < 1e-9, `asked for ${time} s, shown ${(await state()).status.time} s`);
  }
  check(moved > 1e-3 && worst < 2e-5, `the tip of the recorded run is drawn ${worst} m beside what the run recorded (it moves by ${moved} m)`);
  await slider.focus();
  await press('Home');
  check((await state()).status.time === 0, 'Home does not go to the start of the run');
  await picture('run');
  told(`a run is drawn within ${(1e6 * worst).toFixed(1)} micrometers of its probes`);
}

async function springsAndColliders() {
  await ask('open', {path: 'bar.json', kind: 'scene'});
  await page.evaluate(() => window.studio.session.edit('rename', [{at: '/title', value: 'Another bar'}]));
  check((await page.evaluate(() => window.studio.session.history.undoLabel)) === 'rename', 'a new title cannot be taken back');
  await ask('open', {path: 'chain.json', kind: 'scene'});
  await studio('settled');
  check((await page.evaluate(() => window.studio.session.history.undoLabel)) === null, 'steps of one scene can be taken back in another');
  const counts = await page.evaluate(() => {
    const {lines, triangles, sceneryTriangles, text} = window.studio.session.topology;
    return {lines: lines.length / 2, triangles: triangles.length / 3, scenery: sceneryTriangles.length / 3, grounds: text.grounds.length};
  });
  check(counts.lines === 12 && counts.triangles === 0 && counts.scenery > 50 && counts.grounds === 1, `of a chain over a ball the page has ${JSON.stringify(counts)}`);
  await studio('step', 60);
  await picture('chain');
  // The free end can be pulled although it has no surface.
  const {screen, p, index} = await tip();
  check(await studio('drag', ...screen, screen[0], screen[1] - 80), 'the end of the chain could not be grabbed');
  await studio('step', 60);
  const now = await studio('vertex', 0, index);
  check(now[1] > p[1] + 0.05, `the end of the chain was pulled from ${p[1]} m up to ${now[1]} m`);
  await studio('release');
  await ask('open', {path: 'bar.json', kind: 'scene'});
  await studio('settled');
}

/** Without WebGL the page says so, and curves can be bent all the same; the other page is told. */
async function noPictures() {
  const other = await browser.newPage({viewport: {width: 1280, height: 720}});
  await other.addInitScript(() => {
    const own = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : own.call(this, kind, ...rest);
    };
  });
  await other.goto(`${url}&test=1`);
  await other.waitForFunction(() => window.studio?.ready);
  check(await other.getByText('No 3-D pictures in this browser').isVisible(), 'nothing says that there is no WebGL');
  await other.getByLabel('Gain', {exact: true}).fill('3');
  await other.getByLabel('Gain', {exact: true}).press('Enter');
  await other.evaluate(() => window.studio.settled());
  await studio('settled'); // the first page is told
  const [{curve}] = (await state()).examples;
  check(Math.abs(curve.points[1][1] - 3) < 1e-3, `without pictures the gain is ${curve.points[1][1]} instead of 3`);
  await other.close();
}

/** Examples from a mode and from the frame that is shown; undo takes them away. */
async function examples() {
  const before = await document();
  const dialog = page.getByRole('dialog', {name: 'Make an example'});
  const make = async (name, from) => {
    await page.getByRole('button', {name: 'Make an example'}).click();
    await dialog.getByLabel('From', {exact: true}).selectOption(from);
    await until(() => window.studio.session.modes.length > 0, 'no modes were found');
    await dialog.getByLabel('Name', {exact: true}).fill(name);
    await dialog.getByRole('button', {name: 'Make the example'}).click();
    await until((wanted) => window.studio.session.selectedExample?.name === wanted, `the example "${name}" was not made`, name);
    await studio('settled');
    return (await state()).examples.find((example) => example.name === name);
  };
  const mode = await make('from mode', 'mode');
  check(Math.abs(mode.frequency / (await state()).examples[0].frequency - 1) < 1e-3, `mode 1 as an example swings with ${mode.frequency} Hz`);
  await ask('reset');
  const current = await make('from the start', 'current');
  check(Math.abs(current.size - 0.01) < 1e-3, `the start, 1 cm of mode 1, makes an example of ${current.size} m`);
  // Posed by hand while time stands: the tip is pulled up with the mouse and stays there.
  await ask('reset');
  await press('1');
  await studio('poses', true);
  const at = await tip();
  const [x, y] = at.inside;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until(() => document.querySelector('.viewports').classList.contains('holding'), 'the bar could not be grabbed');
  await page.mouse.move(x, y - 60, {steps: 6});
  await until(([index, height]) => window.studio.vertex(0, index)[1] > height + 0.01, 'the tip does not follow the mouse', [at.index, at.p[1]]);
  await page.mouse.up();
  await studio('settled');
  check((await state()).status.time === 0, 'time went on while the body was posed');
  await picture('posed');
  const posed = await make('by hand', 'pose');
  check(posed.size > 0.01, `the pose makes an example of ${posed.size} m`);
  await studio('poses', false);
  await page.evaluate(() => document.activeElement.blur());
  await press('Control+z', 'Control+z', 'Control+z');
  check(same(await document(), before), 'undo does not take the examples away');
  told(`examples of ${(1e3 * mode.size).toFixed(1)} mm from a mode, of ${(1e3 * current.size).toFixed(1)} mm from the start`);
}

/** Materials, starts, meshes and integrators are chosen from menus; what a model needs is asked for. */
async function models() {
  await page.getByRole('navigation', {name: 'Scene'}).getByRole('button', {name: 'Material'}).click();
  await page.getByLabel('Model of material').selectOption('stable_neo_hookean');
  await until(() => window.studio.session.document.bodies[0].material.model === 'stable_neo_hookean', 'the material was not chosen');
  check((await document()).bodies[0].material.young === '2 MPa', 'another material forgets the stiffness');
  await page.getByRole('navigation', {name: 'Scene'}).getByRole('button', {name: 'bar bar'}).click();
  await page.getByLabel('Model of start').selectOption('rest');
  await until(() => window.studio.session.document.bodies[0].start.from === 'rest', 'the start was not chosen');
  await page.getByLabel('Model of start').selectOption('mode');
  const needed = page.getByRole('dialog', {name: 'start: mode'});
  await needed.getByLabel('amplitude').fill('5 mm');
  await needed.getByLabel('amplitude').press('Tab');
  await needed.getByRole('button', {name: 'Use mode'}).click();
  await until(() => window.studio.session.document.bodies[0].start.amplitude === '5 mm', 'the start with its amplitude was not taken');
  await studio('settled');
  const {from, amplitude} = (await document()).bodies[0].start;
  check(from === 'mode' && amplitude === '5 mm', `the body starts from ${from} with ${amplitude}`);
  // Integrators are exchanged while time runs; explicit ones refuse this mass, and say so.
  const menu = page.getByLabel('Integrator', {exact: true});
  const integrators = await menu.locator('option').evaluateAll((options) => options.map((option) => option.value));
  let taken = 0;
  await ask('reset');
  for (const name of integrators) {
    await menu.selectOption(name);
    await studio('settled');
    const {time} = (await state()).status;
    const now = await studio('step', 2);
    check(now > time, `with ${name} time does not go on`);
    if ((await document()).time.stepper === name) ++taken;
  }
  const refused = await page.getByText(/consistent mass with the explicit stepper/).count();
  check(taken >= integrators.length - 2 && refused > 0, `${taken} of ${integrators.length} integrators were taken, ${refused} refusals told`);
  await ask('open', {path: 'bar.json', kind: 'scene'});
  await studio('settled');
  told(`${taken} of ${integrators.length} integrators exchanged while time runs`);
}

/** Exports hold something; what is dropped on the page is taken. */
async function files() {
  await ask('reset');
  await studio('step', 40);
  for (const [kind, start] of [['glb', 'glTF'], ['usda', '#usda'], ['pc2', 'POINTCACHE2'], ['csv', 'time'], ['report', '<!']]) {
    const [size, head] = await page.evaluate(async (wanted) => {
      const response = await fetch(window.studio.session.url('api/export', {kind: wanted}));
      const bytes = new Uint8Array(await response.arrayBuffer());
      return [response.ok ? bytes.length : -1, new TextDecoder().decode(bytes.slice(0, 16))];
    }, kind);
    check(size > 1000 && head.toLowerCase().startsWith(start.toLowerCase()), `the export ${kind} has ${size} bytes and begins with ${JSON.stringify(head)}`);
  }
  // A movie of the viewports: recorded while steps are drawn, downloaded when it is stopped.
  const exporting = page.getByRole('button', {name: 'Export animation, movie, report'});
  await exporting.click();
  await page.getByRole('menuitem', {name: 'Record a movie'}).click();
  for (let i = 0; i < 10; ++i) await studio('step', 2);
  const downloaded = page.waitForEvent('download');
  await exporting.click();
  await page.getByRole('menuitem', {name: 'Stop the movie'}).click();
  const movie = await downloaded;
  const {size: bytes} = statSync(await movie.path());
  check(/\.(webm|mp4)$/.test(movie.suggestedFilename()) && bytes > 0, `the movie ${movie.suggestedFilename()} has ${bytes} bytes`);
  const drop = (name, text) => page.evaluate(([file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    window.document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  }, [name, text]);
  await drop('measured.csv', 'amplitude [m],zeta\n0.001,0.02\n0.01,0.03\n');
  await until(() => /measured/.test(window.document.querySelector('.plots').textContent), 'measured data that were dropped are not in the legend');
  const tet = '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 0.1 0 0\n3 0 0.1 0\n4 0 0 0.1\n5 0.1 0.1 0.1\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 3 4 5\n$EndElements\n';
  await drop('two.msh', tet);
  const dialog = page.getByRole('dialog', {name: 'Mesh two.msh'});
  await dialog.getByText('5 points, 2 tets').waitFor();
  await dialog.getByRole('button', {name: 'Make a scene of it'}).click();
  await until(() => window.studio.session.topology.points.length === 5, 'no scene was made of the mesh that was dropped');
  await studio('settled');
  check((await studio('step', 3)) > 0, 'the scene of a dropped mesh does not run');
  await ask('open', {path: 'bar.json', kind: 'scene'});
  await studio('settled');
}

async function droppedSocket() {
  const banner = page.getByText('The connection to the program was lost');
  const [example] = (await state()).examples;
  wire.cut();
  await banner.waitFor();
  await page.evaluate((at) => window.studio.session.set('bend', {[`${at}/gamma`]: [7, 7]}, null), example.at);
  check((await document()).bodies[0].damping[0].examples[0].curve[1][1] === 7, 'without a connection the page does not keep a change');
  wire.mend();
  await page.getByRole('button', {name: 'Put the design of this page back'}).click();
  await until(() => document.querySelector('.banner').hidden, 'the design of the page was not taken');
  await studio('settled');
  const kept = await (await fetch(`http://127.0.0.1:${server.port}/api/document?token=${server.token}`)).json();
  check(kept.bodies[0].damping[0].examples[0].curve[1][1] === 7, `the program has the gain ${JSON.stringify(kept.bodies[0].damping[0].examples[0].curve)}`);
  // Dropped again, with nothing changed meanwhile: no question is asked.
  wire.cut();
  await banner.waitFor();
  wire.mend();
  await until(() => document.querySelector('.banner').hidden && window.studio.session.connection.isOpen, 'the page does not connect again');
  await studio('settled');
  check(same(await document(), kept), 'the design is another after the connection was lost');
  const before = (await state()).status.time;
  check((await studio('step', 3)) > before, 'time does not go on after the connection came back');
}

try {
  for (const part of [pins, poke, paint, recording, keyboard, finishedRun, springsAndColliders, examples, models, files, droppedSocket, noPictures]) await part();
  // A cut wire is an error of the network that the browser tells by itself.
  const own = complaints.filter((text) => !/WebSocket connection|ERR_/.test(text));
  check(own.length === 0, `the page complained: ${own.join('; ')}`);
  console.log('the hands have done it all');
} catch (error) {
  await Promise.resolve(picture('failed')).catch(() => {});
  console.error(String(error?.stack ?? error));
  console.error(complaints.join('\n'));
  console.error(server.log());
  process.exitCode = 1;
} finally {
  await browser.close();
  wire.close();
  await server.stop();
  rmSync(project, {recursive: true, force: true});
}
process.exit(process.exitCode ?? 0);
