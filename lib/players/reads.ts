import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, readUnlessAway } from '#db/kit/open.ts';
import { type RefundSummary, reshapeSummaries, summariesOf } from '#lib/refunds/reads/refund-preconditions.ts';

/** A player as Invo last reported them; email and name are null when neither a read nor a report contained them. */
export interface StoredPlayer {
  playerId: number;
  email: string | null;
  name: string | null;
  identityId: string | null;
  /** A month's report lists them as a recipient. */
  isRecipient: boolean;
}

/** Players of one identity that a page leads to at most. */
const ELSEWHERE_MAX = 20;

/** A player with what else one statement found of them. */
interface StoredWithOthers<Beside> {
  stored: StoredPlayer;
  /** The players of the same identity in the other requested games, by game; null: a server of these games is away. */
  elsewhere: { gameId: number; playerId: number }[] | null;
  beside: Beside;
}

/**
 * Finds what is stored about a player, from a read or a month's report; null when nothing is. The email is not masked. `beside`: a value that the
 * same statement finds for the page.
 */
export async function findPlayerWithOthers<Beside>(
  db: Db,
  { gameId, playerId, otherGameIds }: { gameId: number; playerId: number; otherGameIds: readonly number[] },
  beside: RawBuilder<Beside>,
): Promise<StoredWithOthers<Beside> | null> {
  // Guarantee of the cast: the statement selects this very value.
  const found = await readUnlessAway(
    async () => await selectStored(db, { gameId, playerId, otherGameIds }, beside),
    async () => ({ ...(await selectStored(db, { gameId, playerId, otherGameIds: [] }, beside)), elsewhere: null }),
  );
  const stored = await findStored(db, { gameId, playerId }, found);
  return stored === null
    ? null
    : { stored, elsewhere: found.elsewhere === undefined ? [] : found.elsewhere, beside: found.beside as Beside };
}

/** What the row of a player says of them, and where it has no email an earlier report; null: nothing is stored. */
async function findStored(
  db: Db,
  { gameId, playerId }: { gameId: number; playerId: number },
  { known, newest, subscription }: Pick<Awaited<ReturnType<typeof selectStored>>, 'known' | 'newest' | 'subscription'>,
): Promise<StoredPlayer | null> {
  // Rare, and planning it beside the others would cost every search: the newest report has no email, and an earlier one has.
  const isEmailMissing = newest?.player_email === null && (known?.player_email ?? null) === null;
  const named = isEmailMissing
    ? ((await newestReported(db, gameId, playerId).where('player_email', 'is not', null).executeTakeFirst()) ?? newest)
    : newest;
  if (!known && !named && !subscription) return null;
  return {
    playerId,
    email: known?.player_email ?? named?.player_email ?? null,
    name: known?.player_name ?? named?.player_name ?? null,
    identityId: known?.identity_id ?? named?.identity_id ?? null,
    isRecipient: named !== null,
  };
}

/** Finds what is stored about a player, as `findPlayerWithOthers` does, without the other games. */
export async function findStoredPlayer(db: Db, gameId: number, playerId: number): Promise<StoredPlayer | null> {
  return await findStored(db, { gameId, playerId }, await selectStored(db, { gameId, playerId, otherGameIds: [] }, sql<null>`null`));
}

/** What the newest report says of a recipient; there may be hundreds of snapshots. */
function newestReported(db: Db, gameId: number, playerId: number) {
  return db
    .selectFrom('snapshot_recipient')
    .select(['player_email', 'player_name', 'identity_id'])
    .where('game_id', '=', gameId)
    .where('recipient_player_id', '=', playerId)
    .orderBy('snapshot_id', 'desc')
    .limit(1);
}

async function selectStored<Beside>(
  db: Db,
  { gameId, playerId, otherGameIds }: { gameId: number; playerId: number; otherGameIds: readonly number[] },
  beside: RawBuilder<Beside>,
) {
  const recipient = newestReported(db, gameId, playerId);
  const known = db
    .selectFrom('known_player')
    .select(['player_email', 'player_name', 'identity_id'])
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId);
  const subscription = db
    .selectFrom('known_subscription')
    .select('subscription_id')
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId)
    .limit(1);
  const identity = sql<
    string | null
  >`coalesce(${known.clearSelect().select('identity_id')}, ${recipient.clearSelect().select('identity_id')})`;
  const elsewhere = db
    .selectFrom('known_player')
    .select(['game_id as gameId', 'player_id as playerId'])
    .where('game_id', 'in', otherGameIds)
    .where(sql<boolean>`left(identity_id, 254) = left(${identity}, 254) and identity_id = ${identity}`)
    .orderBy('game_id')
    .orderBy('player_id')
    .limit(ELSEWHERE_MAX);
  return await db
    .selectNoFrom([
      jsonObjectFrom(known).as('known'),
      jsonObjectFrom(recipient).as('newest'),
      jsonObjectFrom(subscription).as('subscription'),
      beside.as('beside'),
    ])
    .$if(otherGameIds.length > 0, (query) => query.select(jsonArrayFrom(elsewhere).as('elsewhere')))
    .executeTakeFirstOrThrow();
}

// Stored subscriptions of one player that a page shows at most.
const KNOWN_SUBSCRIPTIONS_MAX = 200;

