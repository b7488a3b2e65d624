import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { dayLeftOf, overLimitOf } from '../approvals/rules/approval.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { type Actor, may } from '../core/roles.ts';
import { isClientSecret, isPrivate, isPrivateReference, parseTypedText, REASON_LENGTH_MAX } from '../core/typed-input.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import { digestContent } from './action-digest.ts';
import { type ActionTarget, digestShown, readActionFacts } from './read-action-facts.ts';
import { isMilestoneAdded } from './reads/action-controls.ts';
import { findDraft } from './reads/find-action.ts';
import { findAlike } from './reads/find-alike.ts';
import { findPersonLimits } from './reads/person-limits.ts';
import { findSenderLimit } from './reads/sender-counts.ts';
import type { ActionBlocker, ActionFacts } from './rules/action-facts.ts';
import type { ActionContent } from './rules/action-ports.ts';
import type { ReasonCode } from './rules/action-state.ts';
import { type AnyProtocol, limitedBy, parseEntries, protocolOf } from './rules/protocols.ts';
import { parsePhone } from './rules/typed-entries.ts';
import { partsOf } from './send-approved.ts';
import { insertAction, type NotStored } from './writes/action-requests.ts';

/** What a person sends with the form. */
export interface ActionForm {
  target: ActionTarget;
  draftId: string;
  /** What the kind's request has beside what is read; `link` is set here. */
  typed: Readonly<Record<string, string>>;
  /** What the kind has people enter at each press; it isn't stored. */
  entered?: string;
  /** Digest of what the form showed: see `digestShown`. */
  shown: string;
  reasonCode: ReasonCode;
  reasonText: string;
  ticket: string;
  /** An earlier action of the player requested the same, and they want it again. */
  isAlikeConfirmed: boolean;
  /** Opens the phone of a house account; left out: the kind needs none. */
  sealKey?: Uint8Array;
}

export type RequestResult =
  | { ok: true; actionId: number; isNew: boolean }
  | {
      ok: false;
      reason:
        | NotStored
        | 'reason_too_long'
        | 'ticket_missing'
        | 'ticket_too_long'
        | 'private_text'
        | 'private_ticket'
        | 'changed'
        | 'not_a_request';
    }
  | { ok: false; reason: 'alike'; actionId: number }
  | { ok: false; reason: 'blocked'; blocker: ActionBlocker }
  /** `made_before`: the form made this action of something else. */
  | { ok: false; reason: 'another_open' | 'made_before'; actionId: number }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

const ATTEMPT = { what: 'to request a desk action', subject: 'desk actions' };
const TICKET_LENGTH_MAX = 100;

/**
 * Requests a desk action: reads what it depends on again, compares it with what the form showed, and stores the request with its digests. Sends
 * nothing. Right, limits, switch and pause are decided by the stored values at that moment. A form that is sent twice is one action.
 */
export async function requestAction(
  context: GameContext,
  actor: Actor,
  form: ActionForm,
  read: typeof readActionFacts = readActionFacts,
): Promise<RequestResult> {
  const { game, config } = context;
  const attempt = { ...ATTEMPT, actor, gameId: game.gameId };
  if (!may(actor.roles, 'actions.request')) return await auditRefusal(game.db, attempt, { ok: false, reason: 'not_allowed' });
  const earlier = await findDraft(game.db, game.gameId, form.draftId);
  if (earlier !== null) {
    const { actionId } = earlier;
    return isSameRequest(form, earlier.facts) ? { ok: true, actionId, isNew: false } : { ok: false, reason: 'made_before', actionId };
  }
  const typed = parseWords(form, config.environment);
  if ('reason' in typed) return { ok: false, ...typed };
  const facts = await read(context, form.target, { actor, ...(form.sealKey === undefined ? {} : { sealKey: form.sealKey }) });
  if (facts.kind === 'blocked') return { ok: false, reason: 'blocked', blocker: facts.blocker };
  if (facts.kind === 'no_answer') return { ok: false, reason: 'no_answer', error: facts.error };
  const protocol = protocolOf(form.target.kind);
  const request = Object.values(form.typed).some(isClientSecret)
    ? null
    : protocol.parseRequest({ ...form.typed, link: form.draftId, ...requestOf(form.target, facts.facts) });
  const typedPhone = 'phone' in form.target ? (form.target.phone ?? '') : '';
  const entries = request === null ? undefined : parseEntries(protocol.kind, request, { typed: form.entered ?? '', typedPhone });
  if (request === null || entries === undefined) return { ok: false, reason: 'not_a_request' };
  const amount = protocol.amountOf(request);
  const over = await findOverLimit(context, actor, { kind: protocol.kind, amount });
  const dayLeft = over?.dayLeft ?? null;
  const whole: ActionFacts = { ...facts.facts, ...(dayLeft === null ? {} : { day_limit_left: dayLeft }), request };
  if (digestShown(facts.facts, protocol.decidingOf) !== form.shown) return { ok: false, reason: 'changed' };
  const blocker = await findRequestBlocker(context, protocol, { playerId: facts.playerId, facts: whole });
  if (blocker !== null) return { ok: false, reason: 'blocked', blocker };
  const alike = await findAlike(game.db, {
    gameId: game.gameId,
    playerId: facts.playerId,
    request,
    kind: protocol.kind,
    draftId: form.draftId,
  });
  if (alike !== null && !form.isAlikeConfirmed) return { ok: false, reason: 'alike', actionId: alike };
  const reference = referenceOf(protocol.key, config.environment);
  const body = Buffer.from(protocol.writeDigested(request, { ...partsOf(facts), ...entries, reference, email: facts.email }), 'utf8');
  const content: ActionContent = {
    kind: protocol.kind,
    player_id: facts.playerId,
    order_id: facts.facts.order?.order_id ?? null,
    reference,
    amount,
    facts: whole,
    request_digest: sha256Of(body),
    reason_code: form.reasonCode,
    ...typed,
  };
  const stored = await insertAction(game.db, game.gameId, {
    content,
    contentDigest: digestContent(content),
    requestBytes: protocol.repeats === 'worker' ? body : null,
    draftId: form.draftId,
    actor,
    isPolicyEnough: over === null,
  });
  if (typeof stored === 'string') return await auditRefusal(game.db, attempt, { ok: false, reason: stored });
  return 'openId' in stored ? { ok: false, reason: 'another_open', actionId: stored.openId } : { ok: true, ...stored };
}

