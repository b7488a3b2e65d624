import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { within } from './open.ts';

/** One connection that listens to one channel for as long as the process runs. */
export interface Listener {
  /** Whether every notification sent from now on arrives. */
  isListening(): boolean;
  /** Ends the connection and doesn't connect again. */
  stop(): Promise<void>;
}

export interface ListenerOptions {
  url: string;
  /** A plain name: it becomes part of a statement. */
  channel: string;
  onMessage: (payload: string) => void;
  /** Called whenever listening begins or ends: what was missed is unknown. */
  onGap: () => void;
  timing?: Partial<typeof TIMING>;
}

const TIMING = {
  /** Waits between attempts to connect; the last one repeats. */
  pauses_ms: [100, 500, 1_000, 2_000, 5_000],
  /** How often a connection is tried that nothing was heard from: a cut cable closes none. */
  heartbeat_ms: 10_000,
  answer_ms: 5_000,
};

/**
 * Listens to a channel of the database, over a session of its own that is opened again whenever it ends. Behind a pooler that gives each
 * transaction another session no notification arrives: the first one is therefore sent from elsewhere, and without it nothing counts as heard.
 */
export function startListener({ url, channel, onMessage, onGap, timing = {} }: ListenerOptions): Listener {
  const { pauses_ms, heartbeat_ms, answer_ms } = { ...TIMING, ...timing };
  const stopping = new AbortController();
  const { signal } = stopping;
  let isUp = false;
  let failures = 0;

  const setUp = (up: boolean): void => {
    if (isUp === up) return;
    isUp = up;
    onGap();
  };

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: answer_ms,
      application_name: 'sharebook listener',
    });
    const gone = new AbortController();
    const lose = (): void => {
      setUp(false);
      gone.abort();
    };
    const stop = (): void => void client.end().catch(() => undefined);
    client.on('error', lose);
    client.on('end', lose);
    signal.addEventListener('abort', stop);
    try {
      await client.connect();
      const greeting = `hello ${randomUUID()}`;
      const greeted = Promise.withResolvers<void>();
      client.on('notification', ({ payload = '' }) => {
        if (payload === greeting) greeted.resolve();
        else if (!payload.startsWith('hello ')) onMessage(payload);
      });
      await client.query(`listen ${channel}`);
      await notifyFromElsewhere(url, channel, greeting);
      await within(answer_ms, greeted.promise);
      if (gone.signal.aborted || signal.aborted) return;
      failures = 0;
      setUp(true);
      while (!gone.signal.aborted && !signal.aborted) {
        await sleep(heartbeat_ms, undefined, { signal: AbortSignal.any([gone.signal, signal]), ref: false }).catch(() => undefined);
        if (!gone.signal.aborted && !signal.aborted) await within(answer_ms, client.query('select 1'));
      }
    } finally {
      lose();
      signal.removeEventListener('abort', stop);
      // A connection that doesn't answer doesn't close either.
      await within(answer_ms, client.end()).catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => undefined);
      const pause_ms = pauses_ms[Math.min(failures, pauses_ms.length - 1)] ?? 1_000;
      failures += 1;
      await sleep(pause_ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = keepListening();
  return {
    isListening: () => isUp,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function notifyFromElsewhere(url: string, channel: string, payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMING.answer_ms });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_notify($1, $2)', [channel, payload]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
