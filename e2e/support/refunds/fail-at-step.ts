import http from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';

/** How a step fails: the process is killed before or after it, the database backend is cut off, or the answer is lost. */
export const WAYS = ['killed_before', 'killed_after', 'cut_off', 'answer_lost'] as const;
export type Way = (typeof WAYS)[number];

/** Which step fails; step 0: none. A lost HTTP answer is armed at the simulated Invo at an earlier step. */
export interface Failure {
  step: number;
  way: Way;
  arms?: { step: number; fault: object };
}

export interface Steps {
  /** The names of the steps so far, in order. */
  names: string[];
  /** Whether the failure has happened. */
  hasFailed: boolean;
}

/** The connection that ends and watches backends, and a function that arms a fault; neither counts as a step. */
export interface Outside {
  side: pg.Client;
  arm: (fault: object) => Promise<void>;
}

/** What fails: a whole process, or some work within one. `die` ends it: of a process it never returns, of work its promise never settles. */
interface Victim {
  die: () => Promise<never>;
  isDead: () => boolean;
  /** Its requests that are open. */
  requests: Set<http.ClientRequest>;
}

type Query = (...args: unknown[]) => unknown;
type Enter = (name: string) => Way | null;

function countSteps(failure: Failure): { steps: Steps; enter: Enter } {
  const steps: Steps = { names: [], hasFailed: false };
  const enter = (name: string): Way | null => {
    steps.names.push(name);
    if (steps.names.length !== failure.step) return null;
    steps.hasFailed = true;
    return failure.way;
  };
  return { steps, enter };
}

/** Numbers every SQL statement and every phase of every HTTP exchange of this process, and makes one of them fail. */
export function failAtStep(failure: Failure, outside: Outside): Steps {
  const { steps, enter } = countSteps(failure);
  const process: Victim = { die, isDead: () => false, requests: new Set() };
  const arm = async (): Promise<void> => {
    if (steps.names.length === failure.arms?.step) await outside.arm(failure.arms.fault);
  };
  failStatements(enter, outside.side, arm);
  failExchanges(enter, process);
  return steps;
}

/** Work within this process that fails at a step. */
export interface FailingWork {
  steps: Steps;
  /** Resolves once it was killed. */
  killed: Promise<void>;
  /** Requests of this process are made as before. */
  restore: () => void;
}

/**
 * Does the same to the work over one pool that is not in use yet, and to every request until `restore`. Killed, it leaves what a killed process leaves: its
 * connections close, and none of its statements and requests is made or answered any more.
 */
export function failWork(pool: pg.Pool, failure: Failure, side: pg.Client): FailingWork {
  const { steps, enter } = countSteps(failure);
  const killed = Promise.withResolvers<void>();
  const clients = new Set<pg.Client>();
  const requests = new Set<http.ClientRequest>();
  let isDead = false;
  const forever = (): Promise<never> => new Promise(() => undefined);
  const kill = (): Promise<never> => {
    isDead = true;
    for (const client of clients) socketOf(client).destroy();
    for (const request of requests) request.destroy();
    killed.resolve();
    return forever();
  };
  pool.on('connect', (pooled) => {
    const client = pooled as unknown as pg.Client;
    if (isDead) return void socketOf(client).destroy();
    clients.add(client);
    const original = client.query.bind(client) as Query;
    const query = (...args: unknown[]): unknown => {
      if (isDead) return forever();
      const way = enter(nameOf(args[0]));
      const run = async (): Promise<unknown> => original(...args);
      return way === null ? original(...args) : failStatement({ client, run, way, side, die: kill });
    };
    Object.assign(client, { query });
  });
  const restore = failExchanges(enter, { die: kill, isDead: () => isDead, requests });
  return { steps, killed: killed.promise, restore };
}

function failStatements(enter: Enter, side: pg.Client, arm: () => Promise<void>): void {
  const original = pg.Client.prototype.query as unknown as Query;
  const query = function (this: pg.Client, ...args: unknown[]): unknown {
    if (this === side) return original.apply(this, args);
    const way = enter(nameOf(args[0]));
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as (error: unknown, result?: unknown) => void) : null;
    const statement = async (): Promise<unknown> => original.apply(this, args);
    const run = arm().then(() => (way === null ? statement() : failStatement({ client: this, run: statement, way, side, die })));
    if (callback === null) return run;
    run.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  };
  Object.assign(pg.Client.prototype, { query });
}

