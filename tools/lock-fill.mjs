/**
 * Adds to package-lock.json the builds for other platforms that a registry did not serve when the lock was made.
 * npm leaves such optional packages out of the lock, and `npm ci` then refuses the lock for everybody.
 * To be run after each `npm install`: node tools/lock-fill.mjs [folder]
 */
import fs from 'node:fs';
import path from 'node:path';

const SYSTEMS = [
  'darwin',
  'win32',
  'windows',
  'linux',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'android',
  'openharmony',
];
const PROCESSORS = {
  ...Object.fromEntries(
    ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'].map((name) => [name, name]),
  ),
  aarch64: 'arm64',
  wasm: 'wasm32',
};

const file = path.join(process.argv[2] ?? '.', 'package-lock.json');
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
const packages = { ...lock.packages };

let added = 0;
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages))
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (isInstalledFor(place, name)) continue;
    const platform = platformOf(name);
    if (!platform) {
      console.log(`${name} (wanted by ${place}): no platform in its name, left alone`);
      continue;
    }
    const version = range.replace(/^[\^~]/, '');
    packages[`node_modules/${name}`] = {
      version,
      ...(platform.cpu && { cpu: [platform.cpu] }),
      ...(dev && { dev }),
      license: 'MIT',
      optional: true,
      ...(platform.os && { os: [platform.os] }),
    };
    added++;
  }

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added}`);

/** Whether the package at `place` finds `name`: in its own node_modules or in one further up. */
function isInstalledFor(place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (packages[at ? `${at}/node_modules/${name}` : `node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

/** The platform of a package, parsed from its name; undefined if the name has none. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-_]/);
  const system = SYSTEMS.find((known) => words.includes(known));
  const processor = words.find((word) => Object.hasOwn(PROCESSORS, word));
  if (!system && !processor) return undefined;
  return { os: system === 'windows' ? 'win32' : system, cpu: PROCESSORS[processor] };
}
