import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';

/** The kinds of work. `pull` and `refund`: a row became due. `tick`: every minute, for what no row announces. */
const QUEUES = ['pull', 'refund', 'tick'] as const;
export type Queue = (typeof QUEUES)[number];

export interface JobHandler {
  /** Jobs of this queue that run at once in one process. */
  concurrency: number;
  /** Does what is due. `gameId` is null for a tick. A thrown error is logged; the rows say when the work is due again. */
  run: (gameId: number | null) => Promise<void>;
}

export interface JobEngine {
  /** Takes no more jobs and waits for those at work. */
  stop(): Promise<void>;
}

// A job that is missed by a notification, after a reconnect for instance, is found this much later.
const POLL_SECONDS = 1;
// A refund at work waits for Invo's answer, for two minutes at most.
const STOP_TIMEOUT_MS = 150_000;
const RETRY_MS = 2_000;

/**
 * Starts the job engine and its handlers, and tries again while the database is away. Returns null when `signal` ends the wait.
 * The engine decides when work runs; what is true stands in the rows of pull and refund, with their leases.
 */
export async function startEngine(
  databaseUrl: string,
  handlers: Record<Queue, JobHandler>,
  { signal, log, poll_seconds = POLL_SECONDS }: { signal: AbortSignal; log: (line: string) => void; poll_seconds?: number },
): Promise<JobEngine | null> {
  const logOnce = onlyChanges(log);
  while (!signal.aborted) {
    const boss = new PgBoss({ connectionString: databaseUrl, max: 3, migrate: false, useListenNotify: true });
    // Node ends the process when an error event has no listener.
    boss.on('error', (error) => logOnce(`error: ${messageOf(error)}`)).on('warning', ({ message }) => logOnce(`warning: ${message}`));
    try {
      await boss.start();
      for (const queue of QUEUES) await work(boss, queue, handlers[queue], { log, poll_seconds });
      await boss.schedule('tick', '* * * * *', null, { tz: 'UTC', missed: 'once' });
      await boss.send('tick', {}, { singletonKey: 'start' });
      return { stop: () => boss.stop({ timeout: STOP_TIMEOUT_MS }) };
    } catch (error) {
      logOnce(`error: ${messageOf(error)}`);
      await boss.stop({ graceful: false }).catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function work(
  boss: PgBoss,
  queue: Queue,
  { concurrency, run }: JobHandler,
  { log, poll_seconds }: { log: (line: string) => void; poll_seconds: number },
): Promise<void> {
  const options = { localConcurrency: concurrency, pollingIntervalSeconds: poll_seconds, notifyPollingIntervalSeconds: poll_seconds };
  await boss.work<{ gameId?: number } | null>(queue, options, async ([job]) => {
    try {
      await run(job?.data?.gameId ?? null);
    } catch (error) {
      log(`error: ${messageOf(error)}`);
    }
  });
}

/** Logs a line only when it differs from the one before: an outage raises the same error many times. */
function onlyChanges(log: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) log(line);
    last = line;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
