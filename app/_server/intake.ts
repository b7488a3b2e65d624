import 'server-only';
import { ensureGame } from '#db/games/writes.ts';
import { findDatabaseNow } from '#db/kit/open.ts';
import { recordRefusals, wakeDeliveries } from '#db/webhooks/writes/record-delivery.ts';
import { findGameConfig, type GameConfig } from '#lib/config.ts';
import { logEvent } from '#lib/operate/log.ts';
import { type AfterAnswer, openAfterAnswer } from '#lib/webhooks/after-answer.ts';
import type { Intake } from '#lib/webhooks/receive-delivery.ts';
import { config, intakes } from './wiring.ts';

type StoredGame = Awaited<ReturnType<typeof ensureGame>>;

const KEPT_MS = 5_000;
const CLOCK_MS = 1_000;
let clock: { readAt: number; database: number } | null = null;
const games = new Map<string, { game: StoredGame; until: number }>();
// One per process, as the pools are.
const kept = globalThis as typeof globalThis & { sharebookAfterAnswer?: AfterAnswer };

/** The intake of a configured game, over connections of its own; null: no such game. */
export function openIntake(slug: string): Intake | null {
  const configured = findGameConfig(config(), slug);
  if (configured === null) return null;
  const { webhookSecret: current, webhookSecretPrevious: previous, gameId: configuredId } = configured;
  return {
    secrets: current === undefined ? null : { current, previous },
    pool: intakes().pool,
    now: findNow,
    findGame: async () => {
      const stored = await findStored(configured);
      return { gameId: stored.gameId, pinnedId: configuredId ?? stored.invoGameId };
    },
    onRefused: (reason, body) => afterAnswer().countRefusal(slug, reason, body),
    onStored: (gameId) => afterAnswer().wakeSoon(gameId),
    onError: (error) =>
      logEvent('web', 'webhook not stored', { game: slug, message: error instanceof Error ? error.message : String(error) }),
  };
}

/** The time by the database clock: asked once a second, and counted on from there by a clock that nobody sets. */
async function findNow(): Promise<string> {
  if (clock === null || performance.now() - clock.readAt > CLOCK_MS)
    clock = { readAt: performance.now(), database: Date.parse(await findDatabaseNow(intakes().db)) };
  return new Date(clock.database + performance.now() - clock.readAt).toISOString();
}

/** Ids of games never change; which id at Invo is pinned is asked again after moments. */
async function findStored(configured: GameConfig): Promise<StoredGame> {
  const known = games.get(configured.slug);
  if (known !== undefined && known.until > performance.now()) return known.game;
  const game = await ensureGame(intakes().db, configured);
  games.set(configured.slug, { game, until: performance.now() + KEPT_MS });
  return game;
}

function afterAnswer(): AfterAnswer {
  return (kept.sharebookAfterAnswer ??= openAfterAnswer({
    findGameId: async (slug) => {
      const configured = findGameConfig(config(), slug);
      return configured === null ? null : (await findStored(configured)).gameId;
    },
    recordRefusals: (refusals) => recordRefusals(intakes().pool, refusals),
    wake: (gameId) => wakeDeliveries(intakes().pool, gameId),
  }));
}
