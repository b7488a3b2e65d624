import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identifyProcess } from './file-lock.mjs';
import { type Processes, type ProcessPlan, superviseProcesses } from './processes.ts';

const FOREVER = 'setInterval(() => {}, 1000);';

function script(code: string): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-process-')), 'script.mjs');
  fs.writeFileSync(file, code);
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));
  return file;
}

function plan(name: string, code: string, whenItEnds: ProcessPlan['whenItEnds'] = 'restart'): ProcessPlan {
  return { name, run: [script(code)], env: process.env, whenItEnds };
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

describe('superviseProcesses', () => {
  it('every line is shown under the name of its process', async () => {
    const { processes, waitFor } = supervise();
    processes.start(plan('web', `console.log('one'); console.error('two'); ${FOREVER}`));
    await waitFor('web | one');
    await waitFor('web | two');
  });

  it('a process that ends is started again after a growing pause', async () => {
    const { processes, shown, waitFor } = supervise();
    processes.start(plan('worker', `console.log('up'); process.exitCode = 3;`));
    await waitFor('worker | up', 3);
    expect(shown).toContain('worker ended (exit code 3); it starts again in 0.01 s.');
    expect(shown).toContain('worker ended (exit code 3); it starts again in 0.02 s.');
  });

  it('broken resolves when a process that everything depends on ends', async () => {
    const { processes } = supervise();
    processes.start(plan('web', `process.kill(process.pid, 'SIGKILL')`, 'stop-all'));
    expect(await processes.broken).toBe('web ended (SIGKILL).');
  });

  it.each([
    ['waits for one that ends by itself', 'good', `console.log('bye'); process.exit(0);`, 60_000],
    ['kills one that ignores the signal', 'deaf', '', 300],
  ])('stopAll restarts nothing and %s', async (_, name, onSignal, grace_ms) => {
    const { processes, shown, waitFor } = supervise(grace_ms);
    processes.start(plan(name, `process.on('SIGTERM', () => { ${onSignal} }); console.log(process.pid); ${FOREVER}`));
    await waitFor(`${name} | `);
    const pid = Number(shown[0]?.split(' | ')[1]);
    expect(identifyProcess(pid)).not.toBeNull();
    await processes.stopAll();
    if (name === 'good') expect(shown).toContain('good | bye');
    expect(identifyProcess(pid)).toBeNull();
    expect(shown.some((line) => line.includes('starts again'))).toBe(false);
  });

  it('restart replaces a running process at once and does not count as an end', async () => {
    const { processes, shown, waitFor } = supervise();
    processes.start(plan('worker', `console.log('up', process.pid); ${FOREVER}`));
    await waitFor('worker | up');
    await processes.restart('worker');
    await waitFor('worker | up', 2);
    const [first, second] = shown.map((line) => Number(line.split(' ')[3]));
    expect(identifyProcess(first ?? 0)).toBeNull();
    expect(identifyProcess(second ?? 0)).not.toBeNull();
    expect(shown.some((line) => line.includes('ended'))).toBe(false);
  });

  it('restart starts a process at once that waits for its next start', async () => {
    const shown: string[] = [];
    const processes = superviseProcesses({ show: (line) => shown.push(line), pauses_ms: [3_600_000] });
    onTestFinished(() => processes.stopAll());
    processes.start(plan('worker', `console.log('up');`));
    while (!shown.some((line) => line.includes('starts again'))) await sleep(10);
    await processes.restart('worker');
    while (shown.filter((line) => line === 'worker | up').length < 2) await sleep(10);
  });

  it('the processes end when their supervisor is killed', async () => {
    const child = script(`console.log(process.pid); ${FOREVER}`);
    const code = `import { superviseProcesses } from ${JSON.stringify(path.join(import.meta.dirname, 'processes.ts'))};
      const processes = superviseProcesses({ show: (line) => console.log(line) });
      processes.start({ name: 'child', run: [${JSON.stringify(child)}], env: process.env, whenItEnds: 'restart' });`;
    const supervisor = spawn(process.execPath, [script(code)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => supervisor.stdout.once('data', (text: Buffer) => resolve(text.toString())));
    const pid = Number(line.split(' | ')[1]);
    expect(identifyProcess(pid)).not.toBeNull();
    supervisor.kill('SIGKILL');
    await waitUntilGone(pid);
  });
});
