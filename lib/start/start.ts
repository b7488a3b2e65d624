import './exit-with-parent.ts';
import { buildWhenChanged } from './build.ts';
import { type Environment, prepareEnvironment } from './environment.ts';
import { isPortFree } from './free-port.ts';
import { superviseProcesses, watchShutdown } from './processes.ts';
import { addressFrom, announce, describeError, portInUse, processVariables, waitUntilReady, webPlan, workerPlan } from './serve.ts';

const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await startSharebook(process.env);
process.exit();

/**
 * Starts everything `npm start` serves, then waits for a shutdown or a failure; returns the exit code. The database, the simulated Invo
 * and the worker with its first pulls start beside the build, which takes longest.
 */
async function startSharebook(env: NodeJS.ProcessEnv): Promise<number> {
  const shutdown = watchShutdown();
  const failure = new AbortController();
  const signal = AbortSignal.any([shutdown.signal, failure.signal]);
  const processes = superviseProcesses({ show });
  const address = addressFrom(env);
  let environment: Environment | undefined;
  const prepare = async (): Promise<Environment> => {
    environment = await prepareEnvironment(env, { needs: 'database+invo', show, isServer: true });
    if (!signal.aborted) processes.start(workerPlan(processVariables(environment.env, address, 'production')));
    return environment;
  };
  const preparing: Promise<unknown>[] = [];
  try {
    if (!(await isPortFree(address.port, address.host))) throw new Error(portInUse(address));
    const prepared = prepare();
    preparing.push(prepared, buildWhenChanged({ show, signal }));
    await Promise.all(preparing);
    if (signal.aborted) return 0;
    const { env: completed, broken, isSimulated } = await prepared;
    const variables = processVariables(completed, address, 'production');
    processes.start(webPlan(address, variables));
    const ended = Promise.race([shutdown.requested.then(() => null), processes.broken, broken]);
    const isReady = await Promise.race([waitUntilReady(address).then(() => true), ended.then(() => false)]);
    if (isReady) for (const line of await announce(address.url, isSimulated, variables)) process.stdout.write(`${line}\n`);
    const reason = await ended;
    if (reason !== null) show(`${reason} Sharebook stops.`);
    return reason === null ? 0 : 1;
  } catch (error) {
    if (shutdown.signal.aborted) return 0;
    show(describeError(error));
    return 1;
  } finally {
    failure.abort();
    await Promise.allSettled(preparing);
    await processes.stopAll();
    await environment?.stop();
  }
}
