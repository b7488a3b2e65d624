// Runs on whatever Node the machine has and needs no package: installs what the lock file names, then runs the
// target on the project's own Node. Everything it says goes to stderr; stdout belongs to the target.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const BIN = path.join(ROOT, 'node_modules', '.bin');
const STAMP = path.join(ROOT, 'node_modules', '.install-stamp');
const LOCK = path.join(ROOT, '.data', 'install.lock');
const OLDEST_NODE = [22, 18];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

main();

function main() {
  const [target, ...args] = process.argv.slice(2);
  if (!target) stopWith('Usage: node lib/start/bootstrap.mjs TARGET.ts [arguments]');
  if (!isInstalled()) whileLocked(() => isInstalled() || install());
  runTarget(findNode(), path.resolve(ROOT, target), args);
}

function wantedStamp() {
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

function isInstalled() {
  return fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === wantedStamp();
}

function install() {
  const started = Date.now();
  say('Installing the packages of package-lock.json (about a minute the first time) …');
  if (!npm(['ci'])) {
    say('npm ci refused; trying npm install without touching the lock file …');
    if (!npm(['install', '--no-save'])) {
      stopWith('The packages could not be installed. Check that the npm registry can be reached, then run the command again.');
    }
  }
  fs.writeFileSync(STAMP, wantedStamp());
  say(`Installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function npm(args) {
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, prefix] = npmCommand();
  const result = spawnSync(command, [...prefix, ...args, ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (result.error) say(`npm could not be run: ${result.error.message}`);
  return result.status === 0;
}

function npmCommand() {
  const given = process.env.npm_execpath;
  if (given && /^npm.*js$/.test(path.basename(given))) return [process.execPath, [given]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}

/** Two commands in a fresh clone: the first installs, the second waits. The lock is a folder because creating one is atomic. */
function whileLocked(work) {
  fs.mkdirSync(path.dirname(LOCK), { recursive: true });
  let isAnnounced = false;
  while (!takeLock()) {
    if (!isAnnounced) say('Another command is installing the packages; waiting for it …');
    isAnnounced = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  process.on('exit', releaseLock);
  work();
  process.removeListener('exit', releaseLock);
  releaseLock();
}

function takeLock() {
  try {
    fs.mkdirSync(LOCK);
    fs.writeFileSync(path.join(LOCK, 'owner'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) releaseLock();
    return false;
  }
}

function isAbandoned() {
  try {
    const owner = fs.readFileSync(path.join(LOCK, 'owner'), 'utf8');
    if (owner) return !isAlive(Number(owner));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  // No owner yet: it is being taken right now, or its taker died in between.
  const made = fs.statSync(LOCK, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > 5000;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function releaseLock() {
  fs.rmSync(LOCK, { recursive: true, force: true });
}

function findNode() {
  const own = path.join(BIN, process.platform === 'win32' ? 'node.cmd' : 'node');
  const found = [own, process.execPath].find(isNewEnough);
  if (found) return found;
  return stopWith(`Node ${OLDEST_NODE.join('.')} or newer is needed on this platform (this is ${process.version}).`);
}

function isNewEnough(node) {
  const answer = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (answer.status !== 0) return false;
  const [major = 0, minor = 0] = answer.stdout.trim().split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

function runTarget(node, target, args) {
  const child = spawn(node, [target, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: BIN + path.delimiter + (process.env.PATH ?? ''),
      NEXT_TELEMETRY_DISABLED: '1',
      // Measured: a fifth of a second less for each of the processes of a warm start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, 'node_modules', '.cache', 'compiled'),
    },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  stopWhenNpmIsGone(child);
  child.on('error', (error) => stopWith(`${target} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

/** npm runs a script through a shell that does not pass SIGTERM on: that shell going away is the signal. */
function stopWhenNpmIsGone(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 300).unref();
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function stopWith(line) {
  say(line);
  process.exit(1);
}
