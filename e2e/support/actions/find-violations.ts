import { isEnded, stateOf } from '#lib/actions/rules/action-state.ts';
import { ACTION_ACTS } from '#lib/actions/rules/audit-acts.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import type { ActionEnvironment } from './action-environment.ts';

/** The route of each kind, as the simulated Invo counts its executions. */
export const ROUTE_OF = {
  payment_confirm: 'confirm-payment',
  card_confirm: 'setup-confirm',
  payment_link: 'checkout',
  milestone: 'server-events',
  item_sale: 'item-sale',
  redeem: 'redeem',
  send_start: 'initiate-send',
  send_approve: 'send-approve',
  transfer_start: 'initiate-transfer',
  transfer_approve: 'transfer-approve',
  receipt: 'confirm-receipt',
  owner_text: 'phone-share-initiate',
  phone_enrolment: 'device-enrolment',
  purchase: 'purchase',
  card_setup: 'setup-intent',
  claim: 'claim-transfer',
  client_event: 'client-events',
  rewards_page: 'rewards-page',
} as const;

/** Invo counts these under what no table has: a token, a phone, a device code. One is executed at a time. */
const COUNTED_UNNAMED: ReadonlySet<ActionKind> = new Set(['rewards_page', 'owner_text', 'phone_enrolment']);
/** What time alone ends: nothing says whether they were executed. */
const ENDED_BY_TIME: ReadonlySet<ActionKind> = new Set(['payment_link', ...COUNTED_UNNAMED]);

interface StoredAction {
  kind: ActionKind;
  state: string;
  subject: string;
  reference: string | null;
  repeats: string;
  attempt_count: number;
  request_digest: Buffer;
  attempts: number;
  unfinished: number;
}

/**
 * What must hold for an action at any moment: executed once or not at all, done only when executed, and ended otherwise only when not, but for what time
 * alone ended; no call without a committed attempt, and every attempt in the audit. `isAtRest`: it has ended or waits for a person.
 */
export async function findViolations(
  { pool, executed }: Pick<ActionEnvironment, 'pool' | 'executed'>,
  actionId: number,
  { isAtRest = false, wasShown = false } = {},
): Promise<string[]> {
  const { rows } = await pool.query<StoredAction>(
    `select action.*, (select count(*) from desk_action_attempt attempt where attempt.game_id = action.game_id and attempt.action_id = action.action_id)::int as attempts,
       (select count(*) from desk_action_attempt attempt where attempt.game_id = action.game_id and attempt.action_id = action.action_id and class is null)::int as unfinished
     from desk_action action where action_id = $1`,
    [actionId],
  );
  const [action] = rows;
  if (action === undefined) return [`no desk action ${actionId}`];
  const { rowCount: starts } = await pool.query('select from audit where subject = $1 and act = $2', [
    `desk action ${actionId}`,
    ACTION_ACTS.startedSending,
  ]);
  const { kind, state, attempts, unfinished, repeats } = action;
  const count = (await executed(ROUTE_OF[kind])).find((each) => each.subject === subjectOf(action) || COUNTED_UNNAMED.has(kind));
  const [executions, calls] = [count?.executions ?? 0, count?.calls ?? 0];
  const hasEnded = isEnded(stateOf(state));
  const isUnknown = ENDED_BY_TIME.has(kind) && state === 'lapsed' && !wasShown;
  const rules: [string, boolean][] = [
    [`executed ${executions} times`, executions > 1],
    ['done and not executed', state === 'done' && executions !== 1],
    ['ended without being done, and executed', hasEnded && state !== 'done' && !isUnknown && executions > 0],
    ['ready to be sent, and executed', ['approved', 'awaiting_approval'].includes(state) && executions > 0],
    ['its link was shown, and it isn’t done', wasShown && state !== 'done'],
    [`${calls} calls on ${attempts} committed attempts`, calls > attempts],
    ['sent twice', repeats === 'never' && calls > 1],
    ['attempts are not counted', attempts !== action.attempt_count || attempts !== starts],
    ['an attempt without a class', state !== 'sending' && unfinished > 0],
    ['does not rest', isAtRest && !hasEnded && state !== 'attention'],
  ];
  const broken = rules.flatMap(([name, isBroken]) => (isBroken ? [`${kind} ${actionId} (${state}): ${name}`] : []));
  return isAtRest ? [...broken, ...(await findUnaccounted({ pool, executed }))] : broken;
}

/** How often Invo executed a kind since it was reset. */
export async function countExecutions({ executed }: Pick<ActionEnvironment, 'executed'>, kind: ActionKind): Promise<number> {
  return (await executed(ROUTE_OF[kind])).reduce((sum, { executions }) => sum + executions, 0);
}

/** What the action is counted under at Invo. */
function subjectOf({
  kind,
  request_digest,
  reference,
  subject,
}: Pick<StoredAction, 'kind' | 'request_digest' | 'reference' | 'subject'>): string {
  return kind === 'payment_link' ? request_digest.toString('hex') : (reference ?? subject.split(' ')[1] ?? '');
}

/** States that claim that nothing was executed. Of a start Invo counts the reservation, which its end says nothing about. */
const NOTHING_EXECUTED: ReadonlySet<string> = new Set(['awaiting_approval', 'approved', 'refused', 'not_done', 'rejected', 'withdrawn']);
const RESERVES: ReadonlySet<ActionKind> = new Set(['send_start', 'transfer_start']);

/** What Invo executed that no action says, what it executed more than once, and calls that no integrator should make. */
export async function findUnaccounted({ pool, executed }: Pick<ActionEnvironment, 'pool' | 'executed'>): Promise<string[]> {
  const counts = await executed();
  const { rows } = await pool.query<StoredAction>('select kind, state, subject, reference, request_digest from desk_action');
  const executable = rows.filter(({ kind, state }) => !NOTHING_EXECUTED.has(state) || RESERVES.has(kind));
  const accounted = new Set(executable.map((action) => `${ROUTE_OF[action.kind]} ${subjectOf(action)}`));
  const unnamed = new Set(executable.filter(({ kind }) => COUNTED_UNNAMED.has(kind)).map(({ kind }): string => ROUTE_OF[kind]));
  const routes: ReadonlySet<string> = new Set(Object.values(ROUTE_OF));
  return counts.flatMap(({ kind, subject, executions }) => {
    if (kind === 'forbidden') return [`${subject} was called`];
    if (!routes.has(kind) || executions === 0) return [];
    const isAccounted = unnamed.has(kind) || accounted.has(`${kind} ${subject}`);
    return [
      ...(executions > 1 ? [`${kind} of ${subject} was executed ${executions} times`] : []),
      ...(isAccounted ? [] : [`${kind} of ${subject} was executed, and no action says so`]),
    ];
  });
}
