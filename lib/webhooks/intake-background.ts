import { sha256Of } from '../core/canonical-digest.ts';
import type { RefusalReason } from './rules/delivery.ts';
import type { RefusalCount } from './writes/record-delivery.ts';

/** Work that an intake does after its answers, so that no request waits for it and a flood costs one statement a second. */
export interface IntakeBackground {
  /** Counts a refused request. The digest of one of each kind is stored. */
  countRefusal(slug: string, reason: RefusalReason, body: Uint8Array | null): void;
  /** Wakes the worker for a game, soon and once for all deliveries until then. */
  wakeSoon(gameId: number): void;
  /** Does the pending work now. */
  flush(): Promise<void>;
}

/** Statements behind the answers; `findGameId` is null for a game that isn't stored. */
export interface IntakeBackgroundPorts {
  findGameId(slug: string): Promise<number | null>;
  recordRefusals(refusals: RefusalCount[]): Promise<void>;
  wake(gameId: number): Promise<void>;
  delay_ms?: { refusals: number; wake: number };
}

/** Starts it for one process. If the process ends, only counts of refused requests and wake-ups are lost; the next tick replaces those. */
export function openIntakeBackground({
  findGameId,
  recordRefusals,
  wake,
  delay_ms = { refusals: 1_000, wake: 200 },
}: IntakeBackgroundPorts): IntakeBackground {
  const refused = new Map<string, { slug: string; reason: RefusalReason; count: number; sample: Buffer | null }>();
  const woken = new Set<number>();
  let refusalTimer: NodeJS.Timeout | null = null;
  let wakeTimer: NodeJS.Timeout | null = null;

  async function flushRefusals(): Promise<void> {
    refusalTimer = null;
    const counts = [...refused.values()];
    refused.clear();
    const named = await Promise.all(counts.map(async ({ slug, ...count }) => ({ ...count, gameId: await findGameId(slug) })));
    await recordRefusals(named.flatMap(({ gameId, ...count }) => (gameId === null ? [] : [{ gameId, ...count }])));
  }

  async function flushWakes(): Promise<void> {
    wakeTimer = null;
    const games = [...woken];
    woken.clear();
    for (const gameId of games) await wake(gameId);
  }

  return {
    countRefusal(slug, reason, body) {
      const key = `${slug} ${reason}`;
      const count = refused.get(key) ?? { slug, reason, count: 0, sample: null };
      count.count += 1;
      count.sample ??= body === null ? null : sha256Of(body);
      refused.set(key, count);
      refusalTimer ??= soon(flushRefusals, delay_ms.refusals);
    },
    wakeSoon(gameId) {
      woken.add(gameId);
      wakeTimer ??= soon(flushWakes, delay_ms.wake);
    },
    flush: async () => {
      await Promise.all([flushRefusals(), flushWakes()]);
    },
  };
}

/** Errors aren't logged here: every other request reports that the database is away. */
function soon(work: () => Promise<void>, ms: number): NodeJS.Timeout {
  return setTimeout(() => void work().catch(() => undefined), ms).unref();
}
