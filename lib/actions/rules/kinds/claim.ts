import * as z from 'zod';
import { classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { COLLECTION_SETTLED_MS, onceStep, readNow } from '../settling-times.ts';

/** The transfer and the currency of its receiver, as they were read; the code is entered at the press and stored nowhere. */
const request = z.object({ transaction_id: z.string(), target_currency_id: z.number().int() });

type Collected = { status: string | null; transaction_id: string | null; amount_received: string | null };

/** Codes that say that nothing was collected (document 3, Phone-share approval). */
const CODES = { PHONE_SHARE_APPROVAL_REQUIRED: 'refused' } as const satisfies Record<string, AnswerClass>;

/**
 * Collects a transfer into this game with the code that its sender was shown. The route takes no key and its refusals aren't documented (document 3,
 * Endpoints), so it is sent once, and after any answer the transfer's status decides.
 */
export const claim: Protocol<z.infer<typeof request>, Collected, 'never'> = {
  kind: 'claim',
  group: 'transfers',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  family: 'claim',
  keepsBody: false,
  isForRequester: true,
  enters: 'claim_code',
  decidedBy: 2,
  reading: 'status',
  movesCoins: true,
  unit: null,
  request,
  subjectOf: ({ transaction_id }) => `claim ${transaction_id}`,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet, status }) => ({
    player_id: wallet?.player_id ?? null,
    currencies: wallet?.balances.map(({ currency_id, currency_name }) => ({ currency_id, currency_name })) ?? null,
    transfer: status ? { transaction_id: status.transaction_id, transaction_status: status.transaction_status } : null,
  }),
  write: ({ target_currency_id }, { entered: claim_code }) => JSON.stringify({ claim_code, target_currency_id }),
  pick: ({ status, transaction_id, amount_received }) => ({
    answer: { status: textOf(status), transaction_id: idOf(transaction_id), amount_received: textOf(amount_received) },
    passes: null,
  }),
  classify: (observed, { transaction_id }) => {
    const { codes, answer } = observed;
    const forAll = classifyForAll(observed, 'claim');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    if (answer.transaction_id !== null && answer.transaction_id !== transaction_id) return 'contradiction';
    return observed.status === 409 ? (classifyByCode(codes, 'claim', CODES) ?? 'open') : 'open';
  },
  // Even an answer that says so is no proof: the documents show none.
  next: (answer, status) => (answer === 'done' || answer === 'replayed' ? readNow(status) : onceStep(answer, readNow(status))),
  judge: (reading, { now, lastSentAt }) => {
    if (reading.kind !== 'status') return 'open';
    if (reading.verification_state === 'completed') return 'done';
    if (reading.verification_state === 'expired' || reading.verification_state === 'failed') return 'not_done';
    return reading.transaction_status === 'pending_claim' && now - lastSentAt >= COLLECTION_SETTLED_MS ? 'not_done' : 'open';
  },
};
