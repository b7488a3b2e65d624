import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { distributeDatabase } from '#db/kit/distribute.ts';
import { buildWhenChanged } from '#lib/start/build.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { compareCopies, createOnCluster, dropFromCluster, listServers } from '../citus/test-cluster.ts';
import { TESTS } from './run-folder.ts';
import { runSharebook } from './run-sharebook.ts';
import { copySeed, FIXED_NOW, liftRateLimit, prepareSeed, removeData, seedFolder } from './seeded-data.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Sharebook of the page tests: its origin, its data folder, and the settings of its database where that isn't in the folder. */
    sharebook: { origin: string; data: string; settings: Record<string, string> };
  }
}

/** Where a Sharebook in simulated mode has its data, beside the database it is given. */
const DATABASE = 'sharebook_simulated';
const show = (line: string): void => void process.stdout.write(`${line}\n`);

/** Starts one Sharebook and one simulated Invo over a copy of the seeded data for all page tests of the run. */
export default async function startPageServer(project: TestProject): Promise<() => Promise<void>> {
  const data = path.join(process.env['SHAREBOOK_TEST_RUN'] ?? path.join(TESTS, 'run-by-hand'), 'page');
  await removeData(data);
  const cluster = process.env['SHAREBOOK_CITUS_URL'];
  const { settings, drop } = cluster === undefined ? await copySeededData(data) : await seedOnCluster(data, cluster);
  const sharebook = await runSharebook(await findFreePort(), data, { ...settings, SHAREBOOK_NOW: FIXED_NOW });
  await liftRateLimit(data, settings);
  project.provide('sharebook', { origin: sharebook.origin, data, settings });
  return async () => {
    await sharebook.stop();
    await drop();
    await removeData(data);
  };
}

interface Seeded {
  settings: Record<string, string>;
  drop: () => Promise<void>;
}

async function copySeededData(data: string): Promise<Seeded> {
  await prepareSeed(show);
  copySeed(data);
  return { settings: {}, drop: async () => undefined };
}

/** The months of the simulated game, pulled into a database of a cluster. */
async function seedOnCluster(data: string, cluster: string): Promise<Seeded> {
  await buildWhenChanged({ show });
  const servers = await listServers(cluster);
  // A run that was cut off leaves it.
  await dropFromCluster(servers, [DATABASE]);
  const administrator = await createOnCluster(servers, DATABASE);
  const settings = { DATABASE_URL: cluster };
  await seedFolder(data, settings, () => distributeDatabase(administrator));
  const drop = async (): Promise<void> => {
    try {
      await compareCopies(administrator);
    } finally {
      await dropFromCluster(servers, [DATABASE]);
    }
  };
  return { settings, drop };
}
