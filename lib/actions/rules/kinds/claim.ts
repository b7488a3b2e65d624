import * as z from 'zod';
import { classifyByCode, classifyForAll } from '../answers.ts';
import { COLLECT, type Collected, collectRequest, pickCollected, waitingOf } from '../collections.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';

/** The transfer and the currency of its receiver, as they were read; the code is entered at the press and stored nowhere. */
const request = z.object({ ...collectRequest, target_currency_id: z.number().int() });

/** Codes that say that nothing was collected (document 3, Phone-share approval). */
const CODES = { PHONE_SHARE_APPROVAL_REQUIRED: 'refused' } as const satisfies Record<string, AnswerClass>;

/** Collects a transfer into this game with the code that its sender was shown. */
export const claim: Protocol<z.infer<typeof request>, Collected, 'never'> = {
  ...COLLECT,
  kind: 'claim',
  family: 'claim',
  isForRequester: true,
  enters: 'claim_code',
  request,
  subjectOf: ({ transaction_id }) => `collect ${transaction_id}`,
  decidingOf: (facts) => ({
    player_id: facts.wallet?.player_id ?? null,
    currencies: facts.wallet?.balances.map(({ currency_id, currency_name }) => ({ currency_id, currency_name })) ?? null,
    transfer: waitingOf(facts),
  }),
  write: ({ target_currency_id }, { entered: claim_code }) => JSON.stringify({ claim_code, target_currency_id }),
  pick: pickCollected,
  classify: (observed, { transaction_id }) => {
    const { codes, answer } = observed;
    const forAll = classifyForAll(observed, 'claim');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    if (answer.transaction_id !== null && answer.transaction_id !== transaction_id) return 'contradiction';
    return observed.status === 409 ? (classifyByCode(codes, 'claim', CODES) ?? 'open') : 'open';
  },
};
