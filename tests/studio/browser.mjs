// A studio in a headless browser, for stories: the page in test mode (`?test=1`, time passes on command), and what a story asks of it. Nothing
// here waits for time to pass, only for conditions: a loaded machine makes a story slower, never wrong. DASHPOT_PATIENCE: how long conditions are
// waited for [s].
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {playwright} from './server.mjs';

const browserPath = process.env.DASHPOT_CHROMIUM ?? '/usr/bin/chromium';
const patience = 1000 * Number(process.env.DASHPOT_PATIENCE ?? 240); // ms, of a machine that does much else

/** Chromium with software WebGL; ends the program as skipped where there is none. */
export async function launch() {
  if (!existsSync(browserPath)) {
    console.log(`no browser at ${browserPath}: the story is not told (apt-get install chromium)`);
    process.exit(77);
  }
  return playwright().chromium.launch({
    executablePath: browserPath,
    timeout: patience,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
}

/** Opens the page; `pictures`: a folder for screenshots, or nothing. */
export async function openStudio(browser, url, pictures, options = '&theme=light') {
  const page = await browser.newPage({viewport: {width: 1280, height: 720}});
  page.setDefaultTimeout(patience);
  page.setDefaultNavigationTimeout(patience);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  // DASHPOT_LATE_FRAMES=300: acknowledgements go out so many milliseconds late, so that answers overtake frames on any machine.
  const late = Number(process.env.DASHPOT_LATE_FRAMES ?? 0);
  if (late > 0)
    await page.addInitScript((ms) => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (text) {
        if (/"do":"ack"/.test(text)) setTimeout(() => this.readyState === WebSocket.OPEN && send.call(this, text), ms);
        else send.call(this, text);
      };
    }, late);
  if (pictures) mkdirSync(pictures, {recursive: true});
  const studio = (what, ...args) => page.evaluate(([name, values]) => window.studio[name](...values), [what, args]);
  const until = (what, text, arg = null) => page.waitForFunction(what, arg).catch(() => { throw new Error(text); });
  const ready = async () => {
    await until(() => window.studio?.ready, 'the page did not become ready');
    await studio('settled');
  };
  const go = async (to = options) => {
    await page.goto(`${url}&test=1${to}`);
    await ready();
  };
  await go();
  return {
    page, complaints, studio, until, ready, go,
    /** A command, and the picture of what it did. */
    ask: (name, fields = {}) => studio('ask', name, fields),
    state: async () => JSON.parse(await page.evaluate(() => JSON.stringify(window.studio.state()))),
    picture: (name) => pictures && page.screenshot({path: join(pictures, `${name}.png`)}),
    /**
     * Vertex of the first viewport with the largest value of `score`, a linear form of its position; `screen`: on the page, `inside`: a little
     * further in, so that a ray through it meets the body.
     */
    vertexAlong: (score) => page.evaluate((weights) => {
      const {session} = window.studio;
      let best = null;
      for (let i = 0; i < session.topology.points.length; ++i) {
        const p = window.studio.vertex(0, i);
        const value = p.reduce((sum, x, c) => sum + weights[c] * x, 0);
        if (!best || value > best.value) best = {value, p, index: i, point: session.topology.points[i]};
      }
      const near = [0, 0, 0, 0];
      for (let i = 0; i < session.topology.points.length; ++i) {
        const p = window.studio.vertex(0, i);
        if (Math.hypot(...p.map((x, c) => x - best.p[c])) > 0.07 * window.studio.extent) continue;
        p.forEach((x, c) => (near[c] += x));
        ++near[3];
      }
      return {...best, screen: window.studio.project(0, best.p), inside: window.studio.project(0, near.slice(0, 3).map((x) => x / near[3]))};
    }, score),
    /** Drags with the mouse on the page from one place to another. */
    async dragMouse([x0, y0], [x1, y1], steps = 8) {
      await page.mouse.move(x0, y0);
      await page.mouse.down();
      await page.mouse.move(x1, y1, {steps});
      await page.mouse.up();
      await studio('settled');
    },
  };
}
