import type { Db } from '#db/kit/open.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import { askWithin, connectInvo, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { takeActionCall } from '../games/shared-budget.ts';
import { InvoError } from '../invo/invo-error.ts';
import { beginGrant, type GrantPoll, pollGrant } from '../invo/routes/device-grant.ts';
import { actionLimit } from '../invo/routes/send-action.ts';
import { readApprovalStatus } from '../invo/routes/transfers.ts';
import { mintTokenOf } from '../players/act-as-player.ts';
import { readPlayer } from '../players/read-player.ts';
import type { Sender } from './action-wire.ts';
import { followStart } from './follow-start.ts';
import { openActionPorts } from './press-action.ts';
import { findSendFlow } from './reads/action-controls.ts';
import { findGrant, type Grant } from './reads/find-grant.ts';
import { callerOf } from './rules/action-facts.ts';
import type { ActionJob } from './rules/action-ports.ts';
import { ACTION_ACTS, auditSubjectOf } from './rules/audit-acts.ts';
import type { ActionKind } from './rules/kinds.ts';
import type { SeenGrant } from './rules/seen-grants.ts';
import { openDeviceCode, sealDeviceCode } from './seal-device-code.ts';
import { insertGrant, takeGuardianReading, takePoll, updateGrant } from './writes/grant-rows.ts';

/** What the screen of the requester shows, and nothing else: the player opens it with the phone. */
interface ShownCode {
  user_code: string;
  /** Where the code is typed. */
  verification_uri: string;
  /** The same with the code in it; null: Invo gave none. */
  verification_uri_complete: string | null;
  /** Seconds until the code is invalid. */
  expires_in: number;
}

export type AskResult =
  | { ok: true; grantId: number; shown: ShownCode }
  | {
      ok: false;
      reason:
        | 'not_allowed'
        | 'moved_on'
        | 'no_ticket'
        | 'no_identity'
        | 'guardian_pending'
        | 'guardian_declined'
        | 'approved_before'
        | 'token_refused'
        | 'unclear';
    }
  | { ok: false; reason: 'refused'; sentence: string; errorId: string | null }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

/** A process that holds the phone's grant, and the key that seals its code. */
export type Holder = Sender & { sealKey: Uint8Array };

/**
 * Requests the approval of a start from the phone of the house account or of the player, or of a receipt from the receiver's: mints a token, commits the grant, and begins it at Invo (document 3, Device grant). The codes go to
 * this one screen; the device code is stored sealed. An approval moves nothing. Beginning again replaces an earlier grant.
 */
export async function askPhone(context: GameContext, actor: Actor, actionId: number, holder: Holder): Promise<AskResult> {
  const { db, gameId } = context.game;
  const attempt = { actor, gameId, what: 'to ask a phone', subject: auditSubjectOf(actionId) };
  const ask = async (): Promise<AskResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const ports = openActionPorts(context, holder, actor);
    const job = await ports.store.find(actionId);
    const transactionId = transactionOf(job);
    const flow = await findFlow(db, gameId, job);
    if (job === null || transactionId === null || flow === null) return { ok: false, reason: 'moved_on' };
    // Codes that are read out to callers steal accounts: the ticket says which player requested it.
    if (job.content.ticket === null) return { ok: false, reason: 'no_ticket' };
    const guardian = await checkGuardian(context, job, transactionId);
    if (guardian !== null) {
      if (guardian === 'guardian_declined') await ports.store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null });
      return typeof guardian === 'string' ? { ok: false, reason: guardian } : { ok: false, reason: 'no_answer', error: guardian };
    }
    let token = await tokenOf(context, actor, job);
    if (typeof token !== 'string') return token;
    await takeActionCall(db, gameId, actionLimit('device_begin', null));
    const grant = await insertGrant(db, { gameId, actionId, actor, flow });
    if (typeof grant === 'string') return { ok: false, reason: grant };
    await holder.beforeSending();
    const invo = connectInvo(context.game, context.config, { caller: 'person' });
    let answer = await beginGrant(invo, { transactionId, flow, token });
    // No grant exists: one new token for each press.
    if (answer.state === 'token_refused') {
      const minted = await tokenOf(context, actor, job);
      if (typeof minted === 'string') {
        token = minted;
        answer = await beginGrant(invo, { transactionId, flow, token });
      }
    }
    if (answer.state !== 'started') {
      await updateGrant(db, gameId, grant, { state: 'expired' });
      return refusalOf(answer);
    }
    const { device_code, interval, expires_in, shown } = answer.grant;
    const sealedCode = sealDeviceCode(gameId, { ...grant, transactionId }, device_code, holder.sealKey);
    await updateGrant(db, gameId, grant, {
      state: 'waiting',
      sealedCode,
      interval_s: interval,
      nextPollIn_s: interval,
      expiresIn_s: expires_in,
    });
    TOKENS.set(keyOf(gameId, grant.grantId), token);
    return {
      ok: true,
      grantId: grant.grantId,
      shown: { ...shown, expires_in },
    };
  };
  return await auditRefusal(db, attempt, await ask());
}

