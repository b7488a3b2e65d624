import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutSettings } from '#e2e/runner/run-sharebook.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { digestToken, makeToken, sessionCookieName, signToken } from '#lib/people/session-token.ts';
import { buildWhenChanged } from '#lib/start/build.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { processVariables, waitUntilReady, webPlan, workerPlan } from '#lib/start/serve.ts';
import type { HttpRequest } from './load.ts';

/** The clock of every bench: the months are filled up to October 2026. */
export const BENCH_NOW = '2026-11-21T12:00:00Z';
/** The game of every bench, by its slug. */
export const BENCH_GAME = 'bench';

export interface RunningWeb {
  origin: string;
  /** Signs a request in as a person of finance. */
  cookie: string;
  /** Resident memory now, MB. */
  memory(): number;
  stop(): Promise<void>;
}

export interface WebOptions {
  databaseUrl: string;
  /** Where Invo is; a closed address unless given. */
  invoUrl?: string;
  /** Verifies deliveries; none unless given. */
  webhookSecret?: string;
  /** Whether the worker runs too. */
  hasWorker?: boolean;
  /** How many web processes share the port; 1 unless given. */
  webProcesses?: number;
  say(line: string): void;
}

const EXIT_WITH_PARENT = path.join(ROOT, 'lib/start/exit-with-parent.ts');
const PERSON = { id: 'bench-finance', email: 'finance@bench.example', name: 'Bench Finance', roles: ['finance'] } as const;

/** Serves the built pages over a database as `npm start` does, with one person signed in. Builds them first when they changed. */
export async function startWeb({
  databaseUrl,
  invoUrl = 'http://127.0.0.1:9',
  webhookSecret,
  hasWorker = false,
  webProcesses = 1,
  say,
}: WebOptions): Promise<RunningWeb> {
  await buildWhenChanged({ show: say });
  const port = await findFreePort();
  const address = { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
  const secret = randomBytes(32).toString('hex');
  const given = {
    ...withoutSettings(process.env),
    DATABASE_URL: databaseUrl,
    INVO_GAME: BENCH_GAME,
    INVO_GAME_NAME: 'Bench',
    INVO_ENVIRONMENT: 'production',
    INVO_TIME_ZONE: 'UTC',
    INVO_BASE_URL: invoUrl,
    INVO_GAME_SECRET: 'upstream-secret',
    ...(webhookSecret === undefined ? {} : { INVO_WEBHOOK_SECRET: webhookSecret }),
    SHAREBOOK_WEB_PROCESSES: String(webProcesses),
    SHAREBOOK_SIMULATED: '1',
    SHAREBOOK_DEMO_REFUNDS: 'off',
    SHAREBOOK_DEMO_YEAR: 'off',
    SHAREBOOK_DETAIL_REPORTS: 'off',
    SHAREBOOK_NOW: BENCH_NOW,
    SHAREBOOK_AUTH_SECRET: secret,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const env = processVariables(given as NodeJS.Dict<string> as NodeJS.ProcessEnv, address, 'production');
  const web = launch(webPlan(address, env).run, env);
  const worker = hasWorker ? launch(workerPlan(env).run, env) : null;
  const stop = async (): Promise<void> => {
    await Promise.all([web, worker].map(stopChild));
  };
  try {
    await Promise.race([waitUntilReady(address), once(web, 'exit').then(() => Promise.reject(new Error('The web process ended.')))]);
    return { origin: address.url, cookie: await signIn(databaseUrl, secret), memory: () => readMemory(web), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch(run: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...run], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function stopChild(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** A session as a sign-in opens it: the cookie has the token and its signature, the database only the token's digest. */
async function signIn(databaseUrl: string, secret: string): Promise<string> {
  const token = makeToken();
  const { pool, close } = openWithPool(databaseUrl, { poolSize: 1 });
  try {
    await pool.query('insert into person (id, email, name, roles) values ($1, $2, $3, $4) on conflict do nothing', Object.values(PERSON));
    await pool.query(`insert into person_session (person_id, token_digest, expires_at) values ($1, $2, clock_now() + interval '8 hours')`, [
      PERSON.id,
      digestToken(token),
    ]);
  } finally {
    await close();
  }
  return `${sessionCookieName('http://127.0.0.1')}=${signToken(token, secret)}`;
}

function readMemory({ pid }: ChildProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('the memory of the web process could not be read');
  return Number(kilobytes) / 1024;
}

const SEARCH_ACTION = 'searchAction';

/** The request of the search box: a server action, found by its name in the build. */
export function searchRequest({ origin, cookie }: Pick<RunningWeb, 'origin' | 'cookie'>, text: string): HttpRequest {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, '.next/server/server-reference-manifest.json'), 'utf8')) as {
    node: Record<string, { exportedName?: string }>;
  };
  const id = Object.entries(manifest.node).find(([, { exportedName }]) => exportedName === SEARCH_ACTION)?.[0];
  if (id === undefined) throw new Error(`the build has no action ${SEARCH_ACTION}`);
  return {
    url: `${origin}/${BENCH_GAME}/months`,
    headers: { cookie, origin, 'next-action': id, 'content-type': 'text/plain;charset=UTF-8', accept: 'text/x-component' },
    body: JSON.stringify([BENCH_GAME, text, 'local']),
  };
}
