import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import { seal } from '../core/sealed-bytes.ts';
import { parseTypedNote } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findStoredPlayer } from '../players/reads.ts';
import type { HOUSE_REFUSALS } from './control-text.ts';
import { parsePhone } from './rules/typed-entries.ts';
import { confirmHouseAccount as confirmInStore, insertHouseAccount, recordRemoval } from './writes/house-account-rows.ts';

const LABEL_LENGTH_MAX = 100;

type Reason = keyof typeof HOUSE_REFUSALS;
type HouseResult = { ok: true; isConfirmed: boolean } | { ok: false; reason: Reason };

/** What an admin types: the number twice, because coins go wherever its owner approves. */
export interface TypedHouseAccount {
  playerId: number;
  label: string;
  phone: string;
  phoneAgain: string;
}

/**
 * An admin adds a player account of the studio whose phone a named colleague holds. In production a second person confirms it before anybody sends from it.
 */
export async function addHouseAccount(game: OpenGame, actor: Actor, typed: TypedHouseAccount, key: Uint8Array): Promise<HouseResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to add a house account', subject: `player ${typed.playerId}` };
  const add = async (): Promise<HouseResult> => {
    if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
    const label = parseTypedNote(typed.label, LABEL_LENGTH_MAX);
    if (!label.ok) return { ok: false, reason: 'not_a_label' };
    const phone = parsePhone(typed.phone);
    if (phone === null) return { ok: false, reason: 'not_a_phone' };
    if (parsePhone(typed.phoneAgain) !== phone) return { ok: false, reason: 'phones_differ' };
    const { gameId } = game;
    const player = await findStoredPlayer(game.db, gameId, typed.playerId);
    if (player === null || player.email === null) return { ok: false, reason: 'unknown_player' };
    const account = {
      gameId,
      playerId: typed.playerId,
      label: label.text,
      sealedPhone: seal(Buffer.from(phone), phoneSeal(gameId, typed.playerId), key),
      phoneEnd: phone.slice(-2),
      isAlone: game.environment === 'sandbox',
    };
    if (await insertHouseAccount(game.db, { ...account, actor })) return { ok: true, isConfirmed: account.isAlone };
    return { ok: false, reason: (await findAccountRefusal(game.db, actor.id, 'people.manage')) ?? 'there_already' };
  };
  return await auditRefusal(game.db, attempt, await add());
}

/** What the sealed phone of a house account is bound to. */
export function phoneSeal(gameId: number, playerId: number): Parameters<typeof seal>[1] {
  return { purpose: 'sharebook house account', bound: [gameId, playerId] };
}

/** A house account as a person saw it. */
interface ShownHouseAccount {
  houseAccountId: number;
  /** ID of the admin who requested it. */
  requestedBy: string;
}

/** A second person confirms a house account. */
export async function confirmHouseAccount(game: OpenGame, actor: Actor, shown: ShownHouseAccount): Promise<HouseResult> {
  const attempt = { actor, gameId: game.gameId, what: 'confirmation of a house account', subject: 'desk actions' };
  const confirm = async (): Promise<HouseResult> => {
    if (shown.requestedBy === actor.id) return { ok: false, reason: 'same_person' };
    const findRefusal = () => findApproverRefusal(game.db, actor.id, { right: 'actions.approve', preparerId: shown.requestedBy });
    const refusal = await findRefusal();
    if (refusal !== null) return { ok: false, reason: refusal };
    if (await confirmInStore(game.db, { gameId: game.gameId, actor, ...shown })) return { ok: true, isConfirmed: true };
    return { ok: false, reason: (await findRefusal()) ?? 'moved_on' };
  };
  return await auditRefusal(game.db, attempt, await confirm());
}

/** Removes a house account, or rejects one that waits: an admin at once, or a person who may approve. Its sealed phone is gone with it. */
export async function removeHouseAccount(
  game: OpenGame,
  actor: Actor,
  { houseAccountId }: Pick<ShownHouseAccount, 'houseAccountId'>,
): Promise<HouseResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to remove a house account', subject: 'desk actions' };
  const remove = async (): Promise<HouseResult> => {
    if (!may(actor.roles, 'people.manage') && !may(actor.roles, 'actions.approve')) return { ok: false, reason: 'not_allowed' };
    const isRemoved = await recordRemoval(game.db, { gameId: game.gameId, actor, houseAccountId });
    return isRemoved ? { ok: true, isConfirmed: false } : { ok: false, reason: 'moved_on' };
  };
  return await auditRefusal(game.db, attempt, await remove());
}
