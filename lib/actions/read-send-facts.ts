import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import { unseal } from '../core/sealed-bytes.ts';
import { askWithin, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError } from '../invo/invo-error.ts';
import { readDestinations } from '../invo/routes/phone-reads.ts';
import { mintTokenOf } from '../players/act-as-player.ts';
import { type KnownPlayer, readPlayer } from '../players/read-player.ts';
import { type FactsReader, walletReadingOf } from './facts-reader.ts';
import { phoneSeal } from './house-accounts.ts';
import { isOnNow } from './reads/action-controls.ts';
import { findGrant } from './reads/find-grant.ts';
import { countStartsWithinHour, findHousePhone } from './reads/list-house-accounts.ts';
import type { ActionBlocker, ActionFacts } from './rules/action-facts.ts';
import { parsePhone } from './rules/phone.ts';
import type { Sending } from './rules/protocol.ts';
import { openDeviceCode } from './seal-device-code.ts';

/** Invo takes 25 sends of one player an hour (document 3, Limits). */
const STARTS_PER_HOUR = 24;

/** What a send is about beside its receiver. */
export interface SendTarget {
  kind: 'send_start' | 'send_approve';
  /** Who receives. */
  playerId: number;
  /** The house account; null: not chosen yet. */
  housePlayerId: number | null;
  /** Invo's ID of the game that the coins go to; null: not chosen yet. */
  gameId: string | null;
  /** The receiver's number, while it is typed; null: it was checked before and isn't stored. */
  phone: string | null;
  /** Of an approval: the start; null: it is a start. */
  startId: number | null;
}

type SendFacts = Pick<ActionFacts, 'sender' | 'destination'> & { sending?: Sending; token: string | null; deviceCode?: string };
type SendRead = ({ kind: 'send' } & SendFacts) | { kind: 'blocked'; blocker: ActionBlocker } | { kind: 'no_answer'; error: InvoFailure };

/** Reads what a send depends on beside its receiver: the house account and its wallet, the game that the coins go to, and for an approval the phone's grant. */
export async function readSendFacts(
  context: GameContext,
  target: SendTarget,
  receiver: KnownPlayer,
  reader: FactsReader,
): Promise<SendRead> {
  const { db, gameId } = context.game;
  const { housePlayerId } = target;
  if (ownGameId(context) === null) return { kind: 'blocked', blocker: 'game_not_pinned' };
  if (housePlayerId === null) return { kind: 'send', token: null };
  const sealed = await findHousePhone(db, gameId, housePlayerId);
  if (sealed === null || housePlayerId === target.playerId) return { kind: 'blocked', blocker: 'no_house_account' };
  const isStart = target.kind === 'send_start';
  if (isStart && reader.isPress !== true && (await countStartsWithinHour(db, gameId, housePlayerId)) >= STARTS_PER_HOUR)
    return { kind: 'blocked', blocker: 'too_many_sends' };
  const house = await readPlayer(context, housePlayerId, reader);
  if (house.kind !== 'player') return { kind: 'blocked', blocker: 'no_house_account' };
  if (house.unconfirmed !== null) return { kind: 'no_answer', error: house.unconfirmed };
  if (house.balances.kind !== 'live')
    return house.balances.kind === 'not_found'
      ? { kind: 'blocked', blocker: 'no_house_account' }
      : { kind: 'no_answer', error: house.balances.error };
  const destination = await readDestination(context, target, receiver.subject.email);
  if (destination !== null && 'kind' in destination) return destination;
  const phone = reader.sealKey === undefined ? null : unseal(sealed, phoneSeal(gameId, housePlayerId), reader.sealKey);
  if (reader.sealKey !== undefined && phone === null) return { kind: 'blocked', blocker: 'house_phone_unreadable' };
  const name = house.balances.value.player.player_name ?? `Player ${housePlayerId}`;
  const facts: SendFacts = {
    sender: walletReadingOf(house.balances.value),
    ...(destination === null ? {} : { destination }),
    ...(phone === null ? {} : { sending: { name, email: house.subject.email, phone: phone.toString('utf8') } }),
    token: null,
  };
  return isStart || reader.isPress !== true ? { kind: 'send', ...facts } : await withGrant(context, target, { house, facts, reader });
}

