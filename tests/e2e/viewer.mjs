// viewer.mjs PROGRAM RUN RUN RUN SCENE WORK: the page of rill view in a real browser, as a newcomer uses it. RUN are
// finished runs (viewer.sh says of what), SCENE one that takes a while, WORK an empty folder (RILL_SHOTS=DIR keeps pictures there).
// The last line counts; the exit code is 0 only when nothing failed.
import { spawn } from 'node:child_process';
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, '../../web/package.json'));
const { chromium } = require('playwright-core');
const [program, runA, runB, runC, scene, work] = process.argv.slice(2);
const PATIENCE = 120000; // ms: machines may be loaded
let passed = 0, failed = 0;
const viewers = [];

function check(name, holds) {
  if (holds) passed++;
  else {
    failed++;
    console.log(`FAIL: ${name}`);
  }
}

async function until(name, question) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    if (await question()) {
      passed++;
      return true;
    }
    await new Promise((go) => setTimeout(go, 60));
  }
  failed++;
  console.log(`FAIL: waited in vain for: ${name}`);
  return false;
}

/** rill view with these arguments; its address. */
async function view(...words) {
  const process = spawn(program, ['view', '--no-open', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  viewers.push(process);
  process.said = '';
  process.stderr.on('data', (bytes) => { process.said += bytes; });
  const lines = createInterface({ input: process.stdout });
  const address = await new Promise((go) => lines.once('line', go));
  return { process, address };
}

const errors = [];
async function open(browser, address, size = { width: 760, height: 480 }) {
  const page = await browser.newPage({ viewport: size });
  page.on('console', (message) => { if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|404/.test(message.text())) errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(error.message));
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  await until('the first picture', () => page.evaluate(() => (window.rill?.stage.pictures ?? 0) >= 1));
  return page;
}

async function shot(page, name) {
  if (!process.env.RILL_SHOTS) return;
  await page.evaluate(() => window.rill.stage.wake());
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(process.env.RILL_SHOTS, `${name}.png`), timeout: PATIENCE });
}

const frameOf = (page, k = 0) => page.evaluate((n) => window.rill.views[n].frame, k);
const scrub = (page, k) => page.evaluate((n) => {
  const slider = document.getElementById('scrub');
  slider.value = n;
  slider.dispatchEvent(new Event('input'));
}, k);

/** How many colours the picture has: one means that nothing was drawn. */
const colors = (page) => page.evaluate(async () => {
  const bitmap = await createImageBitmap(await window.rill.stage.picture());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), g = canvas.getContext('2d');
  g.drawImage(bitmap, 0, 0);
  const { data } = g.getImageData(0, 0, bitmap.width, bitmap.height), seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 3) << 10 | (data[i + 1] >> 3) << 5 | data[i + 2] >> 3);
  return seen.size;
});

