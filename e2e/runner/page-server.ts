import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { findFreePort } from '#lib/start/free-port.ts';
import { TESTS } from './run-folder.ts';
import { runSharebook } from './run-sharebook.ts';
import { copySeed, FIXED_NOW, liftRateLimit, prepareSeed, removeData } from './seeded-data.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Sharebook of the page tests: its origin and its data folder. */
    sharebook: { origin: string; data: string };
  }
}

/** Starts one Sharebook and one simulated Invo over a copy of the seeded data for all page tests of the run. */
export default async function startPageServer(project: TestProject): Promise<() => Promise<void>> {
  await prepareSeed((line) => process.stdout.write(`${line}\n`));
  const data = path.join(process.env['SHAREBOOK_TEST_RUN'] ?? path.join(TESTS, 'run-by-hand'), 'page');
  await removeData(data);
  copySeed(data);
  const sharebook = await runSharebook(await findFreePort(), data, { SHAREBOOK_NOW: FIXED_NOW });
  await liftRateLimit(data);
  project.provide('sharebook', { origin: sharebook.origin, data });
  return async () => {
    await sharebook.stop();
    await removeData(data);
  };
}
