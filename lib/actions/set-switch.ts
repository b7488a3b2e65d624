import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { RolesRefusal } from '../people/text.ts';
import type { SEND_FLOW_REFUSALS, SWITCH_REFUSALS, SWITCH_RESULTS } from './control-text.ts';
import type { SwitchedGroup } from './rules/kinds.ts';
import { recordOff, recordOnAlone, recordOnApproval, recordOnDeclined, recordOnRequest, recordSendFlow } from './writes/switches.ts';

type SwitchResult = { ok: true; is: keyof typeof SWITCH_RESULTS } | { ok: false; reason: keyof typeof SWITCH_REFUSALS };

/**
 * Turns a group of desk actions off at once, or on: in a sandbox game at once, in production when a second person confirms it.
 */
export async function setSwitch(
  game: OpenGame,
  actor: Actor,
  { group, to }: { group: SwitchedGroup; to: 'on' | 'off' },
): Promise<SwitchResult> {
  const attempt = { actor, gameId: game.gameId, what: `to turn ${to} desk actions`, subject: 'desk actions' };
  return await auditRefusal(game.db, attempt, await set(game, actor, { group, to }));
}

async function set(game: OpenGame, actor: Actor, { group, to }: { group: SwitchedGroup; to: 'on' | 'off' }): Promise<SwitchResult> {
  if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const change = { gameId: game.gameId, actor, group };
  if (to === 'off') return (await recordOff(game.db, change)) ? { ok: true, is: 'off' } : { ok: false, reason: 'no_change' };
  if (game.environment === 'sandbox')
    return (await recordOnAlone(game.db, change)) ? { ok: true, is: 'on' } : { ok: false, reason: 'no_change' };
  if (await recordOnRequest(game.db, change)) return { ok: true, is: 'waits' };
  return { ok: false, reason: (await findAccountRefusal(game.db, actor.id, 'people.manage')) ?? 'no_change' };
}

/** An admin sets Invo's word for a send that a phone approves. It moves nothing: with a wrong word Invo refuses to ask. */
export async function setSendFlow(
  game: OpenGame,
  actor: Actor,
  typed: string,
): Promise<{ ok: true } | { ok: false; reason: keyof typeof SEND_FLOW_REFUSALS }> {
  if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const word = typed.trim();
  if (!/^[a-z_]{1,40}$/.test(word)) return { ok: false, reason: 'not_a_word' };
  const isSet = await recordSendFlow(game.db, { gameId: game.gameId, actor, word });
  return isSet ? { ok: true } : { ok: false, reason: 'no_change' };
}

/** A request to turn on a group, as a person saw it. */
interface SwitchRequest {
  group: SwitchedGroup;
  /** ID of the admin who requested it. */
  requestedBy: string;
}

type SwitchDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/** A second person confirms the request of an admin to turn on a group. */
export async function confirmSwitch(game: OpenGame, actor: Actor, request: SwitchRequest): Promise<SwitchDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'confirmation to turn on desk actions', subject: 'desk actions' };
  return await auditRefusal(game.db, attempt, await confirm(game, actor, request));
}

async function confirm(game: OpenGame, actor: Actor, request: SwitchRequest): Promise<SwitchDecided> {
  if (request.requestedBy === actor.id) return { ok: false, reason: 'same_person' };
  const findRefusal = () => findApproverRefusal(game.db, actor.id, { right: 'actions.approve', preparerId: request.requestedBy });
  const refusal = await findRefusal();
  if (refusal !== null) return { ok: false, reason: refusal };
  if (await recordOnApproval(game.db, { gameId: game.gameId, actor, ...request })) return { ok: true };
  return { ok: false, reason: (await findRefusal()) ?? 'moved_on' };
}

/** Ends a request to turn on a group: its admin withdraws it, or someone who may approve and whose account counts rejects it. */
export async function declineSwitch(game: OpenGame, actor: Actor, request: SwitchRequest): Promise<SwitchDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'rejection to turn on desk actions', subject: 'desk actions' };
  return await auditRefusal(game.db, attempt, await decline(game, actor, request));
}

async function decline(game: OpenGame, actor: Actor, request: SwitchRequest): Promise<SwitchDecided> {
  if (!may(actor.roles, 'actions.approve') && !may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  if (await recordOnDeclined(game.db, { gameId: game.gameId, actor, ...request })) return { ok: true };
  const isOther = request.requestedBy !== actor.id;
  return { ok: false, reason: (isOther ? await findAccountRefusal(game.db, actor.id, 'actions.approve') : null) ?? 'moved_on' };
}
