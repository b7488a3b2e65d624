import * as z from 'zod';
import { classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { readThroughWindow } from '../settling-times.ts';

/** The start, its transaction, and the house account whose phone approved. */
const request = z.object({
  start_id: z.number().int(),
  transaction_id: z.string().regex(/^[\w.:-]{1,100}$/),
  house_player_id: z.number().int(),
  /** The end of the start's window, by the clock of the store; null: Invo reported none. */
  window_ends_at: z.string().nullable(),
});

type Approved = { status: string | null; transaction_id: string | null; current_status: string | null };

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

/**
 * Moves the coins of a send that the house account's phone approved: the only call that does, and sent once in its life. A 400 TRANSFER_APPROVE_FAILED may
 * have moved them (document 3): afterwards the status alone says what happened, and no other approval of the transaction begins.
 */
export const sendApprove: Protocol<z.infer<typeof request>, Approved, 'never'> = {
  kind: 'send_approve',
  group: 'sends',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  family: 'approve',
  keepsBody: false,
  isForRequester: false,
  decidedBy: 2,
  reading: 'status',
  movesCoins: false,
  unit: null,
  request,
  subjectOf: ({ transaction_id }) => `approve ${transaction_id}`,
  inPath: ({ transaction_id }) => transaction_id,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet, sender }) => ({ player_id: wallet?.player_id ?? null, sender: sender?.player_id ?? null }),
  write: (_, { deviceCode }) => JSON.stringify({ device_code: deviceCode }),
  pick: ({ status, transaction_id, current_status }) => ({
    answer: { status: textOf(status), transaction_id: idOf(transaction_id), current_status: textOf(current_status) },
    passes: null,
  }),
  classify: (observed, { transaction_id }) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'approve');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    if (status === 200) {
      if (codes.length > 0) return 'open';
      return answer.transaction_id === null || answer.transaction_id === transaction_id ? 'done' : 'contradiction';
    }
    const listed = STATUSES[status]?.map((code) => code.toLowerCase()) ?? [];
    return codes.every((code) => listed.includes(code.toLowerCase())) ? (classifyByCode(codes, 'approve', CODES) ?? 'open') : 'open';
  },
  next: (answer, status) => {
    switch (answer) {
      case 'done':
      case 'replayed':
        return { state: 'done' };
      case 'refused':
      case 'not_now':
        return { state: 'refused' };
      case 'contradiction':
        return { state: 'attention', reason: 'answer_contradicts' };
      case 'goes_on':
      case 'open':
      case 'no_answer':
        return readThroughWindow(status);
    }
  },
  judge: (reading) => {
    if (reading.kind !== 'status') return 'open';
    const { verification_state: state, transaction_status: status } = reading;
    // Document 3 doesn't say that coins moved where a transfer is only approved.
    if (state === 'completed' || status === 'pending_claim') return 'done';
    return state === 'expired' || state === 'failed' ? 'not_done' : 'open';
  },
};
