import { findDatabaseNow, openDb } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { STATEMENT_RECORD } from '#lib/observability/instruments.ts';
import { logEvent } from '#lib/observability/log.ts';
import type { RefusalReason } from '#lib/webhooks/rules/delivery.ts';
import { type RefusalCount, recordRefusals } from '#lib/webhooks/writes/record-delivery.ts';
import { type Config, findGameConfig, type GameConfig } from '../config.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { messageOf } from '../core/strings.ts';
import type { Intake } from '../webhooks/receive-delivery.ts';

/** The intakes of the configured games, over connections of their own. */
export interface Intakes {
  /** The intake of a game; null: no such game. */
  find(slug: string): Intake | null;
  /** Stores what is still to be counted and closes the connections. */
  close(): Promise<void>;
}

type IntakeGame = Awaited<ReturnType<typeof ensureGame>>;

/** A delivery takes one or two short statements. Pages that are slow keep no delivery waiting, and a flood of deliveries no page. */
const POOL_SIZE = 6;
const STATEMENT_MS = 5_000;
const CONNECT_MS = 2_000;
const CLOCK_MS = 1_000;

/** Opens the intakes of one process. A connection is made when the first delivery comes. */
export function openIntakes(config: Config): Intakes {
  const { db, close } = openDb(config.databaseUrl, {
    poolSize: POOL_SIZE,
    connect_ms: CONNECT_MS,
    statement_ms: STATEMENT_MS,
    record: STATEMENT_RECORD,
  });
  let clock: { readAt: number; database: number } | null = null;
  const games = new Map<string, IntakeGame>();

  /** The time by the database clock: read once a second, and counted on from there by a monotonic clock. */
  async function findNow(): Promise<string> {
    if (clock === null || performance.now() - clock.readAt > CLOCK_MS)
      clock = { readAt: performance.now(), database: Date.parse(await findDatabaseNow(db)) };
    return new Date(clock.database + performance.now() - clock.readAt).toISOString();
  }

  /** The id of a game never changes, nor does the one at Invo once it is known: until then it is read for each delivery. */
  async function findStored(configured: GameConfig): Promise<IntakeGame> {
    const known = games.get(configured.slug);
    if (known !== undefined) return known;
    const game = await ensureGame(db, configured);
    if (game.invoGameId !== null || configured.gameId !== undefined) games.set(configured.slug, game);
    return game;
  }

  const background = openIntakeBackground({
    findGameId: async (slug) => {
      const configured = findGameConfig(config, slug);
      return configured === null ? null : (await findStored(configured)).gameId;
    },
    recordRefusals: (refusals) => recordRefusals(db, refusals),
    wake: (gameId) => wakeWorker(db, { queue: 'deliveries', gameId }),
  });

  return {
    find(slug) {
      const configured = findGameConfig(config, slug);
      if (configured === null) return null;
      const { webhookSecret: current, webhookSecretPrevious: previous, gameId: configuredId } = configured;
      return {
        secrets: current === undefined ? null : { current, previous },
        db,
        now: findNow,
        findGame: async () => {
          const stored = await findStored(configured);
          return { gameId: stored.gameId, pinnedId: configuredId ?? stored.invoGameId };
        },
        onRefused: (reason, body) => background.countRefusal(slug, reason, body),
        onStored: (gameId) => background.wakeSoon(gameId),
        onError: (error) => logEvent('web', 'webhook not stored', { game: slug, message: messageOf(error) }),
      };
    },
    close: async () => {
      await background.flush().catch(() => undefined);
      await close();
    },
  };
}

/** Work that an intake does after its answers, so that no request waits for it and a flood costs one statement a second. */
interface IntakeBackground {
  /** Counts a refused request. The digest of one of each kind is stored. */
  countRefusal(slug: string, reason: RefusalReason, body: Uint8Array | null): void;
  /** Wakes the worker for a game, soon and once for all deliveries until then. */
  wakeSoon(gameId: number): void;
  /** Does the pending work now. */
  flush(): Promise<void>;
}

/** Statements behind the answers; `findGameId` is null for a game that isn't stored. */
interface IntakeBackgroundPorts {
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
