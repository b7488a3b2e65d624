import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import type { Holder } from './ask-phone.ts';
import { openHeldPhone } from './phone-owner.ts';
import { openActionPorts } from './press-action.ts';
import { pressStep, type StepResult } from './press-step.ts';
import { findGrant } from './reads/find-grant.ts';
import { listSteps } from './reads/open-actions.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import { mayTextOwner } from './rules/start-steps.ts';
import { openDeviceCode } from './seal-device-code.ts';

type AnswerResult = StepResult | { ok: false; reason: 'not_needed' | 'own_phone' };

interface StepOf {
  startId: number;
  draftId: string;
}

/**
 * Answers a new phone that wants to be set up. One of a player is denied whatever the person wants; one of a house account is approved, in production by two
 * people within the window of the code.
 */
export async function answerPhone(
  context: GameContext,
  actor: Actor,
  { startId, draftId, decision }: StepOf & { decision: 'approve' | 'deny' },
  holder: Holder,
): Promise<AnswerResult> {
  const { db, gameId } = context.game;
  const answer = async (): Promise<AnswerResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const start = await openActionPorts(context, holder, actor).store.find(startId);
    const grant = await findGrant(db, gameId, startId);
    const deviceCode = grant?.state === 'enrolling' ? openDeviceCode(gameId, grant, holder.sealKey) : null;
    if (start?.state !== 'with_player' || grant === null || deviceCode === null) return { ok: false, reason: 'moved_on' };
    const { kind: start_kind, facts } = start.content;
    const house = facts.request['house_player_id'];
    if (decision === 'approve' && typeof house !== 'number') return { ok: false, reason: 'own_phone' };
    const { transactionId, grantId: grant_id } = grant;
    const from = typeof house === 'number' ? { house_player_id: house } : {};
    const request = { start_id: startId, start_kind, transaction_id: transactionId, grant_id, ...from, decision };
    const needsApproval = decision === 'approve' && context.config.environment === 'production';
    const step = { kind: 'phone_enrolment', draftId, request, transactionId, deviceCode, needsApproval } as const;
    return await pressStep(context, actor, start, step, holder);
  };
  const attempt = { actor, gameId, what: 'to answer a new phone', subject: auditSubjectOf(startId) };
  return await auditRefusal(db, attempt, await answer());
}

/** Has Invo text the owner of the phone that a start is held for: only where Invo reported that it sent no text, and once. */
export async function textOwner(context: GameContext, actor: Actor, { startId, draftId }: StepOf, holder: Holder): Promise<AnswerResult> {
  const { db, gameId } = context.game;
  const text = async (): Promise<AnswerResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const start = await openActionPorts(context, holder, actor).store.find(startId);
    const held = start === null ? null : await openHeldPhone(context, start, holder.sealKey);
    if (start === null || held === null) return { ok: false, reason: 'moved_on' };
    if (!mayTextOwner(start.result, held, await listSteps(db, gameId, startId))) return { ok: false, reason: 'not_needed' };
    const request = { start_id: startId, start_kind: start.content.kind };
    const step = { kind: 'owner_text', draftId, request, transactionId: null, phone: held.phone } as const;
    return await pressStep(context, actor, start, step, holder);
  };
  const attempt = { actor, gameId, what: 'to text the owner of a phone', subject: auditSubjectOf(startId) };
  return await auditRefusal(db, attempt, await text());
}