/** Whether a form requests what it requested before: it was sent twice, or the browser went back to it and something else was typed. */
function isSameRequest({ target, typed, draftId }: ActionForm, { request: before, ...facts }: ActionFacts): boolean {
  const request = protocolOf(target.kind).parseRequest({ ...typed, link: draftId, ...requestOf(target, facts) });
  return request !== null && isDeepStrictEqual(JSON.parse(JSON.stringify(request)), before);
}

// What a request has of its target, or of what was read.
function requestOf(target: ActionTarget, { order, vault, status, wallet, claim_fields }: Omit<ActionFacts, 'request'>): object {
  if ('housePlayerId' in target) {
    const { housePlayerId, gameId, phone } = target;
    return { house_player_id: housePlayerId, receiving_game_id: gameId, receiver_phone_end: phone?.trim().slice(-2) };
  }
  if ('startId' in target) return { target_game_id: target.gameId, player_phone_end: target.phone?.trim().slice(-2) };
  if (vault !== undefined) return { vault_entry_id: vault.vault_entry_id, reward_ref: vault.reward_ref };
  if (status !== undefined) {
    const takesPhone = claim_fields?.includes('player_phone') === true && 'phone' in target;
    return {
      transaction_id: status.transaction_id,
      target_currency_id: Number(wallet?.balances[0]?.currency_id ?? Number.NaN),
      ...(claim_fields === undefined ? {} : { player_fields: claim_fields }),
      ...(takesPhone ? { player_phone_end: parsePhone(target.phone ?? '')?.slice(-2) } : {}),
    };
  }
  return order === null ? {} : { order_id: order.order_id, payment_intent_id: order.payment_intent_id };
}

/** Why exactly this can't be requested: what was read prevents it, a limit of its sender, or the name isn't one that an admin added. */
async function findRequestBlocker(
  { game }: GameContext,
  protocol: AnyProtocol,
  { playerId, facts }: { playerId: number; facts: ActionFacts },
): Promise<ActionBlocker | null> {
  if (protocol.kind === 'milestone' && !(await isMilestoneAdded(game.db, game.gameId, facts.request))) return 'milestone_not_added';
  const requested = { kind: protocol.kind, player_id: playerId, facts, amount: protocol.amountOf(facts.request) };
  return protocol.blockerOf(facts.request, facts) ?? (await findSenderLimit(game.db, game.gameId, requested, null))?.blocker ?? null;
}

/** The idempotency key of a request; it names Sharebook and the environment where the route takes any text. */
function referenceOf(key: AnyProtocol['key'], environment: string): string | null {
  if (key === null) return null;
  return key === 'uuid' ? randomUUID() : `sharebook-${environment}-${randomUUID()}`;
}

type Words = { reason_text: string | null; ticket: string | null };

function parseWords(
  { reasonText, ticket: typedTicket }: ActionForm,
  environment: string,
): Words | { reason: 'reason_too_long' | 'ticket_missing' | 'ticket_too_long' | 'private_text' | 'private_ticket' } {
  const reason = parseTypedText(reasonText, REASON_LENGTH_MAX);
  const ticket = parseTypedText(typedTicket, TICKET_LENGTH_MAX);
  if (reason === 'too_long') return { reason: 'reason_too_long' };
  if (ticket === 'too_long') return { reason: 'ticket_too_long' };
  if (ticket.text === null && environment === 'production') return { reason: 'ticket_missing' };
  if (isPrivate(reason.text ?? '')) return { reason: 'private_text' };
  if (isPrivateReference(ticket.text ?? '')) return { reason: 'private_ticket' };
  return { reason_text: reason.text, ticket: ticket.text };
}

/** Why it needs a second person; null: it doesn't. `dayLeft`: what 24 hours leave, where that alone is why. */
async function findOverLimit(
  { game, config }: GameContext,
  actor: Actor,
  { kind, amount }: Pick<ActionContent, 'kind' | 'amount'>,
): Promise<{ dayLeft: string | null } | null> {
  const what = limitedBy(kind);
  if (config.environment === 'sandbox') return null;
  if (protocolOf(kind).needsSecondPerson) return { dayLeft: null };
  if (amount === null || what === null) return null;
  const limits = await findPersonLimits(game.db, { gameId: game.gameId, personId: actor.id, what });
  const over = overLimitOf(what, actor.roles, { one: amount, day: amount }, limits);
  return over === null ? null : { dayLeft: over === 'day' ? dayLeftOf(what, actor.roles, limits) : null };
}
