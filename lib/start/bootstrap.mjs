// Runs on any Node the machine has and needs no package: installs what the lock file names, then runs the target on
// the project's own Node. Everything it prints goes to stderr; stdout belongs to the target.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFileLock } from './file-lock.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const MODULES = path.join(ROOT, 'node_modules');
const BIN = path.join(MODULES, '.bin');
const STAMP = path.join(MODULES, '.install-stamp');
const ENV_FILE = path.join(ROOT, '.env');
const LOCK = path.join(ROOT, '.data', 'installing.lock');
const OLDEST_NODE = [22, 18];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Installs the packages for development too: tests, linters, the browser. */
const WITH_DEV = '--with-dev';

await main();

async function main() {
  const given = process.argv.slice(2);
  const needsDev = given[0] === WITH_DEV;
  const [target, ...args] = needsDev ? given.slice(1) : given;
  if (!target) stopWith(`Usage: node lib/start/bootstrap.mjs [${WITH_DEV}] TARGET.ts [arguments]`);
  if (!isInstalled(needsDev)) await installOnce(needsDev);
  runTarget(findNode(), path.resolve(ROOT, target), args);
}

/** What is installed: of which lock file and platform, and whether the packages for development are among it. */
function readStamp() {
  if (!fs.existsSync(STAMP)) return null;
  const [digest, set] = fs.readFileSync(STAMP, 'utf8').split(' ');
  return { isCurrent: digest === wantedDigest(), hasDev: set !== 'runtime' };
}

function wantedDigest() {
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

function isInstalled(needsDev) {
  const stamp = readStamp();
  return stamp !== null && stamp.isCurrent && (stamp.hasDev || !needsDev);
}

/** Of two commands in a fresh clone the first installs and the second waits. */
async function installOnce(needsDev) {
  fs.mkdirSync(path.dirname(LOCK), { recursive: true });
  const waiting = setTimeout(() => say('Waiting for another command that is installing the packages …'), 500);
  await withFileLock(
    LOCK,
    async () => {
      clearTimeout(waiting);
      if (!isInstalled(needsDev)) install(needsDev);
    },
    Number.POSITIVE_INFINITY,
  );
}

function install(needsDev) {
  const started = Date.now();
  const stamp = readStamp();
  // What a person installed, or an earlier command needed, is never taken away.
  const withDev = needsDev || (stamp ? stamp.hasDev : fs.existsSync(MODULES));
  say(`Installing the packages of package-lock.json${withDev ? '' : ' that Sharebook runs with'} …`);
  const attempts = [
    // Only the packages for development are missing: nothing has to be removed first.
    ...(stamp?.isCurrent ? [['install', '--no-save', '--prefer-offline']] : []),
    ['ci', '--prefer-offline'],
    ['ci'],
    ['install', '--no-save'],
  ];
  if (!attempts.some((args) => npm(args, withDev))) {
    stopWith("The packages couldn't be installed. Check that the npm registry can be reached, then run the command again.");
  }
  fs.writeFileSync(STAMP, `${wantedDigest()} ${withDev ? 'all' : 'runtime'}`);
  say(`Installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function npm(args, withDev) {
  const sets = [withDev ? '--include=dev' : '--omit=dev', '--include=optional'];
  const flags = [...sets, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, prefix] = npmCommand();
  const result = spawnSync(command, [...prefix, ...args, ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
    env: { ...process.env, NODE_ENV: withDev ? 'development' : 'production' },
  });
  if (result.error) say(`npm couldn't be run: ${result.error.message}`);
  else if (result.status !== 0) say(`npm ${args.join(' ')} failed.`);
  return result.status === 0;
}

function npmCommand() {
  const given = process.env.npm_execpath;
  if (given && /^npm.*js$/.test(path.basename(given))) return [process.execPath, [given]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}

function findNode() {
  const own = path.join(BIN, process.platform === 'win32' ? 'node.cmd' : 'node');
  const found = [own, process.execPath].find(isNewEnough);
  if (found) return found;
  return stopWith(`This platform needs Node ${OLDEST_NODE.join('.')} or newer (this is ${process.version}).`);
}

function isNewEnough(node) {
  const answer = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (answer.status !== 0) return false;
  const [major = 0, minor = 0] = answer.stdout.trim().split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** What the environment sets counts before what .env sets. */
function runTarget(node, target, args) {
  const variables = fs.existsSync(ENV_FILE) ? [`--env-file=${ENV_FILE}`] : [];
  const child = spawn(node, [...variables, target, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: BIN + path.delimiter + (process.env.PATH ?? ''),
      NEXT_TELEMETRY_DISABLED: '1',
      // Measured: saves a fifth of a second for each process of a warm start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, 'node_modules', '.cache', 'compiled'),
    },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  stopWhenNpmIsGone(child);
  child.on('error', (error) => stopWith(`${target} couldn't be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

/** npm runs a script through a shell that does not pass SIGTERM on: the end of that shell is the signal. */
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
