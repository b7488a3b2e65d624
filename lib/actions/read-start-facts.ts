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
import { findHousePhone } from './reads/list-house-accounts.ts';
import type { ActionBlocker, ActionFacts } from './rules/action-facts.ts';
import type { GrantState } from './rules/action-state.ts';
import type { ActionKind } from './rules/kinds.ts';
import type { Sending } from './rules/protocol.ts';
import { parsePhone } from './rules/typed-entries.ts';
import { openDeviceCode } from './seal-device-code.ts';

/** What a start or an approval is about beside its player: the receiver of a send, the owner of the coins of a transfer. */
export type StartTarget = {
  playerId: number;
  /** Invo's ID of the game that the coins go to; null: not chosen yet. */
  gameId: string | null;
  /** The player's number, while it is typed; null: it was checked before and isn't stored. */
  phone: string | null;
  /** Of an approval: the start; null: it is a start. */
  startId: number | null;
} & (
  | { kind: 'transfer_start' | 'transfer_approve' | 'phone_enrolment' }
  | {
      kind: 'send_start' | 'send_approve' | 'phone_enrolment';
      /** The house account; null: not chosen yet. */
      housePlayerId: number | null;
    }
);

type StartFacts = Pick<ActionFacts, 'sender' | 'destination'> & { sending?: Sending; token: string | null; deviceCode?: string };
type StartRead = ({ kind: 'start' } & StartFacts) | { kind: 'blocked'; blocker: ActionBlocker } | { kind: 'no_answer'; error: InvoFailure };
type NoStart = Exclude<StartRead, { kind: 'start' }>;

/** Reads what a start depends on beside its player: who sends, the game that the coins go to, and for an approval the phone's grant. */
export async function readStartFacts(
  context: GameContext,
  target: StartTarget,
  player: KnownPlayer,
  reader: FactsReader,
): Promise<StartRead> {
  if (ownGameId(context) === null) return { kind: 'blocked', blocker: 'game_not_pinned' };
  const from = 'housePlayerId' in target ? await readHouse(context, target, reader) : ownerOf(player);
  if (from === null) return { kind: 'start', token: null };
  if ('kind' in from) return from;
  const destination = await readDestination(context, target, player.subject.email);
  if (destination !== null && 'kind' in destination) return destination;
  const facts: StartFacts = {
    ...(from.wallet === null ? {} : { sender: from.wallet }),
    ...(destination === null ? {} : { destination }),
    ...(from.sending === null ? {} : { sending: from.sending }),
    token: null,
  };
  if (target.startId === null || reader.isPress !== true) return { kind: 'start', ...facts };
  const state = target.kind === 'phone_enrolment' ? 'enrolling' : 'approved';
  const granted = await readGrant(context, from.player, { actionId: target.startId, state, reader });
  return 'kind' in granted ? granted : { kind: 'start', ...facts, ...granted };
}

/** Who sends coins. `wallet`: null where it is the player's, which is read anyway; `sending`: null while no phone can be opened. */
interface From {
  player: KnownPlayer;
  wallet: NonNullable<ActionFacts['sender']> | null;
  sending: Sending | null;
}

function ownerOf(player: KnownPlayer): From {
  return { player, wallet: null, sending: { name: nameOf(player), email: player.subject.email, phone: null } };
}

function nameOf({ subject, balances }: KnownPlayer): string {
  return (balances.kind === 'live' ? balances.value.player.player_name : null) ?? `Player ${subject.playerId}`;
}

async function readHouse(
  context: GameContext,
  { playerId, housePlayerId }: Extract<StartTarget, { housePlayerId: unknown }>,
  reader: FactsReader,
): Promise<From | NoStart | null> {
  const { db, gameId } = context.game;
  if (housePlayerId === null) return null;
  if (housePlayerId === playerId) return { kind: 'blocked', blocker: 'house_receives' };
  const sealed = await findHousePhone(db, gameId, housePlayerId);
  if (sealed === null) return { kind: 'blocked', blocker: 'no_house_account' };
  const house = await readPlayer(context, housePlayerId, reader);
  if (house.kind !== 'player') return { kind: 'blocked', blocker: 'no_house_account' };
  if (house.unconfirmed !== null) return { kind: 'no_answer', error: house.unconfirmed };
  if (house.balances.kind === 'not_found') return { kind: 'blocked', blocker: 'no_house_account' };
  if (house.balances.kind !== 'live') return { kind: 'no_answer', error: house.balances.error };
  const phone = reader.sealKey === undefined ? null : unseal(sealed, phoneSeal(gameId, housePlayerId), reader.sealKey);
  if (reader.sealKey !== undefined && phone === null) return { kind: 'blocked', blocker: 'house_phone_unreadable' };
  const sending = phone === null ? null : { name: nameOf(house), email: house.subject.email, phone: phone.toString('utf8') };
  return { player: house, wallet: walletReadingOf(house.balances.value), sending };
}

