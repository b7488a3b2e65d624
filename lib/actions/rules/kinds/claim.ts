import * as z from 'zod';
import { CLAIM_FIELDS } from '../action-facts.ts';
import { classifyByCode, classifyForAll } from '../answers.ts';
import { COLLECT, type Collected, collectRequest, pickCollected, waitingOf } from '../collections.ts';
import type { AnswerClass, Fields, Protocol } from '../protocol.ts';
import { startRequest } from '../starts.ts';

/**
 * The transfer and the currency of its receiver, as they were read, and which fields of the player Invo wants too. The code and the phone are entered at the
 * press: of the phone the last digits are stored, of the code nothing.
 */
const request = z
  .object({
    ...collectRequest,
    target_currency_id: z.number().int(),
    /** Left out: none. */
    player_fields: z.array(z.enum(CLAIM_FIELDS)).min(1).optional(),
    player_phone_end: startRequest.phoneEnd.optional(),
  })
  .refine(({ player_fields = [], player_phone_end }) => player_fields.includes('player_phone') === (player_phone_end !== undefined));

type Claimed = Collected & { named_fields: string | null };

const NAMED_MAX = 6;

/**
 * The fields that an answer names as missing or wrong; null: none. The documents show two fields of the body and say that there may be others. Only words of
 * letters joined by underscores count, and two that nobody may enter: so nothing that was entered can be among them.
 */
function namedFieldsIn(json: Fields): string | null {
  const named = [json['field'], json['fields'], json['missing_fields'], json['errors']].flat();
  const names = named.flatMap((each) =>
    typeof each === 'object' && each !== null ? [Reflect.get(each, 'field'), ...Object.keys(each)] : [each],
  );
  const fields = names.filter((name) => typeof name === 'string' && /^(?=.{1,40}$)([a-z]+(_[a-z]+)+|otp|pin)$/.test(name));
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
    ...(facts.claim_fields === undefined ? {} : { player_fields: facts.claim_fields }),
  }),
  takesPhone: ({ player_fields = [] }) => player_fields.includes('player_phone'),
  // What the documents show, then what Invo's own answers named: the email as it was just read, the phone as it was entered.
  write: ({ target_currency_id, player_fields = [] }, { entered: claim_code, email, phone = null }) => {
    const fields = { player_email: email, player_phone: phone };
    return JSON.stringify({ claim_code, target_currency_id, ...Object.fromEntries(player_fields.map((field) => [field, fields[field]])) });
  },
  pick: (json) => ({ answer: { ...pickCollected(json).answer, named_fields: namedFieldsIn(json) }, passes: null }),
  classify: (observed, { transaction_id }) => {
    const { codes, answer } = observed;
    const forAll = classifyForAll(observed, 'claim');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    if (answer.transaction_id !== null && answer.transaction_id !== transaction_id) return 'contradiction';
    return observed.status === 409 ? (classifyByCode(codes, 'claim', CODES) ?? 'open') : 'open';
  },
};
