import * as z from 'zod';
import { cardIdOf, classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { readNow } from '../settling-times.ts';

/** Nothing is chosen: the card's token is entered at each press, or left out. */
const request = z.object({});

type SetUp = {
  status: string | null;
  setup_intent_id: string | null;
  card_id: number | null;
  already_saved: boolean | null;
};

/** Codes that say that no card is saved (document 2, Purchase and card errors). */
const CODES = {
  PLAYER_NOT_FOUND: 'refused',
  RAW_CARD_NOT_SUPPORTED: 'refused',
} as const satisfies Record<string, AnswerClass>;

/**
 * Saves the token of a test card without a purchase, in games of the sandbox only. The same reference returns the same set-up (document 2, Setup intent):
 * while the bank's check isn't finished nothing is saved, and the same request again shows whether it is by now.
 */
export const cardSetup: Protocol<z.infer<typeof request>, SetUp, 'person'> = {
  kind: 'card_setup',
  group: 'sandbox',
  repeats: 'person',
  key: 'prefixed_uuid',
  needsSecondPerson: false,
  family: 'card_setup',
  keepsBody: false,
  isForRequester: false,
  enters: 'card_token_or_none',
  decidedBy: 1,
  reading: 'cards',
  movesCoins: false,
  unit: null,
  request,
  subjectOf: (_, playerId) => `card_setup ${playerId}`,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: (_, { reference: setup_reference, email: player_email, entered: payment_method_id }) =>
    JSON.stringify({ player_email, setup_reference, ...(payment_method_id === null ? {} : { payment_method_id }) }),
  pick: ({ status, setup_intent_id, card, already_saved }) => ({
    answer: {
      status: textOf(status),
      setup_intent_id: idOf(setup_intent_id),
      card_id: cardIdOf(card),
      already_saved: typeof already_saved === 'boolean' ? already_saved : null,
    },
    passes: null,
  }),
  classify: (observed) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'card_setup');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    const word = answer.status?.toLowerCase() ?? null;
    if (status === 200) {
      if (word === 'succeeded' && codes.length === 0) return answer.already_saved === true ? 'replayed' : 'done';
      return word !== null && UNFINISHED.has(word) && codes.every((code) => code.toLowerCase() === word) ? 'not_now' : 'open';
    }
    const byCode = classifyByCode(codes, 'card_setup', CODES);
    return byCode === 'refused' && (status === 400 || status === 404) ? 'refused' : 'open';
  },
  next: (answer, status) => {
    if (answer === 'contradiction') return { state: 'attention', reason: 'answer_contradicts' };
    if (status.unanswered_count > 0) return readNow(status);
    if (answer === 'refused') return { state: 'refused' };
    return answer === 'not_now' ? { state: 'approved' } : readNow(status);
  },
  judge: (reading, { lastClass }) => (reading.kind === 'cards' && (lastClass === 'done' || lastClass === 'replayed') ? 'done' : 'open'),
};

/** The set-up exists, and no card is saved yet (document 2, Setup intent). */
const UNFINISHED: ReadonlySet<string> = new Set(['requires_action', 'requires_confirmation', 'requires_payment_method']);
