import * as z from 'zod';
import { cardIdOf, classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { readNow } from '../settling-times.ts';
import { SET_UP_ID } from '../typed-entries.ts';

/** The set-up, as the game or the player has it. */
const request = z.object({ setup_intent_id: z.string().regex(SET_UP_ID) });

type CardConfirmed = {
  status: string | null;
  setup_intent_id: string | null;
  card_id: number | null;
  already_saved: boolean | null;
};

/** The codes of the route (document 2, Purchase and card errors). */
const CODES = { still_requires_action: 'not_now', PLAYER_NOT_FOUND: 'refused' } as const satisfies Record<string, AnswerClass>;

/**
 * Confirms the set-up of a card whose bank check the player finished, so that the card is saved. Sending it again is safe (document 2, Setup intent): after
 * a lost answer a repetition tells. The player's cards then show the card, unless the set-up was another player's.
 */
export const cardConfirm: Protocol<z.infer<typeof request>, CardConfirmed, 'person'> = {
  kind: 'card_confirm',
  group: 'payments',
  repeats: 'person',
  key: null,
  needsSecondPerson: false,
  family: 'card_setup',
  keepsBody: true,
  isForRequester: false,
  decidedBy: 1,
  reading: 'cards',
  movesCoins: false,
  unit: null,
  request,
  subjectOf: ({ setup_intent_id }) => `setup ${setup_intent_id}`,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: ({ setup_intent_id }) => JSON.stringify({ setup_intent_id }),
  pick: ({ status, setup_intent_id, card, already_saved }) => ({
    answer: {
      status: textOf(status),
      setup_intent_id: idOf(setup_intent_id),
      card_id: cardIdOf(card),
      already_saved: typeof already_saved === 'boolean' ? already_saved : null,
    },
    passes: null,
  }),
  classify: (observed, { setup_intent_id }) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'card_setup');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    if (status === 200) {
      if (answer.status?.toLowerCase() !== 'success' || codes.length > 0) return 'open';
      if (answer.setup_intent_id !== null && answer.setup_intent_id !== setup_intent_id) return 'contradiction';
      return answer.already_saved === true ? 'replayed' : 'done';
    }
    const byCode = classifyByCode(codes, 'card_setup', CODES);
    if (status === 400) return byCode === 'not_now' ? 'not_now' : 'open';
    return status === 404 && (byCode === null || byCode === 'refused') ? 'refused' : 'open';
  },
  next: (answer, status) => {
    if (answer === 'contradiction') return { state: 'attention', reason: 'answer_contradicts' };
    if (status.unanswered_count > 0) return readNow(status);
    if (answer === 'refused') return { state: 'refused' };
    return answer === 'not_now' ? { state: 'approved' } : readNow(status);
  },
  // Only Invo's answer says that this set-up saved a card: the cards tell whose it is, and a new one among them can be from another set-up of the player.
  judge: (reading, { lastClass }) => (reading.kind === 'cards' && (lastClass === 'done' || lastClass === 'replayed') ? 'done' : 'open'),
};
