import * as z from 'zod';
import { classifyByCode, classifyForAll } from '../answers.ts';
import { COLLECT, type Collected, collectRequest, pickCollected, waitingOf } from '../collections.ts';
import type { AnswerClass, Fields, Protocol } from '../protocol.ts';

/** The transfer and the currency of its receiver, as they were read; the code is entered at the press and stored nowhere. */
const request = z.object({ ...collectRequest, target_currency_id: z.number().int() });

type Claimed = Collected & { named_fields: string | null };

const NAMED_MAX = 6;

/**
 * The fields that an answer names as missing or wrong; null: none. The documents show two fields of the body and say that there may be others. Only words of
 * letters joined by underscores count, so nothing that was entered can be among them.
 */
function namedFieldsIn(json: Fields): string | null {
  const named = [json['field'], json['fields'], json['missing_fields'], json['errors']].flat();
  const names = named.flatMap((each) =>
    typeof each === 'object' && each !== null ? [Reflect.get(each, 'field'), ...Object.keys(each)] : [each],
  );
  const fields = names.filter((name) => typeof name === 'string' && /^(?=.{1,40}$)[a-z]+(_[a-z]+)+$/.test(name));
  return fields.length === 0 ? null : [...new Set(fields)].slice(0, NAMED_MAX).join(', ');
}

/** Codes that say that nothing was collected (document 3, Phone-share approval). */
const CODES = { PHONE_SHARE_APPROVAL_REQUIRED: 'refused' } as const satisfies Record<string, AnswerClass>;

/** Collects a transfer into this game with the code that its sender was shown. */
export const claim: Protocol<z.infer<typeof request>, Claimed, 'never'> = {
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
  pick: (json) => ({ answer: { ...pickCollected(json).answer, named_fields: namedFieldsIn(json) }, passes: null }),
  classify: (observed, { transaction_id }) => {
    const { codes, answer } = observed;
    const forAll = classifyForAll(observed, 'claim');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    if (answer.transaction_id !== null && answer.transaction_id !== transaction_id) return 'contradiction';
    return observed.status === 409 ? (classifyByCode(codes, 'claim', CODES) ?? 'open') : 'open';
  },
};
