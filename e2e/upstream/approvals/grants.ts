import { randomInt } from 'node:crypto';
import { openTitle, type Title } from '../route.ts';
import type { Grant } from '../state/desk.ts';
import type { State } from '../state/state.ts';
import { sharedDesk } from '../transfers/transfer-data.ts';
import { Refusal } from '../wire/answer.ts';

/** How long a grant waits for its phone. */
export const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Starts a grant. An earlier one of the same transaction and flow is replaced if it is still waiting. */
export function beginGrant(title: Title, grant: Pick<Grant, 'transactionId' | 'flow' | 'playerId' | 'token'>): Grant {
  const { state, environment, view } = title;
  const { grants } = sharedDesk(title);
  for (const earlier of openGrants(title).filter((each) => isSame(each, grant)))
    grants.set(earlier.deviceCode, { ...earlier, state: 'superseded' });
  const started: Grant = {
    ...grant,
    environment,
    deviceCode: state.secrets.make('device_code', 'dvc_'),
    userCode: state.secrets.give('user_code', `${letters(4)}-${letters(4)}`),
    state: 'pending',
    expiresMs: view.nowMs + LIFETIME_SECONDS * 1000,
    approvedMs: null,
    intervalSeconds: INTERVAL_SECONDS,
    polledMs: null,
    enrolment: null,
  };
  grants.set(started.deviceCode, started);
  return started;
}

/** The grants that wait for a phone, oldest first. */
export function openGrants(title: Title): Grant[] {
  return [...sharedDesk(title).grants.values()].filter(({ state, expiresMs }) => state === 'pending' && expiresMs > title.view.nowMs);
}

/** The grant that a phone approved and nobody has used up; null: none. */
export function approvedGrant(title: Title, wanted: Pick<Grant, 'transactionId' | 'flow'>): Grant | null {
  const grants = [...sharedDesk(title).grants.values()];
  return grants.find((grant) => isSame(grant, wanted) && grant.state === 'approved' && grant.expiresMs > title.view.nowMs) ?? null;
}

/** What the player does with the phone. A new phone waits until the screen that shows the code confirms it. */
export function usePhone(title: Title, grant: Grant, act: 'approve' | 'deny' | 'enrol'): Grant {
  const { state, view } = title;
  if (grant.state !== 'pending' || grant.expiresMs <= view.nowMs) throw new Refusal(409, 'GRANT_NOT_PENDING', 'This code is over.');
  if (act === 'approve' && grant.enrolment?.state === 'awaiting_screen')
    throw new Refusal(409, 'ENROLLMENT_PENDING', 'The screen must confirm this phone first.');
  if (act === 'deny') return store(title, { ...grant, state: 'denied' });
  if (act === 'enrol') {
    const matchCode = state.secrets.give('match_code', letters(6));
    const deviceLabel = state.secrets.give('device_label', `Pixel 9 (${letters(5)})`);
    return store(title, { ...grant, enrolment: { state: 'awaiting_screen', deviceLabel, matchCode } });
  }
  const approved = store(title, { ...grant, state: 'approved', approvedMs: view.nowMs });
  const { transactionId, flow } = grant;
  state.outbox(grant.environment).add('device_approval.approved', { transaction_id: transactionId, flow }, view.nowMs);
  return approved;
}

/** Stores a grant as it is now. */
export function store(title: Title, grant: Grant): Grant {
  sharedDesk(title).grants.set(grant.deviceCode, grant);
  return grant;
}

/** The grant of a phone's page, with its game; null: nobody's. */
export function findByUserCode(state: State, userCode: string): { title: Title; grant: Grant } | null {
  for (const desk of [state.desk('production'), state.desk('sandbox')]) {
    const grant = [...desk.grants.values()].find((each) => each.userCode === userCode);
    if (grant !== undefined) return { title: openTitle(state, grant.environment), grant };
  }
  return null;
}

function isSame(grant: Grant, { transactionId, flow }: Pick<Grant, 'transactionId' | 'flow'>): boolean {
  return grant.transactionId === transactionId && grant.flow === flow;
}

function letters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
