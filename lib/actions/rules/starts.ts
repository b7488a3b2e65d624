import * as z from 'zod';
import { compareMoney, normalizeMoney, parseMoney, signOfMoney } from '#lib/core/money.ts';
import type { RouteFamily } from '#lib/invo/rules/route-codes.ts';
import type { ActionFacts, Reading } from './action-facts.ts';
import { classifyByCode, classifyForAll, idOf, isRawRefusal, textOf } from './answers.ts';
import type { AnswerClass, Fields, Observed, Protocol, SendingStatus } from './protocol.ts';
import { readUntilPeopleDecide } from './settling-times.ts';

// What starts of sends and of transfers share: both reserve coins, and wait for the sender’s phone (document 3).

/** What both request. Of a phone only the last digits are stored. */
export const startRequest = {
  amount: z.string().refine((text) => /^(0|[1-9]\d{0,8})\.\d\d$/.test(text) && parseMoney(text) !== null && signOfMoney(text) > 0),
  game: z.string().regex(/^[1-9]\d{0,15}$/),
  phoneEnd: z.string().regex(/^\d\d$/),
};

export type Started = {
  transaction_id: string | null;
  order_id: string | null;
  new_balance: string | null;
  verification_expires_at: string | null;
  amount_initiated: string | null;
  total_fee: string | null;
  net_amount: string | null;
  /** Whose answer it waits for. */
  waits_for: 'phone' | 'guardian' | 'owner';
  /** The owner of the phone agreed before, so the same request is sent again at once. */
  already_approved: boolean | null;
  /** Whether Invo texted the owner of the phone before this answer. */
  code_sent: boolean | null;
  /** Seconds until Invo texts the owner again; null: not reported. */
  cooldown_seconds: number | null;
  rate_limited: boolean | null;
  transferable_max: string | null;
};

/** Codes of both routes that say that nothing was reserved, and the one of a guardian (document 3, Initiate-transfer refusals, Phone-share approval). */
export const START_CODES = {
  PHONE_SHARE_APPROVAL_REQUIRED: 'not_now',
  PASSKEY_RECOVERY_COOLDOWN: 'not_now',
  flow_paused: 'not_now',
  GUARDIAN_REQUIRED: 'refused',
  PCSTORE_VALUE_NON_TRANSFERABLE: 'refused',
  NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED: 'refused',
  pending_guardian_approval: 'started',
} as const satisfies Record<string, AnswerClass>;

/** What a start is beside its own request, body and codes. */
export const START = {
  repeats: 'person',
  key: 'prefixed_uuid',
  needsSecondPerson: false,
  keepsBody: false,
  isForRequester: true,
  enters: 'phone',
  decidedBy: 2,
  reading: 'wallet',
  movesCoins: false,
  unit: 'coins',
  next: nextOfStart,
  // A wallet proves nothing: others spend too. The same bytes again do.
  judge: () => 'open',
} as const satisfies Partial<Protocol<ActionFacts['request'], Started, 'person'>>;

/** Reads the listed fields of an answer to a start; `details`: the name of the block that has its amounts. */
export function pickStarted(json: Fields, details: 'send_details' | 'transfer_details'): { answer: Started; passes: null } {
  const block: Record<string, unknown> = Object(json[details]);
  const fees: Record<string, unknown> = Object(block['fees_preview']);
  const guardian: Record<string, unknown> = Object(json['guardian_approval']);
  const isGuarded = json['status'] === 'pending_guardian_approval' || 'guardian_approval' in json;
  return {
    answer: {
      transaction_id: idOf(json['transaction_id']),
      order_id: idOf(json['order_id']),
      new_balance: parseMoney(json['new_balance']),
      verification_expires_at: textOf(json['verification_expires_at']) ?? textOf(guardian['expires_at']),
      amount_initiated: parseMoney(block['amount_initiated']),
      total_fee: parseMoney(fees['total_fee']),
      net_amount: parseMoney(fees['net_amount']),
      waits_for: isHeld(json) ? 'owner' : isGuarded ? 'guardian' : 'phone',
      already_approved: flagOf(json['already_approved']),
      code_sent: flagOf(json['code_sent']),
      cooldown_seconds: secondsOf(json['cooldown_seconds']),
      rate_limited: flagOf(json['rate_limited']),
      transferable_max: parseMoney(json['transferable_max']),
    },
    passes: null,
  };
}

function isHeld({ error_code, code, error }: Fields): boolean {
  return [error_code, code, error].some((each) => typeof each === 'string' && each.toUpperCase() === 'PHONE_SHARE_APPROVAL_REQUIRED');
}

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** What a route of a start has of its own. */
interface StartTable {
  family: RouteFamily;
  codes: Readonly<Record<string, AnswerClass>>;
  /** What a 403 without a code is. */
  bare403: AnswerClass;
}

/** The class of an answer to a start of this amount. */
export function classifyStart(observed: Observed<Started>, amount: string, { family, codes: classes, bare403 }: StartTable): AnswerClass {
  const { status, codes, answer } = observed;
  const forAll = classifyForAll(observed, family);
  if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
  const byCode = classifyByCode(codes, family, classes);
  const isNamed = answer.transaction_id !== null;
  if (status === 201 || status === 202) {
    if (!isNamed || (byCode !== null && byCode !== 'started') || (codes.length > 0 && byCode === null)) return 'open';
    const isSame = answer.amount_initiated === null || compareMoney(normalizeMoney(answer.amount_initiated), amount) === 0;
    return isSame ? 'started' : 'contradiction';
  }
  if (byCode === 'started') return 'open';
  // A repeat of the key: without a code of the table it names what was made before.
  if (status === 409) return byCode ?? (isNamed ? 'started' : 'open');
  if (status === 429) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
  if (status === 403) return byCode ?? (codes.length === 0 ? bare403 : 'open');
  if (status === 503) return byCode === 'not_now' ? 'not_now' : 'open';
  return isRawRefusal(status) ? (byCode ?? 'refused') : 'open';
}

function nextOfStart(answer: AnswerClass, status: SendingStatus): ReturnType<Protocol<ActionFacts['request'], Started, 'person'>['next']> {
  switch (answer) {
    case 'started':
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
}

/** Whether the one currency of the sender covers an amount now. */
export function isCovered(wallet: { balances: { available_balance: string }[] } | null | undefined, amount: string): boolean {
  const [only, ...others] = wallet?.balances ?? [];
  return only !== undefined && others.length === 0 && compareMoney(only.available_balance, amount) >= 0;
}

/**
 * What became of coins that an approval moves, by the status of their transaction. Document 3 doesn't say that coins moved where a transfer is only
 * approved.
 */
export function movedBy(reading: Reading): 'moved' | 'expired' | 'failed' | 'open' | 'not_reported' {
  if (reading.kind !== 'status') return 'open';
  const { verification_state: state, transaction_status: status } = reading;
  if (state === 'completed' || status === 'pending_claim') return 'moved';
  if (state === null && status === null) return 'not_reported';
  return state === 'expired' || state === 'failed' ? state : 'open';
}