/** Invo's word for what a phone approves, beside sends (document 3, Device grant). */
const FLOWS: Readonly<Partial<Record<ActionKind, string>>> = { transfer_start: 'transfer', receipt: 'transfer_receipt' };

/** Invo's word for what a phone approves; null: no phone approves it. */
async function findFlow(db: Db, gameId: number, job: ActionJob | null): Promise<string | null> {
  if (job === null) return null;
  const { kind } = job.content;
  return kind === 'send_start' ? await findSendFlow(db, gameId) : (FLOWS[kind] ?? null);
}

function transactionOf(job: ActionJob | null): string | null {
  // A receipt waits for its phone before its one call.
  const isReceipt = job?.content.kind === 'receipt' && job.state === 'approved';
  const transactionId = isReceipt
    ? job.content.facts.request['transaction_id']
    : job?.state === 'with_player'
      ? job.result?.['transaction_id']
      : null;
  return typeof transactionId === 'string' ? transactionId : null;
}

/** A factor counts only after a guardian agreed (document 3). Null: none is needed, or they agreed. */
async function checkGuardian(
  context: GameContext,
  { waitsFor }: ActionJob,
  transactionId: string,
): Promise<'guardian_pending' | 'guardian_declined' | InvoFailure | null> {
  if (waitsFor !== 'guardian') return null;
  try {
    const { value } = await askWithin(context, {}, (invo, signal) => readApprovalStatus(invo, transactionId, signal));
    if (value.state === 'approved') return null;
    return value.state === 'rejected' || value.state === 'expired' ? 'guardian_declined' : 'guardian_pending';
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    return toInvoFailure(error, { isUnstored: true });
  }
}

async function tokenOf(context: GameContext, actor: Actor, { content }: ActionJob): Promise<string | Extract<AskResult, { ok: false }>> {
  const owner = await readPlayer(context, callerOf(content.player_id, content.facts));
  if (owner.kind !== 'player') return { ok: false, reason: 'moved_on' };
  const minted = await mintTokenOf(context, owner, { actor, purpose: 'to ask the phone' });
  if (minted.ok) return minted.token;
  return minted.error === 'no_identity' ? { ok: false, reason: 'no_identity' } : { ok: false, reason: 'no_answer', error: minted.error };
}

function refusalOf(answer: Exclude<Awaited<ReturnType<typeof beginGrant>>, { state: 'started' }>): Extract<AskResult, { ok: false }> {
  if (answer.state === 'already_approved') return { ok: false, reason: 'approved_before' };
  if (answer.state !== 'refused') return { ok: false, reason: answer.state };
  const { codes, prose, errorId } = answer.refusal;
  return {
    ok: false,
    reason: 'refused',
    sentence: [codes[0], prose].filter((each) => each !== null && each !== undefined).join(': '),
    errorId,
  };
}

/** Tokens of open grants, by grant: a poll takes the very token that began it (document 3), and no token is stored. */
const TOKENS = new Map<string, string>();

/** New phones that ask to be set up, by grant, as the newest poll of this process showed them: they are stored nowhere. */
const ENROLMENTS = new Map<string, NonNullable<WatchedPhone['enrolment']>>();

function keyOf(gameId: number, grantId: number): string {
  return `${gameId} ${grantId}`;
}

/** What the phone has answered; null: nothing was requested of it. */
export interface WatchedPhone extends SeenGrant {
  expiresAt: string | null;
  /** The new phone that wants to be set up, for this screen alone; null: none does, or another process knows it. */
  enrolment: { device_label: string | null; match_code: string | null } | null;
}

