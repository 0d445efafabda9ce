// Bundles the page into web/dist, or into the folder named. Needs node and `npm ci` here.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
mkdirSync(out, { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.js', early: 'src/early.js', worker: 'src/worker.js' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2021',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const name of ['index.html', 'style.css', 'icon.svg']) copyFileSync(join(here, 'src', name), join(out, name));
const three = JSON.parse(readFileSync(join(here, 'node_modules/three/package.json'), 'utf8'));
const licence = readFileSync(join(here, 'node_modules/three/LICENSE'), 'utf8');
writeFileSync(join(out, 'notices.txt'),
  `The page of rill view contains three.js ${three.version} (https://threejs.org), under this licence:\n\n${licence}`);
