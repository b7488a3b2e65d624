import { setTimeout as sleep } from 'node:timers/promises';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { WORK_QUEUES } from '#db/kit/wake.ts';
import { instruments } from '#lib/observability/instruments.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { messageOf } from '../core/strings.ts';

/**
 * The kinds of work. `pull`, `refund`, `rendition`, `details`, `statements`, `balances`, `notices` and `deliveries`: a row became due. `demo`: earlier
 * months of the demo can be closed. `tick`: every minute, for what no row announces.
 */
const QUEUES = [...WORK_QUEUES, 'tick'] as const;
type Queue = (typeof QUEUES)[number];
/** The work of each queue. Without a demo whose months are closed, no process polls for them. */
export type JobHandlers = Record<Exclude<Queue, 'demo'>, JobHandler> & { demo?: JobHandler };

export interface JobHandler {
  /** Jobs of this queue that run at once in one process. */
  concurrency: number;
  /** Does what is due. `gameId` is null for a tick. A thrown error is logged; the rows say when the work is due again. */
  run: (gameId: number | null) => Promise<void>;
}

/** Writes one event to the log. */
type JobLog = (event: string, fields: Parameters<typeof logEvent>[2]) => void;

export interface JobEngine {
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>;
}

// A job that is missed by a notification, after a reconnect for instance, is found this much later.
const POLL_SECONDS = 1;
// A running refund waits for Invo's answer, for two minutes at most.
const STOP_TIMEOUT_MS = 150_000;
const RETRY_MS = 2_000;

/**
 * Starts the job engine and its handlers, and tries again while the database is away. Returns null when `signal` ends the wait.
 * The engine decides when work runs; the rows of pull and refund, with their leases, decide what is true.
 */
export async function startEngine(
  databaseUrl: string,
  handlers: JobHandlers,
  { signal, log, poll_seconds = POLL_SECONDS }: { signal: AbortSignal; log: JobLog; poll_seconds?: number },
): Promise<JobEngine | null> {
  const logOnce = onlyChanges(log);
  while (!signal.aborted) {
    const boss = new PgBoss({ connectionString: databaseUrl, max: 3, migrate: false, useListenNotify: true });
    // Node ends the process when an error event has no listener.
    boss.on('error', (error) => logOnce('error', messageOf(error))).on('warning', ({ message }) => logOnce('warning', message));
    try {
      await boss.start();
      for (const queue of QUEUES) {
        const handler = handlers[queue];
        if (handler !== undefined) await work(boss, queue, handler, { log, poll_seconds });
      }
      await boss.schedule('tick', '* * * * *', null, { tz: 'UTC', missed: 'once' });
      await boss.send('tick', {}, { singletonKey: 'start' });
      return { stop: () => boss.stop({ timeout: STOP_TIMEOUT_MS }) };
    } catch (error) {
      logOnce('error', messageOf(error));
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
  { log, poll_seconds }: { log: JobLog; poll_seconds: number },
): Promise<void> {
  const options = {
    includeMetadata: true as const,
    localConcurrency: concurrency,
    pollingIntervalSeconds: poll_seconds,
    notifyPollingIntervalSeconds: poll_seconds,
  };
  await boss.work(queue, options, async ([job]: JobWithMetadata<{ gameId?: number } | null>[]) => {
    if (job === undefined) return;
    const gameId = job.data?.gameId ?? null;
    const started_at = performance.now();
    // The clocks of two machines may differ by more than a job waited.
    const waited_ms = Math.max(0, Date.now() - job.startAfter.getTime());
    let failure = {};
    try {
      await run(gameId);
    } catch (error) {
      failure = { message: messageOf(error) };
    }
    const ms = performance.now() - started_at;
    instruments().queueWaitSeconds.observe({ queue }, waited_ms / 1_000);
    instruments().jobSeconds.observe({ queue }, ms / 1_000);
    log('message' in failure ? 'error' : 'job', { job: job.id, queue, gameId, ms: Math.round(ms), waited_ms, ...failure });
  });
}

/** Logs a message only when it differs from the one before: an outage raises the same error many times. */
function onlyChanges(log: JobLog): (event: string, message: string) => void {
  let last = '';
  return (event, message) => {
    if (message !== last) log(event, { message });
    last = message;
  };
}
