'use server';

import { encode } from 'uqr';
import { z } from 'zod';
import { formAction, idShape, openPage, slugShape } from '#app/_server/form-action.ts';
import { webSender } from '#app/_server/sender.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { answerPhone, textOwner } from '#lib/actions/answer-phone.ts';
import { askPhone, watchPhone } from '#lib/actions/ask-phone.ts';
import { ASK_REFUSALS, MOVE_REFUSALS, REQUEST_REFUSALS, STEP_REFUSALS } from '#lib/actions/control-text.ts';
import { moveCoins } from '#lib/actions/move-coins.ts';
import { watchOwner } from '#lib/actions/phone-owner.ts';
import { listDestinationsOf } from '#lib/actions/read-start-facts.ts';
import type { SeenGrant, SeenPhone } from '#lib/actions/rules/seen-grants.ts';
import { BLOCKER_TEXT } from '#lib/actions/text.ts';
import { formatSendRefusal, type PressState } from './request-state.ts';

const worked = { who: 'actions.request', game: true } as const;
const about = z.object({ game: slugShape, actionId: idShape });

const destinationsOf = z
  .tuple([slugShape, z.int().positive(), z.string().max(60), z.enum(['send_start', 'transfer_start'])])
  .transform(([game, playerId, phone, kind]) => ({ game, playerId, phone, kind }));

/** Lists the games that coins can go to, for the forms that send or transfer them. Nothing of it is stored. */
export const listDestinationsAction = formAction(
  { ...worked, schema: destinationsOf, refreshes: 'never' },
  async ({
    form,
    actor,
    context,
  }): Promise<{ kind: 'games'; games: { id: string; label: string }[] } | { kind: 'refused'; sentence: string }> => {
    const listed = await listDestinationsOf(context, actor, form);
    if (listed.ok) return { kind: 'games', games: listed.games };
    return { kind: 'refused', sentence: listed.reason === 'no_answer' ? listed.error.sentence : BLOCKER_TEXT[listed.reason] };
  },
);

/** What the screen of the requester shows, and no other. */
type Asked = {
  kind: 'asked';
  grantId: number;
  userCode: string;
  /** The page to type it at, as a person types an address. */
  page: string;
  /** How long it can be used. */
  minutes: number;
  /** Rows of dark modules; null: the address is too long for a code. */
  qr: boolean[][] | null;
};

/** Above this an address makes a code that phones hardly read. */
const QR_BYTES_MAX = 213;

/** Requests the approval of the sender’s phone. The page isn't drawn again, so the codes stay in this result alone. */
export const askPhoneAction = formAction(
  { ...worked, schema: about },
  async ({ form, actor, context }): Promise<FormResult<never, Asked>> => {
    const answer = await askPhone(context, actor, form.actionId, webSender());
    if (!answer.ok) {
      if (answer.reason === 'no_answer') return { kind: 'failed', sentence: answer.error.sentence, errorId: answer.error.errorId };
      if (answer.reason === 'refused')
        return { kind: 'failed', sentence: `Invo refused to ask the phone: ${answer.sentence}`, errorId: answer.errorId };
      return { kind: 'refused', sentence: ASK_REFUSALS[answer.reason] };
    }
    const { user_code: userCode, verification_uri, verification_uri_complete, expires_in } = answer.shown;
    const scanned = verification_uri_complete ?? verification_uri;
    const qr = Buffer.byteLength(scanned) <= QR_BYTES_MAX ? encode(scanned, { ecc: 'M', border: 4 }).data : null;
    const { host, pathname, search } = new URL(verification_uri);
    const page = `${host}${pathname.replace(/\/$/, '')}${search}`;
    return { kind: 'asked', grantId: answer.grantId, userCode, page, minutes: Math.max(1, Math.floor(expires_in / 60)), qr };
  },
);

const watched = z.tuple([slugShape, z.int().positive()]).transform(([game, actionId]) => ({ game, actionId }));