interface FailingStatement {
  client: pg.Client;
  run: () => Promise<unknown>;
  way: Way;
  side: pg.Client;
  die: Victim['die'];
}

async function failStatement({ client, run, way, side, die }: FailingStatement): Promise<unknown> {
  const { processID: backend } = client as unknown as { processID: number };
  switch (way) {
    case 'killed_before':
      return die();
    case 'killed_after':
      await run();
      return die();
    case 'cut_off':
      await side.query('select pg_terminate_backend($1::int, 5000::bigint)', [backend]);
      return run();
    case 'answer_lost':
      return loseAnswer(client, run, backend, side);
  }
}

/** The longest a backend may take for one statement on a busy machine. */
const STATEMENT_MS = 60_000;

// The backend is done when it is idle again after the statement; its answer is not read, and the connection is cut.
async function loseAnswer(client: pg.Client, run: () => Promise<unknown>, backend: number, side: pg.Client): Promise<unknown> {
  const stream = socketOf(client);
  const { rows } = await side.query<{ at: string }>('select clock_now()::text as at');
  stream.pause();
  const answered = run();
  answered.catch(() => undefined);
  const isDone = `select 1 from pg_stat_activity where pid = $1 and state <> 'active' and state_change > $2::timestamptz`;
  const until = performance.now() + STATEMENT_MS;
  while ((await side.query(isDone, [backend, rows[0]?.at])).rowCount !== 1)
    if (performance.now() > until) throw new Error(`the backend never came to the end of its statement within ${STATEMENT_MS} ms`);
  stream.destroy();
  return answered;
}

function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Returns a function that undoes it. */
function failExchanges(enter: Enter, victim: Victim): () => void {
  const original = http.request as (options: http.RequestOptions) => http.ClientRequest;
  const { die, isDead, requests } = victim;
  const request = (options: http.RequestOptions): http.ClientRequest => {
    const name = `${options.method} ${options.path?.split('?')[0]}`;
    const connect = isDead() ? null : enter(`${name}: connect`);
    if (connect === 'killed_before') void die();
    const made = original(options);
    requests.add(made);
    if (isDead()) return made.destroy();
    made.prependListener('socket', (socket) => failConnection(socket, connect, victim));
    failWriting(made, () => enter(`${name}: write`), victim);
    made.prependListener('response', (response) => {
      failReceiving(response, enter(`${name}: headers`), { after: 'now', victim });
      response.prependListener('end', () => failReceiving(response, enter(`${name}: body`), { after: 'close', victim }));
    });
    return made;
  };
  Object.assign(http, { request });
  return () => void Object.assign(http, { request: original });
}

function failConnection(socket: Socket, way: Way | null, { die }: Victim): void {
  const fail = (): void => {
    if (way === 'killed_after') void die();
    if (way === 'cut_off') socket.destroy();
  };
  if (socket.connecting) socket.prependOnceListener('connect', fail);
  else fail();
}

function failWriting(request: http.ClientRequest, enter: () => Way | null, { die, isDead }: Victim): void {
  const end = request.end.bind(request) as (body?: Buffer) => http.ClientRequest;
  const failingEnd = (body?: Buffer): http.ClientRequest => {
    if (isDead()) return request;
    const way = enter();
    if (way === 'killed_before') {
      void die();
      return request;
    }
    if (way === 'killed_after') request.once('finish', () => void die());
    if (way === 'cut_off') request.once('finish', () => request.socket?.destroy());
    return end(body);
  };
  Object.assign(request, { end: failingEnd });
}

function failReceiving(
  response: http.IncomingMessage,
  way: Way | null,
  { after, victim }: { after: 'now' | 'close'; victim: Victim },
): void {
  const { die } = victim;
  if (way === 'killed_before') void die();
  if (way === 'cut_off') response.socket.destroy();
  if (way !== 'killed_after') return;
  if (after === 'now') setImmediate(die);
  else response.once('close', () => setImmediate(die));
}

function nameOf(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : String((statement as { text?: string } | null)?.text ?? 'statement');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