/**
 * What the phone has answered, for the screen that waits for it. One process polls, never sooner than Invo allows: while a screen watches, the one that serves it when the next poll is due. A process that didn't begin the grant mints a token of its own.
 */
export async function watchPhone(context: GameContext, actor: Actor, actionId: number, holder: Holder): Promise<WatchedPhone | null> {
  const { db, gameId } = context.game;
  if (!may(actor.roles, 'actions.request')) return null;
  const grant = await findGrant(db, gameId, actionId);
  if (grant === null) {
    await lookAtGuardian(context, actor, actionId, holder);
    return null;
  }
  if (grant.state !== 'waiting' && grant.state !== 'enrolling') return shownOf(gameId, grant);
  const isOver = grant.expiresAt !== null && grant.now >= grant.expiresAt;
  if (isOver) await updateGrant(db, gameId, grant, { state: 'expired' });
  else if (await takePoll(db, gameId, grant)) await poll(context, actor, grant, holder);
  const after = await findGrant(db, gameId, actionId);
  if (after !== null && after.state !== 'waiting' && after.state !== 'enrolling') {
    TOKENS.delete(keyOf(gameId, grant.grantId));
    ENROLMENTS.delete(keyOf(gameId, grant.grantId));
  }
  return after === null ? null : shownOf(gameId, after);
}

/** Reads a guardian's answer while a person looks: one process, and not more often than Invo wants it. */
async function lookAtGuardian(context: GameContext, actor: Actor, actionId: number, holder: Holder): Promise<void> {
  const ports = openActionPorts(context, holder, actor);
  const job = await ports.store.find(actionId);
  if (job?.state !== 'with_player' || job.waitsFor !== 'guardian') return;
  if (!(await takeGuardianReading(context.game.db, job))) return;
  const taken = await ports.store.find(actionId);
  if (taken?.state === 'with_player') await followStart(ports, taken);
}

function shownOf(gameId: number, { state, expiresAt, grantId }: Grant): WatchedPhone {
  const enrolment = state === 'enrolling' ? (ENROLMENTS.get(keyOf(gameId, grantId)) ?? null) : null;
  return { grantId, state, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(), enrolment };
}

async function poll(context: GameContext, actor: Actor, grant: Grant, holder: Holder): Promise<void> {
  const { db, gameId } = context.game;
  const { grantId, actionId, transactionId, flow } = grant;
  const device_code = openDeviceCode(gameId, grant, holder.sealKey);
  const job = await openActionPorts(context, holder, actor).store.find(actionId);
  if (device_code === null || job === null) return void (await updateGrant(db, gameId, grant, { state: 'lost' }));
  const held = TOKENS.get(keyOf(gameId, grantId));
  const token = held ?? (await tokenOf(context, actor, job));
  const interval = grant.interval_s ?? 5;
  if (typeof token !== 'string') return void (await updateGrant(db, gameId, grant, { state: grant.state, nextPollIn_s: interval }));
  TOKENS.set(keyOf(gameId, grantId), token);
  await takeActionCall(db, gameId, actionLimit('device_poll', null));
  const invo = connectInvo(context.game, context.config, { caller: 'person' });
  const answer = await pollGrant(invo, { transactionId, flow, token, device_code, interval });
  if (answer.state === 'waiting' && answer.enrolment !== null) ENROLMENTS.set(keyOf(gameId, grantId), answer.enrolment);
  // It is over: the next poll mints one.
  if (answer.state === 'token_refused') TOKENS.delete(keyOf(gameId, grantId));
  await updateGrant(db, gameId, grant, changeOf(answer, { interval, isOwn: held !== undefined }));
}

function changeOf(answer: GrantPoll, { interval, isOwn }: { interval: number; isOwn: boolean }): Parameters<typeof updateGrant>[3] {
  switch (answer.state) {
    case 'approved':
      return { state: 'approved', approvedAt: answer.approved_at };
    case 'waiting':
      return { state: answer.enrolment === null ? 'waiting' : 'enrolling', interval_s: answer.interval, nextPollIn_s: answer.interval };
    case 'ended':
      // With another token than that which began it, Invo may not know the code: beginning again replaces it.
      if (answer.error === 'invalid_grant') return { state: isOwn ? 'expired' : 'lost' };
      return { state: answer.error === 'access_denied' ? 'declined' : 'expired' };
    case 'token_refused':
      return { state: 'waiting', nextPollIn_s: interval };
  }
}
