import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identifyProcess } from './process-identity.ts';
import { type Processes, type ProcessPlan, superviseProcesses } from './processes.ts';

const FOREVER = 'setInterval(() => {}, 1000);';

function script(code: string): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-process-')), 'script.mjs');
  fs.writeFileSync(file, code);
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));
  return file;
}

function plan(name: string, code: string, whenItDies: ProcessPlan['whenItDies'] = 'restart'): ProcessPlan {
  return { name, run: [script(code)], env: process.env, whenItDies };
}

function supervise(grace_ms = 5_000): { processes: Processes; shown: string[]; waitFor: (text: string, count?: number) => Promise<void> } {
  const shown: string[] = [];
  const processes = superviseProcesses({ show: (line) => shown.push(line), pauses_ms: [10, 20], grace_ms });
  onTestFinished(() => processes.stopAll());
  const waitFor = async (text: string, count = 1): Promise<void> => {
    while (shown.filter((line) => line.includes(text)).length < count) await sleep(10);
  };
  return { processes, shown, waitFor };
}

async function waitUntilGone(pid: number): Promise<void> {
  while (identifyProcess(pid) !== null) await sleep(20);
}

describe('supervision', () => {
  it('shows every line under the name of its process', async () => {
    const { processes, waitFor } = supervise();
    processes.start(plan('web', `console.log('one'); console.error('two'); ${FOREVER}`));
    await waitFor('web | one');
    await waitFor('web | two');
  });

  it('starts a process again that ends, after a pause', async () => {
    const { processes, shown, waitFor } = supervise();
    processes.start(plan('worker', `console.log('up'); process.exitCode = 3;`));
    await waitFor('worker | up', 3);
    expect(shown).toContain('worker ended (exit code 3); it starts again in 0.01 s.');
    expect(shown).toContain('worker ended (exit code 3); it starts again in 0.02 s.');
  });

  it('says so when a process ends that everything depends on', async () => {
    const { processes } = supervise();
    processes.start(plan('web', `process.kill(process.pid, 'SIGKILL')`, 'stop-all'));
    expect(await processes.broken).toBe('web ended (SIGKILL).');
  });

  it.each([
    ['lets one say good-bye', 'good', `console.log('bye'); process.exit(0);`, 60_000],
    ['forces one that will not listen', 'deaf', '', 300],
  ])('stops all, does not restart any, and %s', async (_, name, whenTold, grace_ms) => {
    const { processes, shown, waitFor } = supervise(grace_ms);
    processes.start(plan(name, `process.on('SIGTERM', () => { ${whenTold} }); console.log(process.pid); ${FOREVER}`));
    await waitFor(`${name} | `);
    const pid = Number(shown[0]?.split(' | ')[1]);
    expect(identifyProcess(pid)).not.toBeNull();
    await processes.stopAll();
    if (name === 'good') expect(shown).toContain('good | bye');
    expect(identifyProcess(pid)).toBeNull();
    expect(shown.some((line) => line.includes('starts again'))).toBe(false);
  });

  it('takes its processes along when it is killed', async () => {
    const child = script(`console.log(process.pid); ${FOREVER}`);
    const code = `import { superviseProcesses } from ${JSON.stringify(path.join(import.meta.dirname, 'processes.ts'))};
      const processes = superviseProcesses({ show: (line) => console.log(line) });
      processes.start({ name: 'child', run: [${JSON.stringify(child)}], env: process.env, whenItDies: 'restart' });`;
    const supervisor = spawn(process.execPath, [script(code)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => supervisor.stdout.once('data', (text: Buffer) => resolve(text.toString())));
    const pid = Number(line.split(' | ')[1]);
    expect(identifyProcess(pid)).not.toBeNull();
    supervisor.kill('SIGKILL');
    await waitUntilGone(pid);
  });
});