async function looking(browser) {
  const { address, process } = await view(runA);
  const page = await open(browser, address);
  check('a glimpse before the page', await page.evaluate(() => window.early.glimpsed && performance.getEntriesByName('first picture').length === 1));
  check('the title', (await page.textContent('#title')).includes('small'));
  await until('finished', async () => (await page.textContent('#status')).includes('finished'));
  check('something is drawn', await colors(page) > 20);
  check('no stop button', !(await page.isVisible('#stop')) && !(await page.isVisible('#resume')));

  await scrub(page, 7);
  await until('frame 7', async () => await frameOf(page) === 7);
  check('the frame is said', (await page.textContent('#now')).startsWith('7 / 12'));
  await page.keyboard.press('ArrowRight');
  await until('frame 8', async () => await frameOf(page) === 8);
  await page.click('#play');
  await until('it plays', async () => await frameOf(page) !== 8);
  await page.click('#play');

  await page.selectOption('#column', 'pressure');
  await until('the legend', () => page.isVisible('#legend'));
  await until('particles by pressure', () => page.evaluate(() => window.rill.views[0].particles.object.visible));
  const fitted = Number(await page.inputValue('#high'));
  check('a range', fitted > 0);
  await page.fill('#high', '1234');
  await page.press('#high', 'Enter');
  check('a range by hand', (await page.evaluate(() => window.rill.state.range))?.[1] === 1234);
  await shot(page, 'colour');

  await page.click('#axes button[data-axis="2"]');
  await until('the cut', () => page.evaluate(() => window.rill.views[0].cut.object.visible));
  await shot(page, 'cut');
  await page.click('#axes button[data-axis="-1"]');

  await until('plots', async () => await page.locator('.plot').count() >= 2);
  check('a gauge has a value', /\d/.test(await page.textContent('.plot output')));
  await page.locator('.plot canvas').first().scrollIntoViewIfNeeded();
  const plot = await page.locator('.plot canvas').first().boundingBox();
  await page.mouse.move(plot.x + 120, plot.y + 40);
  await page.mouse.wheel(0, -400);
  await until('the plot is zoomed', () => page.evaluate(() => window.rill.plots.span !== null));

  const middle = await page.evaluate(() => {
    const { stage, views } = window.rill, p = views[0].particles.frame.position, camera = stage.camera;
    const at = camera.position.clone().set(p[0], p[1], p[2]).project(camera), r = stage.rectangle(0);
    return { x: r.x + (at.x + 1) / 2 * r.width, y: (1 - at.y) / 2 * r.height };
  });
  await page.mouse.move(middle.x - 3, middle.y);
  await page.mouse.move(middle.x, middle.y);
  await until('what the mouse points at', async () => await page.isVisible('#tip') && /(particle|white water) \d+/.test(await page.textContent('#tip')));

  await page.keyboard.press('?');
  check('help', await page.isVisible('#helpbox'));
  await shot(page, 'help');
  await page.keyboard.press('Escape');
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('t');
  check('the other theme', before !== await page.evaluate(() => document.documentElement.dataset.theme));
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
  check('a picture is saved', /small_\d{4}\.png/.test(download.suggestedFilename()));
  await page.mouse.move(300, 200);
  await page.mouse.down();
  await page.mouse.move(380, 230, { steps: 3 });
  await page.mouse.up();
  const turned = await page.evaluate(() => window.rill.stage.camera.position.toArray());
  await page.keyboard.press('r');
  check('turned, and reset', String(turned) !== String(await page.evaluate(() => window.rill.stage.camera.position.toArray())));

  await page.setViewportSize({ width: 390, height: 760 });
  await page.waitForTimeout(200);
  check('phone width', await page.evaluate(() => document.documentElement.scrollWidth <= 390 && document.getElementById('play').getBoundingClientRect().right < 390));
  await shot(page, 'phone');

  // The server goes away: said, and what is here can still be looked at.
  process.kill('SIGKILL');
  await until('the loss is said', async () => await page.isVisible('#banner') && (await page.textContent('#banner')).includes('rill view'));
  const last = await frameOf(page);
  await scrub(page, (last + 5) % 12); // one that was not fetched in these colours: the picture stays
  await page.waitForTimeout(300);
  check('the picture stays', await page.evaluate(() => window.rill.views[0].particles.object.visible));
  await scrub(page, last);
  await until('a frame that is here', async () => await frameOf(page) === last);
  await shot(page, 'lost');
  await page.close();
}

async function watching(browser) {
  const { address, process } = await view(scene, '--out', join(work, 'live'), '--threads', '1');
  const page = await open(browser, address);
  await until('it runs', async () => (await page.textContent('#status')).includes('running'));
  const first = await page.evaluate(() => window.rill.player.last);
  await until('it grows', () => page.evaluate((n) => window.rill.player.last > n, first));
  await until('the newest is shown', async () => await frameOf(page) > 0 && await page.evaluate(() => window.rill.player.live));
  await shot(page, 'live');
  await page.click('#stop');
  await until('it is stopped', async () => (await page.textContent('#status')).includes('stopped'));
  await until('the resume button', () => page.isVisible('#resume'));
  const stopped = await page.evaluate(() => window.rill.player.last);
  await page.click('#resume');
  await until('it goes on', () => page.evaluate((n) => window.rill.player.last > n + 1, stopped));
  check('it runs again', await page.isVisible('#stop') || (await page.textContent('#status')).includes('finished'));
  await page.click('#stop').catch(() => {});
  await until('it is stopped again', async () => /stopped|finished/.test(await page.textContent('#status')));
  await page.close();
  process.kill('SIGINT');
}

async function comparing(browser) {
  const { address, process } = await view(runA, runB);
  const page = await open(browser, address, { width: 900, height: 480 });
  await until('both are shown', async () => await frameOf(page, 0) >= 0 && await frameOf(page, 1) >= 0);
  await scrub(page, 5);
  await until('both at the same moment', async () => await frameOf(page, 0) === 5 && await frameOf(page, 1) === 5);
  check('their names', (await page.locator('#names div').allTextContents()).join() === 'a · sph,b · grid');
  await shot(page, 'compare');
  await page.close();
  process.kill('SIGINT');
}

/** Smoke of a run with tracers: shown instead of them, and it changes the picture. */
async function smoking(browser) {
  const { address, process } = await view(runB);
  const page = await open(browser, address);
  await until('the smoke button', () => page.isVisible('#parts button[data-part="volume"]'));
  check("the liquid's own colours", await page.evaluate(() => window.rill.views[0].surface.object.material.vertexColors));
  check('no column of them', await page.evaluate(() => ![...document.getElementById('column').options].some((o) => /red|color/.test(o.value))));
  await page.click('#parts button[data-part="surface"]');
  await until('no surface', () => page.evaluate(() => !window.rill.views[0].surface.object.visible));
  await page.click('#parts button[data-part="volume"]');
  await until('smoke', () => page.evaluate(() => window.rill.views[0].volume.object.visible));
  check('not its tracers as well', await page.evaluate(() => !window.rill.state.show.has('tracers')));
  const smoky = await colors(page);
  await page.click('#parts button[data-part="volume"]');
  await until('no smoke', () => page.evaluate(() => !window.rill.views[0].volume.object.visible));
  check('smoke is seen', smoky > await colors(page));
  await page.close();
  process.kill('SIGINT');
}

