import * as z from 'zod';
import type { ActionFacts } from './action-facts.ts';
import { classifyByCode, classifyForAll, idOf, textOf } from './answers.ts';
import type { AnswerClass, Fields, Observed, Protocol } from './protocol.ts';
import { onceStep, readThroughWindow } from './settling-times.ts';
import { movedBy } from './starts.ts';

// What approvals of sends and of transfers share: the only calls that move coins, each sent once in its life (document 3, Approve refusals).

/** The start, and its transaction. */
export const approveRequest = {
  start_id: z.number().int(),
  transaction_id: z.string().regex(/^[\w.:-]{1,100}$/),
  /** The end of the start's window, by the clock of the store; null: Invo reported none. */
  window_ends_at: z.string().nullable(),
};

export type Approved = { status: string | null; transaction_id: string | null; current_status: string | null };

/** Codes that say that this call moved nothing (document 3, Approve refusals). */
const CODES = {
  DEVICE_APPROVAL_NOT_APPROVED: 'not_now',
  INVALID_INPUT: 'not_now',
  SDK_TOKEN_MALFORMED: 'not_now',
  PASSKEY_RECOVERY_COOLDOWN: 'not_now',
  GUARDIAN_APPROVAL_PENDING: 'not_now',
  GUARDIAN_APPROVAL_CHECK_UNAVAILABLE: 'not_now',
  sdk_verification_disabled: 'not_now',
  not_transfer_sender: 'refused',
  GUARDIAN_APPROVAL_REJECTED: 'refused',
  GUARDIAN_APPROVAL_EXPIRED: 'refused',
} as const satisfies Record<string, AnswerClass>;

/** The status under which the documents list each of these codes: under another one it leaves the outcome open. */
const STATUSES: Readonly<Record<number, readonly (keyof typeof CODES)[]>> = {
  202: ['GUARDIAN_APPROVAL_PENDING'],
  400: ['DEVICE_APPROVAL_NOT_APPROVED', 'INVALID_INPUT'],
  401: ['SDK_TOKEN_MALFORMED'],
  403: ['not_transfer_sender', 'PASSKEY_RECOVERY_COOLDOWN'],
  410: ['GUARDIAN_APPROVAL_REJECTED', 'GUARDIAN_APPROVAL_EXPIRED'],
  503: ['GUARDIAN_APPROVAL_CHECK_UNAVAILABLE', 'sdk_verification_disabled'],
};

/** Whether the refusal of an approval ends its start too: no guardian agrees any more (document 3, Approve refusals). */
export function endsStart(code: string | null): boolean {
  return STATUSES[410]?.some((each) => each.toLowerCase() === code?.toLowerCase()) ?? false;
}

const JUDGED = { moved: 'done', expired: 'not_done', failed: 'not_done', open: 'open', not_reported: 'open' } as const;

/** What an approval is beside its own request and what its answer passes. */
export const APPROVE = {
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  family: 'approve',
  keepsBody: false,
  decidedBy: 2,
  reading: 'status',
  movesCoins: false,
  unit: null,
  subjectOf: ({ transaction_id }: { transaction_id: string }) => `approve ${transaction_id}`,
  inPath: ({ transaction_id }: { transaction_id: string }) => transaction_id,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet, sender }: ActionFacts) => ({ player_id: wallet?.player_id ?? null, sender: sender?.player_id ?? null }),
  write: (_: unknown, { deviceCode }: { deviceCode?: string }) => JSON.stringify({ device_code: deviceCode }),
  next: (answer, status) => onceStep(answer, readThroughWindow(status)),
  judge: (reading) => JUDGED[movedBy(reading)],
} as const satisfies Partial<Protocol<{ transaction_id: string }, Approved, 'never'>>;

/** Reads the listed fields of an answer to an approval: never a claim code. */
export function pickApproved({ status, transaction_id, current_status }: Fields): Approved {
  return { status: textOf(status), transaction_id: idOf(transaction_id), current_status: textOf(current_status) };
}

/** The class of an answer to the approval of a transaction; `isApproved`: whether a 200 like this says that it moved the coins. */
export function classifyApproval(
  observed: Observed<Approved>,
  transactionId: string,
  isApproved: (answer: Approved) => boolean = () => true,
): AnswerClass {
  const { status, codes, answer } = observed;
  const forAll = classifyForAll(observed, 'approve');
  if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
  if (status === 200) {
    if (codes.length > 0) return 'open';
    if (answer.transaction_id !== null && answer.transaction_id !== transactionId) return 'contradiction';
    return isApproved(answer) ? 'done' : 'open';
  }
  const listed = STATUSES[status]?.map((code) => code.toLowerCase()) ?? [];
  return codes.every((code) => listed.includes(code.toLowerCase())) ? (classifyByCode(codes, 'approve', CODES) ?? 'open') : 'open';
}
