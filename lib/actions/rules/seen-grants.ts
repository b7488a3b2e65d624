import type { ActionState, GrantState } from './action-state.ts';

/** A request to a phone, as one screen knows it. */
export interface SeenGrant {
  grantId: number;
  state: GrantState;
}

/** A new phone that wants to be set up, as the screen compares it. */
export interface SeenPhone {
  label: string | null;
  matchCode: string | null;
}

/** How far a grant has come: it never goes back, except that the player may put the setting up of a new phone aside. */
const PROGRESS: Readonly<Record<GrantState, number>> = {
  started: 0,
  waiting: 1,
  enrolling: 1,
  approved: 2,
  declined: 3,
  expired: 3,
  lost: 3,
  replaced: 3,
};

/** What is true of the phone, of what the page, the answer to a press and the newest watch showed, oldest first. A later grant replaces an earlier one. */
export function newestGrant(...seen: (SeenGrant | null)[]): SeenGrant | null {
  return seen.reduce((newest, each) => {
    if (newest === null || each === null) return newest ?? each;
    if (newest.grantId !== each.grantId) return newest.grantId > each.grantId ? newest : each;
    return PROGRESS[newest.state] > PROGRESS[each.state] ? newest : each;
  }, null);
}

/** Whether the phone may still answer. */
export function isPhoneAwaited({ state }: SeenGrant): boolean {
  return PROGRESS[state] < PROGRESS.approved;
}

/** The answer to a new phone that a request to a phone met: an action of its own. */
export interface PhoneAnswer {
  actionId: number;
  state: ActionState;
  answers: { grantId: number | null; decision: 'approve' | 'deny' };
}

const UNANSWERED: ReadonlySet<ActionState> = new Set(['rejected', 'withdrawn', 'lapsed', 'refused', 'not_done']);

/** The newest answer that may still reach Invo or did; null: nobody answers a new phone, so it waits for a person. Order of `steps`: the newest first. */
export function answerIn(
  steps: readonly (Omit<PhoneAnswer, 'answers'> & { answers: PhoneAnswer['answers'] | null })[],
): PhoneAnswer | null {
  for (const { actionId, state, answers } of steps) if (answers !== null && !UNANSWERED.has(state)) return { actionId, state, answers };
  return null;
}
