import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeLocalSecrets } from './data-folder.ts';
import { type SimulatedInvo, startSimulatedInvo } from './simulated-invo.ts';

/** Longer than it takes to start, however busy the machine. */
const PATIENT_MS = 60_000;

let dataFolder: string;
let running: SimulatedInvo | undefined;

beforeEach(() => {
  dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-simulated-'));
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  fs.rmSync(dataFolder, { recursive: true, force: true });
});

async function start(startsWithin_ms: number): Promise<SimulatedInvo> {
  const secrets = await storeLocalSecrets(dataFolder);
  running = await startSimulatedInvo({ dataFolder, secrets, env: process.env, show: () => undefined, startsWithin_ms });
  return running;
}

describe('startSimulatedInvo', () => {
  it('the simulated Invo is still running after the time limit for its start', { tags: ['proof'] }, async () => {
    const began = performance.now();
    await (await start(PATIENT_MS)).stop();
    const startsWithin_ms = Math.max(5_000, 8 * (performance.now() - began));
    const invo = await start(startsWithin_ms);
    await sleep(startsWithin_ms + 500);
    expect((await fetch(invo.url)).status).toBeGreaterThan(0);
  });

  it('a simulated Invo that does not listen in time is stopped and reported', async () => {
    await expect(start(1)).rejects.toThrow('did not listen within 0.001 s');
  });

  it('ended resolves when another process ends the simulated Invo, and not on a restart', { tags: ['proof'] }, async () => {
    const invo = await start(PATIENT_MS);
    let hasEnded = false;
    const ended = invo.ended.then(() => {
      hasEnded = true;
    });
    await invo.restart();
    expect((await fetch(invo.url)).status).toBeGreaterThan(0);
    expect(hasEnded).toBe(false);
    process.kill(
      Number(spawnSync('pgrep', ['-P', String(process.pid), '-f', 'upstream/start.ts'], { encoding: 'utf8' }).stdout),
      'SIGTERM',
    );
    await ended;
  });

  it('a stopped simulated Invo no longer answers', async () => {
    const invo = await start(PATIENT_MS);
    await invo.stop();
    await expect(fetch(invo.url)).rejects.toThrow();
  });
});
