import './exit-with-parent.ts';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from './announce.ts';
import { buildWhenChanged } from './build.ts';
import { ROOT } from './data-folder.ts';
import { type Ground, prepareGround } from './environment.ts';
import { type Processes, superviseProcesses } from './processes.ts';
import { onceToldToStop } from './shutdown-signal.ts';

const READY_WITHIN_MS = 60_000;
const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await startEverything(process.env);
process.exit();

/** Ground, build, worker and web, in that order; then waits until told to stop or until something breaks. Returns the exit code. */
async function startEverything(env: NodeJS.ProcessEnv): Promise<number> {
  const told = onceToldToStop();
  const processes = superviseProcesses({ show });
  let ground: Ground | undefined;
  const address = addressFrom(env);
  try {
    await refuseTakenPort(address);
    ground = await prepareGround(env, { needs: 'database+invo', show, isShared: true });
    if (!told.signal.aborted) await buildWhenChanged({ show, signal: told.signal });
    if (!told.signal.aborted) await serve(processes, ground, address, told.whenTold);
    const end = await Promise.race([told.whenTold.then(() => null), processes.broken, ground.broken]);
    if (end) show(`${end} Sharebook stops.`);
    return end ? 1 : 0;
  } catch (error) {
    if (told.signal.aborted) return 0;
    show(error instanceof Error ? describe(error) : String(error));
    return 1;
  } finally {
    await processes.stopAll();
    await ground?.stop();
  }
}

type Address = { host: string; port: number; url: string };

function addressFrom(env: NodeJS.ProcessEnv): Address {
  const host = env['HOST'] || '127.0.0.1';
  const port = Number(env['PORT'] || '3000');
  return { host, port, url: env['SHAREBOOK_URL'] || `http://127.0.0.1:${port}` };
}

async function serve(processes: Processes, ground: Ground, { host, port, url }: Address, whenTold: Promise<void>): Promise<void> {
  const env = { ...ground.env, NODE_ENV: 'production', SHAREBOOK_URL: url, PORT: String(port) } as NodeJS.ProcessEnv;
  processes.start({
    name: 'web',
    run: [path.join(ROOT, 'node_modules/next/dist/bin/next'), 'start', '-H', host, '-p', String(port)],
    env,
    whenItDies: 'stop-all',
  });
  processes.start({ name: 'worker', run: [path.join(ROOT, 'lib/jobs/worker.ts')], env, whenItDies: 'restart' });
  const isReady = await Promise.race([waitUntilReady(port), Promise.race([whenTold, processes.broken]).then(() => false)]);
  if (!isReady) return;
  for (const line of await announce({ url, isSimulated: ground.isSimulated, env })) process.stdout.write(`${line}\n`);
}

async function waitUntilReady(port: number): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  while (performance.now() < deadline) {
    last = await askReadiness(port);
    if (last === 'ready') return true;
    await sleep(50);
  }
  throw new Error(`The web server did not become ready within ${READY_WITHIN_MS / 1000} s (${last}).`);
}

async function askReadiness(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const body = (await answer.text()).slice(0, 300);
    return answer.ok ? 'ready' : `${answer.status} ${body}`;
  } catch {
    return 'no answer';
  }
}

function refuseTakenPort({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on('error', () => reject(new Error(`Port ${port} on ${host} is taken. Set PORT to a free one.`)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function describe(error: Error): string {
  const causes = error.cause instanceof Error ? `\n  ${describe(error.cause)}` : '';
  return `${error.message}${causes}`;
}
