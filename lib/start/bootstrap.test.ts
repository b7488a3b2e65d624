import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let project: string;

beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-bootstrap-'));
  fs.mkdirSync(path.join(project, 'lib', 'start'), { recursive: true });
  for (const file of ['bootstrap.mjs', 'file-lock.mjs'])
    fs.copyFileSync(path.join(import.meta.dirname, file), path.join(project, 'lib', 'start', file));
  fs.writeFileSync(path.join(project, 'package-lock.json'), '{}');
  fs.writeFileSync(path.join(project, 'target.ts'), `console.log('ran', ...process.argv.slice(2) as string[]); process.exitCode = 7;`);
});

afterEach(() => fs.rmSync(project, { recursive: true, force: true }));

/** Replaces npm: records what is requested of it, and fails the requests that begin with `fails`. */
function useNpm({ fails = '', takes_ms = 0 } = {}): NodeJS.ProcessEnv {
  const npm = path.join(project, 'npm-cli.js');
  const code = `const fs = require('fs'); const asked = process.argv.slice(2, -5).join(' ').replace('--include=dev', 'all').replace('--omit=dev', 'runtime');
    fs.appendFileSync(${JSON.stringify(path.join(project, 'asked'))}, asked + '\\n');
    console.log('npm talks'); fs.mkdirSync('node_modules', { recursive: true });
    setTimeout(() => process.exit(${JSON.stringify(fails)} && asked.startsWith(${JSON.stringify(fails)}) ? 1 : 0), ${takes_ms});`;
  fs.writeFileSync(npm, code);
  return { ...process.env, npm_execpath: npm };
}

function bootstrap(env: NodeJS.ProcessEnv, ...flags: string[]): SpawnSyncReturns<string> {
  const args = ['lib/start/bootstrap.mjs', ...flags, 'target.ts', 'a', 'b c'];
  return spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
}

/** What was requested of npm, without the flags it always gets. */
function requested(): string[] {
  return fs.readFileSync(path.join(project, 'asked'), 'utf8').trim().split('\n');
}

describe('bootstrap.mjs', () => {
  it('the first run installs, then runs the target with its arguments, its exit code and its stdout', () => {
    const first = bootstrap(useNpm());
    expect(first.stdout).toBe('ran a b c\n');
    expect(first.status).toBe(7);
    expect(first.stderr).toContain('npm talks');
    expect(requested()).toEqual(['ci --prefer-offline runtime']);
  });

  it('packages are installed once, and again when the lock file changes', () => {
    bootstrap(useNpm());
    bootstrap(useNpm());
    expect(requested()).toEqual(['ci --prefer-offline runtime']);
    fs.writeFileSync(path.join(project, 'package-lock.json'), '{"changed":true}');
    bootstrap(useNpm());
    expect(requested()).toEqual(['ci --prefer-offline runtime', 'ci --prefer-offline runtime']);
  });

  it('npm install is tried when npm ci fails, and one sentence is printed when that fails too', { tags: ['proof'] }, () => {
    expect(bootstrap(useNpm({ fails: 'ci' })).status).toBe(7);
    expect(requested()).toEqual(['ci --prefer-offline runtime', 'ci runtime', 'install --no-save runtime']);
    fs.rmSync(path.join(project, 'node_modules'), { recursive: true });
    fs.writeFileSync(path.join(project, 'npm-cli.js'), 'process.exit(1)');
    const failed = bootstrap({ ...process.env, npm_execpath: path.join(project, 'npm-cli.js') });
    expect(failed.status).toBe(1);
    expect(failed.stdout).toBe('');
    expect(failed.stderr).toContain('Check that the npm registry can be reached');
  });

  it('a command for development installs its packages too, and adds them to what is there', { tags: 'proof' }, () => {
    bootstrap(useNpm());
    bootstrap(useNpm(), '--with-dev');
    bootstrap(useNpm(), '--with-dev');
    expect(requested()).toEqual(['ci --prefer-offline runtime', 'install --no-save --prefer-offline all']);
  });

  it('packages for development stay installed after a command that needs none, also when the lock file changes', {
    tags: ['proof'],
  }, () => {
    bootstrap(useNpm(), '--with-dev');
    bootstrap(useNpm());
    expect(requested()).toEqual(['ci --prefer-offline all']);
    fs.writeFileSync(path.join(project, 'package-lock.json'), '{"changed":true}');
    bootstrap(useNpm());
    expect(requested()).toEqual(['ci --prefer-offline all', 'ci --prefer-offline all']);
  });

  it('packages a person installed by hand stay', () => {
    fs.mkdirSync(path.join(project, 'node_modules'));
    bootstrap(useNpm());
    expect(requested()).toEqual(['ci --prefer-offline all']);
  });

  it('the target reads .env, and the environment counts before it', () => {
    fs.writeFileSync(path.join(project, '.env'), 'INVO_GAME=from-file\nINVO_GAME_NAME="From the file"\n');
    fs.writeFileSync(path.join(project, 'target.ts'), `console.log(process.env.INVO_GAME, process.env.INVO_GAME_NAME);`);
    expect(bootstrap({ ...useNpm(), INVO_GAME: 'from-environment' }).stdout).toBe('from-environment From the file\n');
  });

  it('two commands in a fresh clone install once', async () => {
    const env = useNpm({ takes_ms: 400 });
    const both = [0, 1].map(() =>
      spawn(process.execPath, ['lib/start/bootstrap.mjs', 'target.ts'], { cwd: project, env, stdio: 'ignore' }),
    );
    const codes = await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([7, 7]);
    expect(requested()).toEqual(['ci --prefer-offline runtime']);
  });

  it('the installation is taken over from a command that was killed', { tags: ['proof'] }, () => {
    fs.mkdirSync(path.join(project, '.data'));
    fs.writeFileSync(path.join(project, '.data', 'installing.lock'), '999999999:1');
    expect(bootstrap(useNpm()).status).toBe(7);
  });

  it.each([['SIGINT' as const], ['SIGTERM' as const], ['SIGHUP' as const]])(
    '%s is passed on, and the target ends in its own time',
    async (signal) => {
      const code = `process.on('${signal}', () => setTimeout(() => { console.log('stopped in order'); process.exit(5); }, 100)); setInterval(() => {}, 1000); console.log('up');`;
      fs.writeFileSync(path.join(project, 'waits.ts'), code);
      const child = spawn(process.execPath, ['lib/start/bootstrap.mjs', 'waits.ts'], {
        cwd: project,
        env: useNpm(),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let printed = '';
      child.stdout.on('data', (text: Buffer) => {
        printed += text.toString();
        if (printed === 'up\n') child.kill(signal);
      });
      const [exitCode] = await once(child, 'close');
      expect([exitCode, printed]).toEqual([5, 'up\nstopped in order\n']);
    },
  );
});
