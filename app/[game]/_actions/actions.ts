'use server';

import { z } from 'zod';
import { digestShape, formAction, idShape, openPage, ordinalShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { webSender } from '#app/_server/sender.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { approveAction, declineAction } from '#lib/actions/approve-action.ts';
import { DECISION_REFUSALS } from '#lib/actions/control-text.ts';
import { confirmOutcome, discardOutcome, recordOutcome, rereadAction } from '#lib/actions/decide-outcome.ts';
import { pressAction } from '#lib/actions/press-action.ts';
import { requestAction } from '#lib/actions/request-action.ts';
import { REASON_CODES, type ReasonCode } from '#lib/actions/rules/action-state.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import { parsePhone, utcOf } from '#lib/actions/rules/typed-entries.ts';
import { parseRecordId, parseTypedAmount } from '#lib/core/typed-input.ts';
import { type ActionFormState, formatRequestRefusal, formatSendRefusal, type PressState, SENT_TEXT } from './request-state.ts';

const note = z.string().max(5_000).default('');
/** What is entered at each press: it goes to Invo and nowhere else. */
const entered = z.string().max(300).default('');
/** A phone that is entered twice beside it. */
const phoneTwice = { phone: entered, phoneAgain: entered };
const gameIdShape = z.string().regex(/^[1-9]\d{0,15}$/);
const recordIdShape = z.string().refine((text) => parseRecordId(text) !== null);
const shared = {
  game: slugShape,
  draftId: z.uuid(),
  shown: digestShape,
  reason: z.custom<ReasonCode>((text) => REASON_CODES.some((code) => code === text)),
  description: note,
  ticket: z.string().max(300).default(''),
  confirmedAlike: z.string().max(10).optional(),
};
const request = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('payment_link'), playerId: idShape, amount: z.string().max(60) }),
  z.object({ ...shared, kind: z.literal('card_confirm'), playerId: idShape, setUp: z.string().max(300) }),
  z.object({
    ...shared,
    kind: z.literal('item_sale'),
    playerId: idShape,
    itemName: z.string().max(300),
    itemId: z.string().max(300),
    quantity: z.string().max(60),
    unitPrice: z.string().max(60),
  }),
  z.object({
    ...shared,
    kind: z.enum(['milestone', 'client_event']),
    playerId: idShape,
    milestone: z.string().max(300),
    value: z.string().max(300).default(''),
    occurredAt: z.string().max(40),
  }),
  z.object({
    ...shared,
    kind: z.literal('send_start'),
    playerId: idShape,
    house: idShape,
    gameId: gameIdShape,
    amount: z.string().max(60),
    entered,
  }),
  z.object({ ...shared, kind: z.literal('transfer_start'), playerId: idShape, gameId: gameIdShape, amount: z.string().max(60), entered }),
  z.object({ ...shared, kind: z.literal('redeem'), playerId: idShape, vaultEntryId: z.uuid() }),
  z.object({
    ...shared,
    kind: z.literal('purchase'),
    playerId: idShape,
    amount: z.string().max(60),
    saveCard: z.string().max(10).optional(),
    entered,
  }),
  z.object({ ...shared, kind: z.literal('card_setup'), playerId: idShape, entered }),
  z.object({ ...shared, kind: z.literal('rewards_page'), playerId: idShape }),
  z.object({ ...shared, kind: z.literal('claim'), transactionId: recordIdShape, entered, ...phoneTwice }),
  z.object({ ...shared, kind: z.literal('receipt'), transactionId: recordIdShape }),
  z.object({ ...shared, kind: z.literal('payment_confirm'), orderId: recordIdShape }),
]);
type RequestForm = z.output<typeof request>;

const worked = { who: 'actions.request', game: true } as const;

/**
 * Requests a desk action as the form says. Without a second person it is sent at once; what the answer passes is the result, and everything else leads to
 * the page of the action.
 */
export const requestActionAction = formAction(
  { ...worked, schema: request, refreshes: 'never' },
  async ({ form, actor, game, context }): Promise<ActionFormState> => {
    const { draftId, shown, reason, description, ticket, confirmedAlike } = form;
    const answer = await requestAction(context, actor, {
      draftId,
      shown,
      ...entriesOf(form),
      reasonCode: reason,
      reasonText: description,
      ticket,
      isAlikeConfirmed: confirmedAlike === 'yes',
      entered: enteredIn(form),
      sealKey: webSender().sealKey,
    });
    if (!answer.ok) return formatRequestRefusal(answer, form.kind);
    const { actionId } = answer;
    // A form sent again finds its action; only its page sends that one. What the worker repeats, the worker sends.
    const isPressed = answer.isNew && protocolOf(form.kind).repeats !== 'worker';
    const sent = isPressed ? await pressAction(context, actor, actionId, webSender(), enteredIn(form), phoneIn(form)) : null;
    if (sent?.ok === true && sent.passes !== null) return { kind: 'passed', actionId, passed: sent.passes };
    openPage(`/${game.slug}/actions/${actionId}`);
  },
);

