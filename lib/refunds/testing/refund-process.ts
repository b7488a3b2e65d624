import type pg from 'pg';
import { openRefundStore } from '#db/refunds/writes/refund-store.ts';
import { toInvoFailure } from '#lib/games/game-context.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { createInvoClient, type InvoClient } from '#lib/invo/client.ts';
import type { RefundFactsReader } from '../read-fresh-facts.ts';
import { readRefundFacts } from '../read-refund-facts.ts';
import { refundWire } from '../refund-wire.ts';
import type { RefundPorts } from '../rules/refund-ports.ts';
import { settleRefund } from '../settle-refund.ts';

/** The secret and the fixed clock of the simulated Invo in tests. */
const SECRET = 'upstream-secret';
export const NOW = '2026-11-21T12:00:00Z';

/** Longer than any write of a test takes, however busy the machine. */
const PATIENT_MS = 120_000;

/** A write that is not answered within this is a write without an answer: long enough to arrive on a busy machine, short enough to wait for. */
export const SILENT_MS = 5_000;

/** A client over no budget that tries reads twice without waiting. */
export function clientOfTests(baseUrl: string, writeMs = PATIENT_MS): InvoClient {
  return createInvoClient({
    access: { baseUrl, secret: SECRET, environment: 'production' },
    budget: { take: async () => undefined, blockUntil: async () => undefined },
    sleep: async () => undefined,
    limits: { tries: 2, writeMs, detailMs: PATIENT_MS, firstByteMs: PATIENT_MS, idleMs: PATIENT_MS },
  });
}

/** Reads the facts of a refund with a client of the test's own. */
export function readingOf(client: InvoClient): RefundFactsReader {
  return async (_, periodId) => await readRefundFacts(client, periodId, NOW).catch(toInvoFailure);
}

/** What one process works with, at the fixed clock of the simulated Invo. */
export function processOf(game: OpenGame, client: InvoClient, owner: string): RefundPorts {
  return {
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game, client),
    jitter: () => 0,
    businessNow: () => NOW,
    timeZone: 'UTC',
  };
}

const STEPS_MAX = 200;

/** Settles until nothing is due and nothing will be; every wait between is cut short. */
export async function settleToRest(ports: RefundPorts, pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if (!(await settleRefund(ports)) && !(await hurry(pool, gameId))) return;
  }
  throw new Error(`the refunds of game ${gameId} do not come to rest`);
}

/**
 * Makes due at once what waits for a time, as if the time had passed; false when nothing waits. Where half an hour since the last attempt
 * is waited for, that attempt is put back.
 */
export async function hurry(pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update refund set next_look_at = clock_timestamp(),
       last_sent_at = case when state = 'verifying' and next_look_at > clock_timestamp() + interval '2 minutes'
         then last_sent_at - interval '31 minutes' else last_sent_at end
     where game_id = $1 and next_look_at is not null`,
    [gameId],
  );
  return (rowCount ?? 0) > 0;
}
