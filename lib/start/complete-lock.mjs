// Adds the optional platform packages a registry did not list to package-lock.json, so that `npm ci` accepts the
// file on every platform, and removes the addresses packages came from. Run it after every change of a dependency.
import fs from 'node:fs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'windows'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
const added = Object.entries({ ...lock.packages }).flatMap(([at, entry]) => addMissing(at, entry));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} added\n${added.map((name) => `  ${name}\n`).join('')}`);

function addMissing(at, entry) {
  const missing = Object.entries(entry.optionalDependencies ?? {}).filter(([name]) => !isListed(at, name));
  return missing.flatMap(([name, range]) => {
    const platform = platformOf(name);
    if (!platform) return [];
    const version = range.replace(/^[\^~]/, '');
    lock.packages[`node_modules/${name}`] = { version, ...platform, ...(entry.dev ? { dev: true } : {}), optional: true };
    return [`${name}@${version}`];
  });
}

/** npm looks for a package beside the one that imports it and then in every folder above it. */
function isListed(at, name) {
  const steps = at === '' ? [] : at.split('/node_modules/');
  const above = steps.map((_, index) => `${steps.slice(0, index + 1).join('/node_modules/')}/`);
  return ['', ...above].some((folder) => lock.packages[`${folder}node_modules/${name}`]);
}

function platformOf(name) {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.some((word) => word === processor || (processor === 'arm' && word.startsWith('arm'))));
  if (!os && !cpu) return null;
  const isMusl = words.some((word) => word.startsWith('musl'));
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(isMusl ? { libc: ['musl'] } : {}),
    ...(os ? { os: [os === 'windows' ? 'win32' : os] } : {}),
  };
}