/** A run of particles of several sizes, with a camera that moves and gauges of every kind. */
async function measuring(browser) {
  const { address, process } = await view(runC);
  const page = await open(browser, address, { width: 760, height: 900 });
  await until('finished', async () => (await page.textContent('#status')).includes('finished'));
  const eye = () => page.evaluate(() => window.rill.stage.camera.position.x);
  check('the camera at the beginning', Math.abs(await eye() - 0.6) < 0.01);
  await scrub(page, 8); // 0.2 s
  await until('frame 8', async () => await frameOf(page) === 8);
  await page.keyboard.press('r');
  check('the camera of the last frame', await eye() > 2);
  const pins = await page.evaluate(() => window.rill.views[0].pins.children.map((p) => [p.name, p.matrix.elements[12]]));
  check(`marks of gauges: ${pins}`, pins.map(([name]) => name).join() === 'V (velocity),Q (flow),R (pressure),P (pressure),H (height)');
  check('a mark moves with its solid', Math.abs(pins[2][1] - 0.74) > 0.01 && Math.abs(pins[0][1] - 0.3) < 1e-6);
  for (const [key, unit] of [['gauges:V.x', 'm/s'], ['gauges:Q', 'm³/s'], ['gauges:F.x', 'N'], ['gauges:F.tz', 'N m'], ['gauges:P', 'Pa'], ['gauges:H', 'm']]) {
    await page.evaluate((k) => window.rill.plots.add(k), key);
    const title = await page.textContent(`.plot[data-key="${key}"] .name span`);
    check(`unit of ${key}: ${title}`, title.endsWith(`(${unit})`));
  }
  await page.click('#parts button[data-part="particles"]');
  await until('particles', () => page.evaluate(() => window.rill.views[0].particles.object.visible));
  const sizes = await page.evaluate(() => [...new Set(window.rill.views[0].particles.frame.size)].sort());
  check(`sizes ${sizes}`, sizes.length >= 2 && sizes.every((s) => Math.abs(3 * Math.log2(s) - Math.round(3 * Math.log2(s))) < 1e-4));
  await shot(page, 'sizes');
  await page.click('#axes button[data-axis="2"]');
  await until('the cut', () => page.evaluate(() => window.rill.views[0].cut.object.visible));
  check('what its colours mean', await page.isVisible('#legend') && /speed \(m\/s\)/.test(await page.textContent('#scale')));
  await shot(page, 'sizes_cut');
  await page.close();
  process.kill('SIGINT');
}

/** Another run takes the folder, a frame of it is damaged, and then there is none. */
async function replacing(browser) {
  const folder = join(work, 'folder'), next = join(work, 'next');
  cpSync(runA, folder, { recursive: true });
  cpSync(runC, next, { recursive: true });
  writeFileSync(join(next, 'frames', 'surface_0003.ply'), 'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nend_header\n');
  const { address, process } = await view(folder);
  const page = await open(browser, address);
  await until('plots', async () => await page.locator('.plot[data-key="gauges:P"]').count() === 1);
  rmSync(folder, { recursive: true });
  renameSync(next, folder);
  await until('the other run', async () => await page.textContent('#title') === 'many');
  await until('its gauges', async () => await page.locator('#addplot option[value="gauges:V.x"]').count() === 1);
  await scrub(page, 3);
  await until('a damaged frame is told', async () => await page.isVisible('#banner') && (await page.textContent('#banner')).includes('Frame 3'));
  await scrub(page, 4);
  await until('the next one is shown', async () => await frameOf(page) === 4);
  rmSync(folder, { recursive: true });
  await until('no run', async () => (await page.textContent('#status')).includes('no run here'));
  check('the last picture stays', await colors(page) > 20);
  await page.close();
  process.kill('SIGINT');
}

const browser = await chromium.launch({
  executablePath: process.env.RILL_CHROMIUM ?? '/usr/bin/chromium', timeout: PATIENCE,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  await looking(browser);
  await watching(browser);
  await comparing(browser);
  await smoking(browser);
  await measuring(browser);
  await replacing(browser);
  check(`no errors in the page: ${errors[0]}`, errors.length === 0);
} catch (error) {
  failed++;
  console.log(`FAIL: ${error.stack}`);
} finally {
  await browser.close();
  for (const process of viewers) process.kill('SIGKILL');
}
console.log(`viewer: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