/** What an approval, a receipt or the answer to a new phone is sent with: a token of the player, minted for this press, and the code of the grant. */
export async function readGrant(
  context: GameContext,
  player: KnownPlayer,
  { actionId, state, reader }: { actionId: number; state: GrantState; reader: FactsReader },
): Promise<{ token: string; deviceCode: string } | NoStart> {
  const { db, gameId } = context.game;
  const grant = await findGrant(db, gameId, actionId);
  const deviceCode = grant?.state === state && reader.sealKey !== undefined ? openDeviceCode(gameId, grant, reader.sealKey) : null;
  if (deviceCode === null || reader.actor === undefined) return { kind: 'blocked', blocker: 'not_approved_on_phone' };
  const minted = await mintTokenOf(context, player, { actor: reader.actor, purpose: 'to send a desk action' }, reader);
  if (minted.ok) return { token: minted.token, deviceCode };
  return minted.error === 'no_identity' ? { kind: 'blocked', blocker: 'no_identity' } : { kind: 'no_answer', error: minted.error };
}

/** Invo's own ID of a game; null: not known yet. */
function ownGameId({ game, config }: GameContext): string | null {
  return config.gameId ?? game.invoGameId;
}

type Destination = NonNullable<ActionFacts['destination']>;

async function readDestination(
  context: GameContext,
  { kind, gameId, phone }: StartTarget,
  email: string,
): Promise<Destination | NoStart | null> {
  if (gameId === null) return null;
  // The number isn't stored: what was read with it when the send was requested stays.
  if (phone === null) return { game_id: gameId, game_name: null, currency_name: null };
  const number = parsePhone(phone);
  if (number === null) return { kind: 'blocked', blocker: 'no_destination' };
  const read = await listDestinations(context, { email, phone: number }, isFromPlayer(kind));
  if ('error' in read) return { kind: 'no_answer', error: read.error };
  return read.destinations.find(({ game_id }) => game_id === gameId) ?? { kind: 'blocked', blocker: 'no_destination' };
}

/** Whether the player's own coins move: not within their game (document 3, Rules). */
function isFromPlayer(kind: ActionKind): boolean {
  return kind === 'transfer_start' || kind === 'transfer_approve';
}

/** Lists the games that coins can go to for an email and a number together, the own game first, or left out. Nothing of it is stored. */
async function listDestinations(
  context: GameContext,
  contact: { email: string; phone: string },
  isElsewhere: boolean,
): Promise<{ destinations: Destination[] } | { error: InvoFailure }> {
  try {
    const read = await askWithin(context, {}, (invo, signal) => readDestinations(invo, contact, signal));
    const own = ownGameId(context);
    const found = read.destinations.map(({ game_id, game_name, default_currency }) => ({
      game_id,
      game_name,
      currency_name: default_currency?.currency_name ?? null,
    }));
    const possible = found.filter(({ game_id }) => !isElsewhere || game_id !== own);
    return { destinations: possible.toSorted((one, other) => Number(other.game_id === own) - Number(one.game_id === own)) };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    return { error: toInvoFailure(error, { isUnstored: true }) };
  }
}

type Listed =
  | { ok: true; games: { id: string; label: string }[] }
  | { ok: false; reason: ActionBlocker }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

/** Lists the games in which a player plays, by their email and number together, for a person who may send or transfer coins. It names a person's other games, so nothing of it is stored. */
export async function listDestinationsOf(
  context: GameContext,
  actor: Actor,
  { kind, playerId, phone: typed }: { kind: 'send_start' | 'transfer_start'; playerId: number; phone: string },
): Promise<Listed> {
  const { db, gameId } = context.game;
  const isAllowed = may(actor.roles, 'actions.request') && (await isOnNow(db, gameId, kind === 'send_start' ? 'sends' : 'transfers'));
  const attempt = { actor, gameId, what: 'to look up games of a player', subject: `player ${playerId}` };
  if (!isAllowed) return await auditRefusal(db, attempt, { ok: false, reason: 'no_destination' });
  const phone = parsePhone(typed);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player') return { ok: false, reason: player.kind === 'unknown' ? 'unknown_player' : player.kind };
  if (phone === null) return { ok: false, reason: 'no_destination' };
  const listed = await listDestinations(context, { email: player.subject.email, phone }, isFromPlayer(kind));
  if ('error' in listed) return { ok: false, reason: 'no_answer', error: listed.error };
  const games = listed.destinations.map(({ game_id: id, game_name, currency_name }) => ({
    id,
    label: `${game_name ?? `Game ${id}`}${currency_name === null ? '' : `, ${currency_name}`}`,
  }));
  return games.length === 0 ? { ok: false, reason: 'no_destination' } : { ok: true, games };
}
