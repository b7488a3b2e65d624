import { knownWord } from '#lib/core/parse-enum.ts';

/** Where a refund can be; the SQL check of `refund.state` repeats the list. */
export const REFUND_STATES = [
  'awaiting_approval',
  'approved',
  'sending',
  'waiting',
  'unknown',
  'verifying',
  'attention',
  'landed',
  'refused',
  'not_landed',
  'rejected',
  'withdrawn',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** States nothing leaves; in every other one the period is held: no second refund of it can be asked for. */
export const ENDED_STATES = ['landed', 'refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States in which the period is held. */
export const OPEN_STATES: readonly RefundState[] = REFUND_STATES.filter((state) => !isEnded(state));

/** States in which a worker may send it. */
export const SENDABLE_STATES = ['approved', 'waiting', 'unknown'] as const satisfies readonly RefundState[];

/** States that ended without anything carried out: a new refund of the period may be asked for. */
export const NOT_CARRIED_OUT_STATES = ['refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States in which nothing goes on before a person has acted. */
export const PERSON_STATES = ['awaiting_approval', 'attention'] as const satisfies readonly RefundState[];

/** How a state is told: its name, its tone, and what is safe to know or to do. */
export interface StateWords {
  label: string;
  tone: 'good' | 'wait' | 'bad' | 'quiet';
  sentence: string;
}

export const REFUND_STATE_WORDS: Record<RefundState, StateWords> = {
  awaiting_approval: {
    label: 'Waiting for approval',
    tone: 'wait',
    sentence: 'Nothing was given back yet. Somebody has to approve it before it is sent to Invo.',
  },
  approved: { label: 'About to be sent', tone: 'wait', sentence: 'It is approved and goes to Invo by itself. Nothing was sent yet.' },
  sending: { label: 'Sending', tone: 'wait', sentence: 'The request is on its way to Invo. You may leave this page.' },
  waiting: {
    label: 'Will be sent again',
    tone: 'wait',
    sentence: 'Invo did not carry it out so far. The same request is sent again by itself; nothing has to be done.',
  },
  unknown: {
    label: 'Outcome not known yet',
    tone: 'wait',
    sentence:
      'Invo may have carried it out. The same request is repeated with the same key, which can never refund twice. Do not refund this period anywhere else.',
  },
  verifying: {
    label: 'Being looked up at Invo',
    tone: 'wait',
    sentence: 'Sending has ended without an answer to trust. The period is read at Invo to find out. Do not refund it anywhere else.',
  },
  attention: {
    label: 'Needs two people',
    tone: 'bad',
    sentence:
      'The outcome cannot be told by itself. Two people have to look at Invo and say what happened. Do not refund this period anywhere else.',
  },
  landed: { label: 'Refunded', tone: 'good', sentence: 'Invo carried it out once.' },
  refused: { label: 'Refused by Invo', tone: 'bad', sentence: 'Invo refused it; nothing moved.' },
  not_landed: { label: 'Did not happen', tone: 'quiet', sentence: 'Two people confirmed that Invo never carried it out.' },
  rejected: { label: 'Not approved', tone: 'quiet', sentence: 'The second person said no; nothing was sent.' },
  withdrawn: { label: 'Withdrawn', tone: 'quiet', sentence: 'It was taken back before Invo carried anything out.' },
};

/** Whether nothing will change any more. */
export function isEnded(state: RefundState): boolean {
  return (ENDED_STATES as readonly RefundState[]).includes(state);
}

/** Whether a worker may send it. */
export function isSendable(state: RefundState): boolean {
  return (SENDABLE_STATES as readonly RefundState[]).includes(state);
}

/** The state a row holds. Throws for one that is not on the list. */
export function stateOf(text: string): RefundState {
  return knownWord(REFUND_STATES, text);
}

/** Reads the name of a state; null when there is none of that name. */
export function parseRefundState(text: unknown): RefundState | null {
  return REFUND_STATES.find((state) => state === text) ?? null;
}
