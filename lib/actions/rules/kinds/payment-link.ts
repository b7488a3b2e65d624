import * as z from 'zod';
import { parsePassedUrl } from '#lib/core/game.ts';
import { compareMoney, parseMoney, signOfMoney } from '#lib/core/money.ts';
import { classifyByCode, classifyForAll, idOf, isRawRefusal, textOf } from '../answers.ts';
import type { AnswerClass, Passing, Protocol } from '../protocol.ts';
import { lapsingStep } from '../settling-times.ts';

/** `link`: our id of the link in the metadata that Invo echoes on webhooks; it holds no personal data. */
const request = z.object({
  usd_amount: z.string().refine((text) => /^\d{1,3}\.\d\d$/.test(text) && parseMoney(text) !== null && signOfMoney(text) > 0),
  link: z.uuid(),
});

type LinkMade = {
  session_id: string | null;
  expires_at: string | null;
  expires_in_seconds: number | null;
  has_link: boolean;
};

/** Codes that say that no session was made (document 2, Purchase and card errors). */
const CODES = {
  RAIL_DISABLED: 'refused',
  RAIL_CHANNEL_MISMATCH: 'refused',
  RAIL_NOT_AVAILABLE_TO_PLATFORM: 'refused',
  PCSTORE_RAIL_NOT_ENTITLED: 'refused',
  PCSTORE_PURCHASE_LAYER_REQUIRED: 'refused',
  PROCESSOR_UNAVAILABLE: 'refused',
  PROCESSOR_NOT_CONFIGURED: 'refused',
  spending_limit_exceeded: 'not_now',
  rate_limit_exceeded: 'not_now',
} as const satisfies Record<string, AnswerClass>;

/**
 * Makes a link to Invo's payment page, on which the player pays. The route takes no key (document 2, Checkout session), so it is sent once: a link
 * whose answer was lost is known to nobody and ends by itself.
 */
export const paymentLink: Protocol<z.infer<typeof request>, LinkMade, 'never'> = {
  kind: 'payment_link',
  group: 'payments',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  family: 'checkout',
  keepsBody: false,
  isForRequester: true,
  decidedBy: 2,
  reading: null,
  movesCoins: false,
  unit: 'usd',
  request,
  subjectOf: ({ link }) => `link ${link}`,
  amountOf: ({ usd_amount }) => usd_amount,
  blockerOf: () => null,
  isAlike: (one, other) => compareMoney(one.usd_amount, other.usd_amount) === 0,
  decidingOf: ({ wallet }) => ({
    player_id: wallet?.player_id ?? null,
    currencies: wallet?.balances.map(({ currency_id, currency_name }) => ({ currency_id, currency_name })) ?? null,
  }),
  write: ({ usd_amount, link }, { email: player_email }) =>
    JSON.stringify({ player_email, usd_amount, metadata: { sharebook_link: link } }),
  pick: ({ session_id, checkout_url, expires_at, expires_in_seconds }) => {
    const passes: Passing | null =
      typeof checkout_url === 'string' && parsePassedUrl(checkout_url) !== null ? { what: 'payment_link', text: checkout_url } : null;
    return {
      answer: {
        session_id: idOf(session_id),
        expires_at: textOf(expires_at),
        expires_in_seconds: typeof expires_in_seconds === 'number' && Number.isSafeInteger(expires_in_seconds) ? expires_in_seconds : null,
        has_link: passes !== null,
      },
      passes,
    };
  },
  classify: (observed) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'checkout');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    if (status < 300) return status === 201 && answer.has_link && codes.length === 0 ? 'done' : 'open';
    // Without another code beside it, the open circuit breaker: nothing was sent.
    if (status === 503 && codes.length > 0 && codes.every((code) => code.toLowerCase() === 'service_unavailable')) return 'refused';
    const byCode = classifyByCode(codes, 'checkout', CODES);
    if (status === 429) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
    return byCode ?? (isRawRefusal(status) ? 'refused' : 'open');
  },
  next: lapsingStep,
  judge: () => 'open',
};
