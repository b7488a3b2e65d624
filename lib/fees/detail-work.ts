import { mapLimit } from '#lib/evidence/pull/read-pages.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { Invo } from '#lib/invo/invo.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { type DetailRoute, findStoredAnswer, storeDetail } from '#lib/subscriptions/read-detail.ts';
import type { DetailProgress } from './writes/detail-queue.ts';

/** One running job: the game, the client that leaves calls to people, and its progress. */
export interface DetailWork {
  game: OpenGame;
  invo: Invo;
  signal: AbortSignal;
  /** A report read from then on isn't read again. */
  since: string;
  /** Shown to people. */
  progress: DetailProgress;
}

/** Reports read at once; a report takes Invo some tenths of a second, and 500 are read in a minute. */
const AT_ONCE = 4;

/**
 * Reads a report and stores the answer. null: Invo has no such record or its answer breaks the contract, so the report counts as not read.
 * Throws InvoError when Invo can't be reached.
 */
export async function readReport<T>({ game, invo, signal }: DetailWork, route: DetailRoute<T>): Promise<T | null> {
  try {
    const exchange = await route.ask(invo, signal);
    await storeDetail({ game }, route, exchange);
    return exchange.value;
  } catch (error) {
    if (error instanceof InvoError && (error.code === 'malformed' || route.isNotFound(error))) return null;
    throw error;
  }
}

/** The stored answer of a report that was read since, else Invo's. */
export async function findOrReadReport<T>(work: DetailWork, route: DetailRoute<T>, isRead: boolean): Promise<T | null> {
  const stored = isRead ? await findStoredAnswer(work, route) : null;
  return stored === null ? await readReport(work, route) : stored.value;
}

/** Does work on each item, several at once, in their order. After the first error no further item is started, and running ones are awaited. */
export async function forEachAtOnce<Item>(items: readonly Item[], signal: AbortSignal, run: (item: Item) => Promise<void>): Promise<void> {
  await mapLimit(items, AT_ONCE, async (item) => {
    signal.throwIfAborted();
    await run(item);
  });
}

/** Cuts a list into parts of at most so many. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