/** What the phone has answered by now. */
export const watchPhoneAction = formAction(
  { ...worked, schema: watched, refreshes: 'never' },
  async ({ form, actor, context }): Promise<{ grant: SeenGrant | null; newPhone: SeenPhone | null }> => {
    const phone = await watchPhone(context, actor, form.actionId, webSender());
    const { device_label: label = null, match_code: matchCode = null } = phone?.enrolment ?? {};
    const grant = phone === null ? null : { grantId: phone.grantId, state: phone.state };
    return { grant, newPhone: phone?.enrolment ? { label, matchCode } : null };
  },
);

/** Whether the owner of a shared phone agreed by now. */
export const watchOwnerAction = formAction(
  { ...worked, schema: watched, refreshes: 'never' },
  async ({ form, actor, context }): Promise<{ hasAgreed: boolean | null }> => ({
    hasAgreed: await watchOwner(context, actor, form.actionId, webSender().sealKey),
  }),
);

const drafted = about.extend({ draftId: z.uuid() });

/** Answers a new phone that wants to be set up. */
export const answerPhoneAction = formAction(
  { ...worked, schema: drafted.extend({ decision: z.enum(['approve', 'deny']) }) },
  async ({ form, actor, context }): Promise<FormResult> => {
    const { actionId: startId, draftId, decision } = form;
    const answer = await answerPhone(context, actor, { startId, draftId, decision }, webSender());
    return answer.ok && answer.sent === null
      ? { kind: 'done', sentence: 'Requested. A second person must approve it while the code is valid.' }
      : stepResultOf(answer, 'Answered. The phone shows it.');
  },
);

/** Has Invo text the owner of the phone that a start is held for. */
export const textOwnerAction = formAction({ ...worked, schema: drafted }, async ({ form, actor, context }): Promise<FormResult> => {
  const answer = await textOwner(context, actor, { startId: form.actionId, draftId: form.draftId }, webSender());
  return stepResultOf(answer, 'Invo texts the owner.');
});

function stepResultOf(answer: Awaited<ReturnType<typeof answerPhone>>, sentence: string): FormResult {
  if (answer.ok)
    return answer.sent?.state === 'refused'
      ? { kind: 'refused', sentence: 'Invo refused it. The page of the step shows its answer.' }
      : { kind: 'done', sentence };
  switch (answer.reason) {
    case 'not_sent':
      return formatSendRefusal(answer.sent);
    case 'moved_on':
      return { kind: 'refused', sentence: ASK_REFUSALS.moved_on };
    case 'own_phone':
    case 'not_needed':
    case 'another_open':
      return { kind: 'refused', sentence: STEP_REFUSALS[answer.reason] };
    case 'not_allowed':
    case 'paused':
    case 'switched_off':
    case 'unconfirmed':
    case 'too_new':
      return { kind: 'refused', sentence: REQUEST_REFUSALS[answer.reason] };
  }
}

/** Moves the coins of a start whose phone approved. What the answer passes is the result; without it the page of the approval opens. */
export const moveCoinsAction = formAction({ ...worked, schema: drafted }, async ({ form, actor, game, context }): Promise<PressState> => {
  const answer = await moveCoins(context, actor, { startId: form.actionId, draftId: form.draftId }, webSender());
  if (answer.ok && answer.passes !== null) return { kind: 'passed', actionId: answer.actionId, passed: answer.passes };
  if (answer.ok) openPage(`/${game.slug}/actions/${answer.actionId}`);
  if (answer.reason === 'not_sent') return formatSendRefusal(answer.sent);
  if (answer.reason === 'moved_on') return { kind: 'refused', sentence: ASK_REFUSALS.moved_on };
  if (answer.reason === 'not_approved' || answer.reason === 'another_open')
    return { kind: 'refused', sentence: MOVE_REFUSALS[answer.reason] };
  return { kind: 'refused', sentence: REQUEST_REFUSALS[answer.reason] };
});
