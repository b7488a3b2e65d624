import * as z from 'zod';
import { compareMoney, normalizeMoney, parseMoney, signOfMoney } from '#lib/core/money.ts';
import { classifyByCode, classifyForAll, idOf, isRawRefusal, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { readUntilPeopleDecide } from '../settling-times.ts';

/** From which house account, into which game, and how much. Of the two phones only the last digits are stored. */
const request = z.object({
  house_player_id: z.number().int(),
  receiving_game_id: z.string().regex(/^[1-9]\d{0,15}$/),
  amount: z.string().refine((text) => /^(0|[1-9]\d{0,8})\.\d\d$/.test(text) && parseMoney(text) !== null && signOfMoney(text) > 0),
  receiver_phone_end: z.string().regex(/^\d\d$/),
});
type Send = z.infer<typeof request>;

type Started = {
  transaction_id: string | null;
  order_id: string | null;
  new_balance: string | null;
  verification_expires_at: string | null;
  amount_initiated: string | null;
  total_fee: string | null;
  net_amount: string | null;
  /** Whose answer it waits for. */
  waits_for: 'phone' | 'guardian';
  /** The owner of the phone agreed before, so the same request is sent again at once. */
  already_approved: boolean | null;
  transferable_max: string | null;
};

/** Codes that say that nothing was reserved (document 3, Initiate-transfer refusals, Send initiate refusals, Phone-share approval). */
const CODES = {
  PHONE_SHARE_APPROVAL_REQUIRED: 'not_now',
  PASSKEY_RECOVERY_COOLDOWN: 'not_now',
  flow_paused: 'not_now',
  velocity_limit_exceeded: 'not_now',
  GUARDIAN_REQUIRED: 'refused',
  PCSTORE_VALUE_NON_TRANSFERABLE: 'refused',
  NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED: 'refused',
  CURRENCY_SEND_POLICY_VIOLATION: 'refused',
  GAME_TO_PLATFORM_BLOCKED: 'refused',
  PLATFORM_TO_GAME_BLOCKED: 'refused',
  pending_guardian_approval: 'goes_on',
} as const satisfies Record<string, AnswerClass>;

/**
 * Starts a send of coins of a house account: Invo reserves them, and nothing moves until the account's own phone approves (document 3). A repeat of the key
 * makes no second one. Nobody sends it again by itself: a person does, with the same bytes.
 */
export const sendStart: Protocol<Send, Started, 'person'> = {
  kind: 'send_start',
  group: 'sends',
  repeats: 'person',
  key: 'prefixed_uuid',
  needsSecondPerson: false,
  family: 'send_start',
  keepsBody: false,
  isForRequester: true,
  enters: 'phone',
  decidedBy: 2,
  reading: 'wallet',
  movesCoins: false,
  unit: 'coins',
  request,
  subjectOf: ({ house_player_id }, playerId) => `send ${house_player_id} ${playerId}`,
  amountOf: ({ amount }) => amount,
  blockerOf: (send, { sender }) => (isCovered(sender, send) ? null : 'not_covered'),
  isAlike: (one, other) => compareMoney(one.amount, other.amount) === 0,
  decidingOf: ({ wallet, sender, destination, request: stored }) => {
    const send = request.safeParse(stored);
    const isStored = send.success;
    return {
      player_id: wallet?.player_id ?? null,
      sender: isStored ? (sender?.player_id ?? null) : null,
      destination: isStored ? (destination?.game_id ?? null) : null,
      is_covered: isStored ? isCovered(sender, send.data) : null,
    };
  },
  write: ({ receiving_game_id, amount }, { reference: client_request_id, email: receiver_player_email, entered, sender }) =>
    JSON.stringify({
      client_request_id,
      sender_player_name: sender?.name ?? null,
      sender_player_email: sender?.email ?? null,
      sender_player_phone: sender?.phone ?? null,
      receiver_player_email,
      receiver_player_phone: entered,
      receiving_game_id: Number(receiving_game_id),
      amount,
    }),
  pick: (json) => {
    const details: Record<string, unknown> = Object(json['send_details']);
    const fees: Record<string, unknown> = Object(details['fees_preview']);
    const guardian: Record<string, unknown> = Object(json['guardian_approval']);
    const isGuarded = json['status'] === 'pending_guardian_approval' || 'guardian_approval' in json;
    return {
      answer: {
        transaction_id: idOf(json['transaction_id']),
        order_id: idOf(json['order_id']),
        new_balance: parseMoney(json['new_balance']),
        verification_expires_at: textOf(json['verification_expires_at']) ?? textOf(guardian['expires_at']),
        amount_initiated: parseMoney(details['amount_initiated']),
        total_fee: parseMoney(fees['total_fee']),
        net_amount: parseMoney(fees['net_amount']),
        waits_for: isGuarded ? 'guardian' : 'phone',
        already_approved: typeof json['already_approved'] === 'boolean' ? json['already_approved'] : null,
        transferable_max: parseMoney(json['transferable_max']),
      },
      passes: null,
    };
  },
  classify: (observed, { amount }) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'send_start');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    const byCode = classifyByCode(codes, 'send_start', CODES);
    const isNamed = answer.transaction_id !== null;
    if (status === 201 || status === 202) {
      if (!isNamed || (byCode !== null && byCode !== 'goes_on') || (codes.length > 0 && byCode === null)) return 'open';
      const isSame = answer.amount_initiated === null || compareMoney(normalizeMoney(answer.amount_initiated), amount) === 0;
      return isSame ? 'goes_on' : 'contradiction';
    }
    if (byCode === 'goes_on') return 'open';
    // A repeat of the key: without a code of the table it names what was made before.
    if (status === 409) return byCode ?? (isNamed ? 'goes_on' : 'open');
    if (status === 429) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
    // Without a code: a title in testing on either side.
    if (status === 403) return byCode ?? (codes.length === 0 ? 'refused' : 'open');
    if (status === 503) return byCode === 'not_now' ? 'not_now' : 'open';
    return isRawRefusal(status) ? (byCode ?? 'refused') : 'open';
  },
  next: (answer, status) => {
    switch (answer) {
      case 'goes_on':
      case 'done':
      case 'replayed':
        return { state: 'with_player' };
      case 'contradiction':
        return { state: 'attention', reason: 'answer_contradicts' };
      case 'refused':
        return status.unanswered_count === 0 ? { state: 'refused' } : readUntilPeopleDecide(status);
      case 'not_now':
        return status.unanswered_count === 0 ? { state: 'approved' } : readUntilPeopleDecide(status);
      case 'open':
      case 'no_answer':
        return readUntilPeopleDecide(status);
    }
  },
  // A wallet proves nothing: others spend too. The same bytes again do.
  judge: () => 'open',
};

/** Whether the house account's one currency covers the send now. */
function isCovered(sender: { balances: { available_balance: string }[] } | undefined, { amount }: Send): boolean {
  const [only, ...others] = sender?.balances ?? [];
  return only !== undefined && others.length === 0 && compareMoney(only.available_balance, amount) >= 0;
}