function entriesOf(form: RequestForm): Pick<Parameters<typeof requestAction>[2], 'target' | 'typed'> {
  switch (form.kind) {
    case 'payment_link': {
      return { target: { kind: form.kind, playerId: form.playerId }, typed: { usd_amount: wholeCents(form.amount) } };
    }
    case 'card_confirm':
      return { target: { kind: form.kind, playerId: form.playerId }, typed: { setup_intent_id: form.setUp.trim() } };
    case 'item_sale': {
      const { itemName, itemId, quantity, unitPrice } = form;
      const typed = {
        item_name: itemName.trim(),
        item_id: itemId.trim(),
        item_quantity: quantity.trim(),
        unit_price: wholeCents(unitPrice),
      };
      return { target: { kind: form.kind, playerId: form.playerId }, typed };
    }
    case 'milestone':
    case 'client_event': {
      const [event_type = '', ...name] = form.milestone.split(' ');
      const value = form.value.trim();
      const typed = { event_type, name: name.join(' '), occurred_at: utcOf(form.occurredAt), ...(value === '' ? {} : { value }) };
      return { target: { kind: form.kind, playerId: form.playerId }, typed };
    }
    case 'send_start': {
      const { kind, playerId, house, gameId, entered: phone } = form;
      return { target: { kind, playerId, housePlayerId: house, gameId, phone, startId: null }, typed: { amount: wholeCents(form.amount) } };
    }
    case 'transfer_start': {
      const { kind, playerId, gameId, entered: phone } = form;
      return { target: { kind, playerId, gameId, phone, startId: null }, typed: { amount: wholeCents(form.amount) } };
    }
    case 'redeem':
      return { target: { kind: form.kind, playerId: form.playerId, vaultEntryId: form.vaultEntryId }, typed: {} };
    case 'purchase': {
      const typed = { usd_amount: wholeCents(form.amount), save_card: form.saveCard === undefined ? 'false' : 'true' };
      return { target: { kind: form.kind, playerId: form.playerId }, typed };
    }
    case 'card_setup':
    case 'rewards_page':
      return { target: { kind: form.kind, playerId: form.playerId }, typed: {} };
    case 'claim':
      return { target: { kind: form.kind, transactionId: form.transactionId, phone: phoneIn(form) }, typed: {} };
    case 'receipt':
      return { target: { kind: form.kind, transactionId: form.transactionId, actionId: null }, typed: {} };
    case 'payment_confirm':
      return { target: { kind: form.kind, orderId: form.orderId }, typed: {} };
  }
}

function enteredIn(form: RequestForm): string {
  return 'entered' in form ? form.entered : '';
}

/** The phone that was entered twice, however each is grouped; empty: none, or two different ones. */
function phoneIn(form: object): string {
  const { phone = '', phoneAgain = '' }: { phone?: string; phoneAgain?: string } = form;
  return parsePhone(phone) === parsePhone(phoneAgain) ? phone : '';
}

/** An amount with two decimals; what isn't one is left for the kind to refuse. */
function wholeCents(text: string): string {
  const amount = parseTypedAmount(text, { known_usd: '0.00' });
  return 'amount_usd' in amount ? amount.amount_usd : text;
}

const about = z.object({ game: slugShape, actionId: idShape });
const pressed = about.extend({ entered, ...phoneTwice });
const bound = about.extend({ contentDigest: digestShape });
const reasoned = about.extend({ why: note });
const recorded = about.extend({ decision: z.enum(['done', 'not_done']), why: note });
const numbered = about.extend({ decisionNo: ordinalShape });

/** Sends an approved action, or the same bytes again. */
export const pressActionAction = formAction({ ...worked, schema: pressed }, async ({ form, actor, context }): Promise<PressState> => {
  const sent = await pressAction(context, actor, form.actionId, webSender(), form.entered, phoneIn(form));
  if (!sent.ok) return formatSendRefusal(sent);
  if (sent.passes !== null) return { kind: 'passed', actionId: form.actionId, passed: sent.passes };
  return { kind: 'done', sentence: SENT_TEXT[sent.state] ?? 'The state of the action says what happened.' };
});

/** Approves exactly the content the page showed. */
export const approveActionAction = formAction(
  { schema: bound, who: 'actions.approve', game: true, password: freshPassword },
  async ({ form, actor, context }): Promise<FormResult> => {
    const answer = await approveAction(context, actor, form);
    if (!answer.ok && answer.reason === 'no_answer')
      return { kind: 'failed', sentence: answer.error.sentence, errorId: answer.error.errorId };
    return resultOf(answer, 'Approved. The page shows who sends it.', DECISION_REFUSALS);
  },
);

/** Rejects an action, or withdraws the person's own. */
export const declineActionAction = formAction({ ...worked, schema: reasoned }, async ({ form, actor, game }) =>
  resultOf(await declineAction(game, actor, form.actionId, form.why), 'This action won’t be sent.', DECISION_REFUSALS),
);

/** Records the outcome of an action that needs attention. */
export const recordActionOutcomeAction = formAction({ ...worked, schema: recorded }, async ({ form, actor, game }) => {
  const { actionId, decision, why } = form;
  return resultOf(await recordOutcome(game, actor, { actionId, decision, text: why }), 'Outcome recorded.', DECISION_REFUSALS);
});

/** The second person confirms the outcome. */
export const confirmActionOutcomeAction = formAction(
  { schema: numbered, who: 'actions.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => resultOf(await confirmOutcome(game, actor, form), 'Outcome confirmed.', DECISION_REFUSALS),
);

/** Discards a recorded outcome. */
export const discardActionOutcomeAction = formAction({ ...worked, schema: numbered }, async ({ form, actor, game }) =>
  resultOf(await discardOutcome(game, actor, form), 'The recorded outcome was discarded.', DECISION_REFUSALS),
);

/** Reads what the action is about for those who decide. */
export const rereadActionAction = formAction({ ...worked, schema: about }, async ({ form, actor, context }): Promise<FormResult> => {
  const answer = await rereadAction(context, actor, form.actionId);
  if (!answer.ok && answer.reason === 'no_answer')
    return {
      kind: 'failed',
      sentence: answer.error?.sentence ?? 'The stored email now belongs to another player.',
      errorId: answer.error?.errorId ?? null,
    };
  return resultOf(answer, 'Read. The page shows the result.', DECISION_REFUSALS);
});
