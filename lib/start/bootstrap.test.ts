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
  fs.copyFileSync(path.join(import.meta.dirname, 'bootstrap.mjs'), path.join(project, 'lib', 'start', 'bootstrap.mjs'));
  fs.writeFileSync(path.join(project, 'package-lock.json'), '{}');
  fs.writeFileSync(path.join(project, 'target.ts'), `console.log('ran', ...process.argv.slice(2) as string[]); process.exitCode = 7;`);
});

afterEach(() => fs.rmSync(project, { recursive: true, force: true }));

/** Stands in for npm: notes what it was asked, and fails the requests it is told to fail. */
function useNpm({ refuses = '', takes_ms = 0 } = {}): NodeJS.ProcessEnv {
  const npm = path.join(project, 'npm-cli.js');
  const code = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(path.join(project, 'asked'))}, process.argv[2] + '\\n');
    console.log('npm talks'); fs.mkdirSync('node_modules', { recursive: true });
    setTimeout(() => process.exit(process.argv[2] === ${JSON.stringify(refuses)} ? 1 : 0), ${takes_ms});`;
  fs.writeFileSync(npm, code);
  return { ...process.env, npm_execpath: npm };
}

function bootstrap(env: NodeJS.ProcessEnv): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ['lib/start/bootstrap.mjs', 'target.ts', 'a', 'b c'], { cwd: project, env, encoding: 'utf8' });
}

function asked(): string[] {
  return fs.readFileSync(path.join(project, 'asked'), 'utf8').trim().split('\n');
}

describe('the way in', () => {
  it('installs, runs the target with its arguments and passes its exit code, keeping stdout for the target', () => {
    const first = bootstrap(useNpm());
    expect(first.stdout).toBe('ran a b c\n');
    expect(first.status).toBe(7);
    expect(first.stderr).toContain('npm talks');
    expect(asked()).toEqual(['ci']);
  });

  it('installs once, and again when the lock file changes', () => {
    bootstrap(useNpm());
    bootstrap(useNpm());
    expect(asked()).toEqual(['ci']);
    fs.writeFileSync(path.join(project, 'package-lock.json'), '{"changed":true}');
    bootstrap(useNpm());
    expect(asked()).toEqual(['ci', 'ci']);
  });

  it('falls back when npm ci refuses, and says one sentence when that fails too', () => {
    expect(bootstrap(useNpm({ refuses: 'ci' })).status).toBe(7);
    expect(asked()).toEqual(['ci', 'install']);
    fs.rmSync(path.join(project, 'node_modules'), { recursive: true });
    fs.writeFileSync(path.join(project, 'npm-cli.js'), 'process.exit(1)');
    const failed = bootstrap({ ...process.env, npm_execpath: path.join(project, 'npm-cli.js') });
    expect(failed.status).toBe(1);
    expect(failed.stdout).toBe('');
    expect(failed.stderr).toContain('Check that the npm registry can be reached');
  });

  it('lets two commands in a fresh clone install once', async () => {
    const env = useNpm({ takes_ms: 400 });
    const both = [0, 1].map(() =>
      spawn(process.execPath, ['lib/start/bootstrap.mjs', 'target.ts'], { cwd: project, env, stdio: 'ignore' }),
    );
    const codes = await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([7, 7]);
    expect(asked()).toEqual(['ci']);
  });

  it('takes over the installation from a command that was killed', () => {
    fs.mkdirSync(path.join(project, '.data', 'install.lock'), { recursive: true });
    fs.writeFileSync(path.join(project, '.data', 'install.lock', 'owner'), '999999999');
    expect(bootstrap(useNpm()).status).toBe(7);
  });

  it.each([['SIGINT' as const], ['SIGTERM' as const], ['SIGHUP' as const]])(
    'passes %s on and waits for the target to end',
    async (signal) => {
      const code = `process.on('${signal}', () => setTimeout(() => { console.log('stopped in order'); process.exit(5); }, 100)); setInterval(() => {}, 1000); console.log('up');`;
      fs.writeFileSync(path.join(project, 'waits.ts'), code);
      const child = spawn(process.execPath, ['lib/start/bootstrap.mjs', 'waits.ts'], {
        cwd: project,
        env: useNpm(),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said === 'up\n') child.kill(signal);
      });
      const [exitCode] = await once(child, 'close');
      expect([exitCode, said]).toEqual([5, 'up\nstopped in order\n']);
    },
  );
});
