import './exit-with-parent.ts';
import fs from 'node:fs';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { ROOT } from './data-folder.ts';
import { type Environment, isGameConfigured, prepareEnvironment } from './environment.ts';
import { type Processes, superviseProcesses, watchShutdown } from './processes.ts';
import { type Address, announce, chooseAddress, describeError, processVariables, waitUntilReady, webPlan, workerPlan } from './serve.ts';
import { listChanged, watchFiles } from './watch-files.ts';

/** Apart from the data of `npm start`: a migration or a simulated Invo in the making must not reach it. */
const DATA_FOLDER = '.data/dev';
const DATABASE = 'sharebook_dev';
/** Faster writes; only a power failure could lose simulated data, which is created again. */
const POSTGRES_FLAGS = 'fsync=off,synchronous_commit=off,full_page_writes=off';

const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await develop(process.env);
process.exit();

/** Serves the pages with hot reload, and restarts the worker and the simulated Invo when their files change. Returns the exit code. */
async function develop(given: NodeJS.ProcessEnv): Promise<number> {
  const shutdown = watchShutdown();
  const processes = superviseProcesses({ show });
  let environment: Environment | undefined;
  let isReady = false;
  try {
    const env = developmentVariables(given);
    const address = await chooseAddress(env);
    environment = await prepareEnvironment(env, { needs: 'database+invo', show, isServer: true, simulatedDatabase: DATABASE });
    if (shutdown.signal.aborted) return 0;
    const variables = processVariables(environment.env, address, 'development');
    processes.start(webPlan(address, variables));
    processes.start(workerPlan(variables));
    const ended = Promise.race([shutdown.requested.then(() => null), processes.broken, environment.broken]);
    isReady = await Promise.race([waitUntilReady(address, '/sign-in').then(() => true), ended.then(() => false)]);
    if (isReady) await announceDevelopment(address, environment, variables);
    const watch = watchFiles(ROOT, ['lib', 'db', 'e2e/upstream'], {
      onChange: restartWhatChanged(environment, processes),
      onError: (error) => show(describeError(error)),
    });
    const reason = await ended;
    watch.close();
    if (reason !== null) show(`${reason} Development stops.`);
    return reason === null ? 0 : 1;
  } catch (error) {
    if (shutdown.signal.aborted) return 0;
    show(describeError(error));
    return 1;
  } finally {
    await processes.stopAll();
    await environment?.stop();
    // The types of its routes would fail `tsc` on a branch without them. Where it wasn't ready, another one may be using them.
    if (isReady) fs.rmSync(path.join(ROOT, '.next/dev/types'), { recursive: true, force: true });
  }
}

function developmentVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const flags = env['SHAREBOOK_POSTGRES_FLAGS'] || (isGameConfigured(env) ? '' : POSTGRES_FLAGS);
  return { ...env, SHAREBOOK_DATA: env['SHAREBOOK_DATA'] || DATA_FOLDER, SHAREBOOK_POSTGRES_FLAGS: flags };
}

async function announceDevelopment(address: Address, { isSimulated, started }: Environment, variables: NodeJS.ProcessEnv): Promise<void> {
  for (const line of await announce(address.url, isSimulated, variables)) process.stdout.write(`${line}\n`);
  show('Pages reload when a file changes; the worker and the simulated Invo restart.');
  if (started.length > 0) show(`Data is kept in ${variables['SHAREBOOK_DATA']}. Delete the folder to start over.`);
}

function restartWhatChanged(environment: Environment, processes: Processes): (files: string[]) => Promise<void> {
  return async (files) => {
    const changed = listChanged(files);
    if (changed.has('simulated Invo')) {
      show('The simulated Invo restarts.');
      await environment.restartInvo?.();
    }
    if (changed.has('migrations')) await migrateDatabase(environment.env['DATABASE_MIGRATE_URL'] ?? '');
    if (changed.has('worker')) {
      show('The worker restarts.');
      await processes.restart('worker');
    }
  };
}
