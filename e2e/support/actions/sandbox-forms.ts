import { confirmOutcome, recordOutcome, rereadAction } from '#lib/actions/decide-outcome.ts';
import type { ActionTarget } from '#lib/actions/read-action-facts.ts';
import { type ActionEnvironment, openActionEnvironment, SANDBOX_PLAYERS, SENDER } from './action-environment.ts';
import { ROUTE_OF } from './find-violations.ts';

/** What is requested of a kind, with what people enter at its press; `isSandbox`: only games of the sandbox have it. */
interface PressedForm {
  target: ActionTarget;
  typed: Record<string, string>;
  entered: string;
  /** The player's phone, where Invo wants it beside a claim code; empty: none. */
  phone: string;
  isSandbox: boolean;
}

const LANTERN = { event_type: 'game.custom.recorded', name: 'lantern_lit', value: '3', occurred_at: '2026-11-20T18:30:00Z' };
const CODE = 'canary-claim-code-TRF_IN';
const PHONE = '+4915112345678';
const asa = { playerId: SANDBOX_PLAYERS.asa };

const FORMS: (Omit<PressedForm, 'phone'> & { phone?: string })[] = [
  { target: { kind: 'purchase', ...asa }, typed: { usd_amount: '9.99' }, entered: 'pm_ok', isSandbox: true },
  {
    target: { kind: 'purchase', ...asa },
    typed: { usd_amount: '9.99', save_card: 'true' },
    entered: 'pm_unknown_landed',
    isSandbox: true,
  },
  { target: { kind: 'card_setup', ...asa }, typed: {}, entered: 'pm_ok', isSandbox: true },
  { target: { kind: 'client_event', ...asa }, typed: LANTERN, entered: '', isSandbox: true },
  { target: { kind: 'rewards_page', ...asa }, typed: {}, entered: '', isSandbox: true },
  { target: { kind: 'claim', transactionId: 'TRF_IN' }, typed: {}, entered: CODE, isSandbox: false },
  { target: { kind: 'claim', transactionId: 'TRF_IN', phone: PHONE }, typed: {}, entered: CODE, phone: PHONE, isSandbox: false },
];

/** The tools of the sandbox, and a claim: what is sent with something that is entered at each press, or acts as the player. */
export const PRESSED_FORMS: PressedForm[] = FORMS.map((form) => ({ phone: '', ...form }));

/** Opens a game that has the kind of a form; where a claim takes the phone, Invo named it in its answer to an earlier one. */
export async function openForForm(form: PressedForm): Promise<ActionEnvironment> {
  const testEnv = await openActionEnvironment({}, form.isSandbox);
  await testEnv.pool.query(`insert into action_switch (game_id, action_group, is_on) select game_id, 'transfers', true from game`);
  if (form.phone !== '') {
    await testEnv.control('POST', 'shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
    const earlier = await testEnv.request(testEnv.people.sam, form.target, { entered: form.entered });
    if (!earlier.ok) throw new Error(JSON.stringify(earlier));
    await testEnv.press(testEnv.people.sam, earlier.actionId, SENDER, form.entered);
    await passDay(testEnv);
  }
  return testEnv;
}

/** Forgets what Invo has, and requests the action as support does. */
export async function requestAnew({ upstream, control, pool, request, people }: ActionEnvironment, form: PressedForm): Promise<number> {
  upstream.reset();
  for (const environment of ['production', 'sandbox']) await control('POST', 'game', { environment, rateLimit: false });
  // The worker's turns are for this action: wallets are read after earlier ones too.
  await pool.query('update rate_bucket set paused_until = null; update desk_action set next_look_at = null where ended_at is not null');
  const { target, typed, entered } = form;
  if (form.phone !== '') await control('POST', 'shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
  const requested = await request(people.sam, target, { typed, entered, isAlikeConfirmed: true });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  return requested.actionId;
}

/** A day later: no reading settles it any more. */
export async function passDay({ control, pool, settle }: ActionEnvironment): Promise<void> {
  await control('POST', 'clock', { now: '2026-11-22T12:30:00Z' });
  await pool.query(
    `alter table desk_action disable trigger desk_action_kept;
     update desk_action set approved_at = approved_at - interval '25 hours', first_sent_at = first_sent_at - interval '25 hours',
       last_sent_at = last_sent_at - interval '25 hours', settle_until = settle_until - interval '25 hours', next_look_at = clock_now()
     where ended_at is null;
     alter table desk_action enable trigger desk_action_kept`,
  );
  await settle();
}

/** Two people record what the service executed of an action that needs attention, so that the next one of its subject can be requested. */
export async function endByPeople({ context, people, find, executed }: ActionEnvironment, actionId: number): Promise<void> {
  const { state, kind, reference } = await find(actionId);
  if (state !== 'attention') return;
  const counts = await executed(ROUTE_OF[kind]);
  const isDone = counts.some(({ subject, executions }) => executions > 0 && (reference === null || subject === reference));
  await rereadAction(context, people.sam, actionId);
  const decision = isDone ? 'done' : 'not_done';
  const recorded = await recordOutcome(context.game, people.sam, { actionId, decision, text: 'As Invo’s console shows.' });
  if (!recorded.ok) throw new Error(JSON.stringify(recorded));
  if ((await find(actionId)).state !== 'attention') return;
  const confirmed = await confirmOutcome(context.game, people.gus, { actionId, decisionNo: 1 });
  if (!confirmed.ok) throw new Error(JSON.stringify(confirmed));
}