/** Adds what an approval is sent with: a token of the house account, minted for this press, and the code that its phone approved. */
async function withGrant(
  context: GameContext,
  { startId }: SendTarget,
  { house, facts, reader }: { house: KnownPlayer; facts: SendFacts; reader: FactsReader },
): Promise<SendRead> {
  const { db, gameId } = context.game;
  const grant = startId === null ? null : await findGrant(db, gameId, startId);
  const deviceCode = grant?.state === 'approved' && reader.sealKey !== undefined ? openDeviceCode(gameId, grant, reader.sealKey) : null;
  if (deviceCode === null || reader.actor === undefined) return { kind: 'blocked', blocker: 'not_approved_on_phone' };
  const minted = await mintTokenOf(context, house, { actor: reader.actor, purpose: 'to send a desk action' }, reader);
  if (!minted.ok)
    return minted.error === 'no_identity' ? { kind: 'blocked', blocker: 'no_identity' } : { kind: 'no_answer', error: minted.error };
  return { kind: 'send', ...facts, token: minted.token, deviceCode };
}

/** Invo's own ID of a game; null: not known yet. */
function ownGameId({ game, config }: GameContext): string | null {
  return config.gameId ?? game.invoGameId;
}

type Destination = NonNullable<ActionFacts['destination']>;

async function readDestination(
  context: GameContext,
  { gameId, phone }: SendTarget,
  email: string,
): Promise<Destination | Exclude<SendRead, { kind: 'send' }> | null> {
  if (gameId === null) return null;
  // The number isn't stored: what was read with it when the send was requested stays.
  if (phone === null) return { game_id: gameId, game_name: null, currency_name: null };
  const number = parsePhone(phone);
  if (number === null) return { kind: 'blocked', blocker: 'no_destination' };
  const read = await listDestinations(context, { email, phone: number });
  if ('error' in read) return { kind: 'no_answer', error: read.error };
  return read.destinations.find(({ game_id }) => game_id === gameId) ?? { kind: 'blocked', blocker: 'no_destination' };
}

/** Lists the games that coins can go to for an email and a number together, the own game first. Nothing of it is stored. */
async function listDestinations(
  context: GameContext,
  contact: { email: string; phone: string },
): Promise<{ destinations: Destination[] } | { error: InvoFailure }> {
  try {
    const read = await askWithin(context, {}, (invo, signal) => readDestinations(invo, contact, signal));
    const own = ownGameId(context);
    const found = read.destinations.map(({ game_id, game_name, default_currency }) => ({
      game_id,
      game_name,
      currency_name: default_currency?.currency_name ?? null,
    }));
    return { destinations: found.toSorted((one, other) => Number(other.game_id === own) - Number(one.game_id === own)) };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    return { error: toInvoFailure(error, { isUnstored: true }) };
  }
}

type Listed =
  | { ok: true; games: { id: string; label: string }[] }
  | { ok: false; reason: ActionBlocker }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

/** Lists the games in which the receiver plays, by their email and number together, for a person who may send. It names a person's other games, so nothing of it is stored. */
export async function listDestinationsOf(
  context: GameContext,
  actor: Actor,
  { playerId, phone: typed }: { playerId: number; phone: string },
): Promise<Listed> {
  const { db, gameId } = context.game;
  const isAllowed = may(actor.roles, 'actions.request') && (await isOnNow(db, gameId, 'sends'));
  const attempt = { actor, gameId, what: 'to look up games of a player', subject: `player ${playerId}` };
  if (!isAllowed) return await auditRefusal(db, attempt, { ok: false, reason: 'no_destination' });
  const phone = parsePhone(typed);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player') return { ok: false, reason: player.kind === 'unknown' ? 'unknown_player' : player.kind };
  if (phone === null) return { ok: false, reason: 'no_destination' };
  const listed = await listDestinations(context, { email: player.subject.email, phone });
  if ('error' in listed) return { ok: false, reason: 'no_answer', error: listed.error };
  const games = listed.destinations.map(({ game_id: id, game_name, currency_name }) => ({
    id,
    label: `${game_name ?? `Game ${id}`}${currency_name === null ? '' : `, ${currency_name}`}`,
  }));
  return games.length === 0 ? { ok: false, reason: 'no_destination' } : { ok: true, games };
}