export interface PlayerSubscription {
  subscriptionId: string;
  itemName: string | null;
  /** Invo's status when last seen. */
  status: string | null;
  seenAt: string;
}

/** What Sharebook itself has stored of a player's subscriptions. */
export interface PlayerRecords {
  /** Last seen first; Invo may have more. */
  subscriptions: PlayerSubscription[];
  /** Refunds of these subscriptions, newest first, as `listOwnRefunds` has them. */
  refunds: RefundSummary[];
}

/** Lists a player's stored subscriptions with the refunds requested for them, in one statement. */
export async function listPlayerRecords(db: Db, gameId: number, playerId: number): Promise<PlayerRecords> {
  const known = db
    .selectFrom('known_subscription')
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId)
    .orderBy('known_subscription.seen_at', 'desc')
    .orderBy('subscription_id')
    .limit(KNOWN_SUBSCRIPTIONS_MAX);
  const ofTheirs = sql<boolean>`refund.subscription_id in ${known.select('subscription_id')}`;
  const { subscriptions, refunds } = await db
    .selectNoFrom([
      jsonArrayFrom(
        known
          .select(['subscription_id as subscriptionId', 'item_name as itemName', 'status'])
          .select(nestedInstant('known_subscription.seen_at').as('seenAt')),
      ).as('subscriptions'),
      jsonArrayFrom(summariesOf(db, gameId, ofTheirs)).as('refunds'),
    ])
    .executeTakeFirstOrThrow();
  return { subscriptions, refunds: reshapeSummaries(refunds) };
}

/** Lists the players of an identity in this game, by player id, at most 20; Invo reports an identity without its player. */
export async function listPlayersOfIdentity(
  db: Db,
  gameId: number,
  identityId: string,
): Promise<{ playerId: number; name: string | null }[]> {
  return await db
    .selectFrom('known_player')
    .select(['player_id as playerId', 'player_name as name'])
    .where('game_id', '=', gameId)
    .where(sql<boolean>`left(identity_id, 254) = left(${identityId}, 254) and identity_id = ${identityId}`)
    .orderBy('player_id')
    .limit(ELSEWHERE_MAX)
    .execute();
}

/** A player an email was ever reported for, by a read or by a month's report. */
export interface PlayerOfEmail {
  playerId: number;
  name: string | null;
  /** In its original case. */
  email: string | null;
  isRecipient: boolean;
}

/** Lists the players an email belongs or belonged to, case-insensitively, by player id. */
export async function listPlayersOfEmail(db: Db, gameId: number, email: string, limit: number): Promise<PlayerOfEmail[]> {
  const findKnown = db
    .selectFrom('known_player')
    .where('game_id', '=', gameId)
    .where(isOf(email))
    .orderBy('player_id')
    .limit(limit)
    .select(['player_id as playerId', 'player_name as name', 'player_email as email', sql<boolean>`false`.as('isRecipient')]);
  const [known, recipients] = await Promise.all([findKnown.execute(), listRecipients(db, gameId, email, limit)]);
  const byId = new Map([...recipients, ...known].map((player) => [player.playerId, player]));
  for (const { playerId, name } of recipients) {
    const player = byId.get(playerId);
    if (player) byId.set(playerId, { ...player, name: player.name ?? name, isRecipient: true });
  }
  return [...byId.values()].toSorted((a, b) => a.playerId - b.playerId).slice(0, limit);
}

/** A recipient is in hundreds of snapshots, so the newest of each is read by itself instead of all of them. */
async function listRecipients(db: Db, gameId: number, email: string, limit: number): Promise<PlayerOfEmail[]> {
  const found: PlayerOfEmail[] = [];
  while (found.length < limit) {
    const next = await db
      .selectFrom('snapshot_recipient')
      .where('game_id', '=', gameId)
      .where(isOf(email))
      .where('recipient_player_id', '>', found.at(-1)?.playerId ?? 0)
      .orderBy('recipient_player_id')
      .orderBy('snapshot_id', 'desc')
      .limit(1)
      .select(['recipient_player_id as playerId', 'player_name as name', 'player_email as email'])
      .executeTakeFirst();
    if (!next) break;
    found.push({ ...next, isRecipient: true });
  }
  return found;
}

/** The index has the start of an email; a longer text that begins like it is another one. */
function isOf(email: string) {
  return sql<boolean>`left(lower(player_email), 254) = left(lower(${email}), 254) and lower(player_email) = lower(${email})`;
}

/** A player that a person looked up. */
export interface LookUp {
  playerId: number;
  /** null: not reported. */
  name: string | null;
  email: string | null;
  lookedAt: string;
}

/** Players that a person's own first page lists; earlier ones are forgotten. */
export const LOOK_UPS_MAX = 10;

/** Lists the players that a person looked up last in a game, newest first. */
export async function listLookUps(db: Db, gameId: number, personId: string): Promise<LookUp[]> {
  return await db
    .selectFrom('look_up')
    .leftJoin('known_player', (join) =>
      join.on('known_player.game_id', '=', gameId).onRef('known_player.player_id', '=', 'look_up.player_id'),
    )
    .select(['look_up.player_id as playerId', 'player_name as name', 'player_email as email', 'looked_at as lookedAt'])
    .where('look_up.game_id', '=', gameId)
    .where('person_id', '=', personId)
    .orderBy('looked_at', 'desc')
    .limit(LOOK_UPS_MAX)
    .execute();
}
