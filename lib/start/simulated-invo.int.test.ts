import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepLocalSecrets } from './secrets.ts';
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
  const secrets = await keepLocalSecrets(dataFolder);
  running = await startSimulatedInvo({ dataFolder, secrets, env: process.env, show: () => undefined, startsWithin_ms });
  return running;
}

describe('the simulated Invo beside us', () => {
  it('goes on after the time it was given to start in', async () => {
    const began = performance.now();
    await (await start(PATIENT_MS)).stop();
    const startsWithin_ms = Math.max(5_000, 8 * (performance.now() - began));
    const invo = await start(startsWithin_ms);
    await sleep(startsWithin_ms + 500);
    expect((await fetch(invo.url)).status).toBeGreaterThan(0);
  });

  it('is given up, and not left behind, when it does not listen in time', async () => {
    await expect(start(1)).rejects.toThrow('did not listen within 0.001 s');
  });

  it('says so when it ends', async () => {
    const invo = await start(PATIENT_MS);
    await invo.stop();
    await invo.ended;
    await expect(fetch(invo.url)).rejects.toThrow();
  });
});
