import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '#db/kit/administer.ts';
import { createSetUpLink, LINK_HOURS } from '../people/set-up-link.ts';
import { ROOT } from './data-folder.ts';
import { isPortFree } from './free-port.ts';
import type { ProcessPlan } from './processes.ts';

/** Where the pages are served. */
export type Address = { host: string; port: number /** Public origin. */; url: string };

const PORTS_TRIED = 20;
const READY_WITHIN_MS = 120_000;
const ANSWERS_WITHIN_MS = 60_000;

/** The address that the environment variables name. */
export function addressFrom(env: NodeJS.ProcessEnv): Address {
  const host = env['HOST'] || '127.0.0.1';
  const port = Number(env['PORT'] || '3000');
  return { host, port, url: env['SHAREBOOK_URL'] || `http://127.0.0.1:${port}` };
}

/** The address, on a free port: the one that PORT names, or without it the first free one from 3000 on. Throws when there is none. */
export async function chooseAddress(env: NodeJS.ProcessEnv): Promise<Address> {
  const first = addressFrom(env);
  const last = env['PORT'] ? first.port : first.port + PORTS_TRIED;
  for (let port = first.port; port <= last; port += 1) {
    if (await isPortFree(port, first.host)) return addressFrom({ ...env, PORT: String(port) });
  }
  throw new Error(portInUse(first));
}

/** What to do about a port that another program uses. */
export function portInUse({ host, port }: Address): string {
  return `Port ${port} on ${host} is in use. Set PORT to a free one.`;
}

/**
 * How much short-lived objects fill before they are cleared away, in MB. By Node's own choice a worker that pulls a full month takes 405 MB; with this
 * 310 to 370, and no longer.
 */
export const YOUNG_OBJECTS = '--max-semi-space-size=8';
const WEB = path.join(ROOT, 'lib/start/web.ts');

/** The web process. In development (NODE_ENV) it compiles each page when it is first opened. */
export function webPlan({ host, port }: Address, env: NodeJS.ProcessEnv): ProcessPlan {
  return {
    name: 'web',
    run: [YOUNG_OBJECTS, WEB],
    // Next reads .env files by itself. The command has read .env already, and a test must not see it at all.
    env: { ...withoutLogins(env), HOST: host, PORT: String(port), __NEXT_PROCESSED_ENV: 'true' },
    whenItEnds: 'stop-all',
  };
}

/**
 * The worker process: what runs by itself. It opens no payment details, so it doesn't know their key. Where the demo people close months, they do it with the rights of the
 * pages and with the key.
 */
export function workerPlan(env: NodeJS.ProcessEnv): ProcessPlan {
  const login = env['DATABASE_WORKER_URL'] || env['DATABASE_URL'];
  const hasDemoYear = env['SHAREBOOK_SIMULATED'] === '1' && env['SHAREBOOK_DEMO_YEAR'] !== 'off';
  const own = {
    ...withoutLogins(env),
    ...(hasDemoYear ? { DATABASE_WORKER_URL: login } : { DATABASE_URL: login, SHAREBOOK_PAYEE_KEY: undefined }),
    SHAREBOOK_PAYEE_KEY_PREVIOUS: undefined,
  };
  return { name: 'worker', run: [YOUNG_OBJECTS, path.join(ROOT, 'lib/jobs/worker.ts')], env: own, whenItEnds: 'restart' };
}

/** A process knows the login it uses and no other. */
function withoutLogins(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, DATABASE_WORKER_URL: undefined, DATABASE_MIGRATE_URL: undefined };
}

/** The environment variables of web and worker. */
export function processVariables(env: NodeJS.ProcessEnv, { port, url }: Address, mode: 'production' | 'development'): NodeJS.ProcessEnv {
  return { ...env, NODE_ENV: mode, SHAREBOOK_URL: url, PORT: String(port) };
}

/** Resolves once the web process answers on that path. Throws with its last answer when it takes too long. */
export async function waitUntilReady({ host, port }: Address, page = '/readyz'): Promise<void> {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const deadline = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  while (performance.now() < deadline) {
    last = await askReadiness(`http://${name}:${port}${page}`);
    if (last === 'ready') return;
    await sleep(50);
  }
  throw new Error(`The web server did not become ready within ${READY_WITHIN_MS / 1000} s (${last}).`);
}

/** The lines that say, once everything runs, where to go and how to sign in. Without an admin, that is a one-time link. */
export async function announce(url: string, isSimulated: boolean, env: NodeJS.ProcessEnv): Promise<string[]> {
  const lines = ['', `Sharebook is ready at ${url}`];
  if (isSimulated) return [...lines, 'The data is simulated: open the address and choose a person to sign in as.', ''];
  const token = await withConnection(env['DATABASE_URL'] ?? '', createSetUpLink);
  if (token === null) return [...lines, 'Sign in with your email and password.', ''];
  const link = `${new URL(url).origin}/set-up?token=${token}`;
  return [...lines, `There is no admin yet. Open this one-time link within ${LINK_HOURS} hours to become the first:`, link, ''];
}

async function askReadiness(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    const body = (await answer.text()).slice(0, 300);
    return answer.ok ? 'ready' : `${answer.status} ${body}`;
  } catch {
    return 'no answer';
  }
}

/** The message of an error and of what caused it, one a line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n  ${describeError(error.cause)}` : error.message;
}
