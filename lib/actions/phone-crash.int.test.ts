// @module-tag no-retry
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failPress } from '#e2e/support/actions/fail-press.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { HOLDER, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { proofCases, proofSize, recordFigure } from '#e2e/support/proof.ts';
import { WAYS } from '#e2e/support/refunds/fail-at-step.ts';
import type { GameContext } from '../games/game-context.ts';
import { answerPhone, textOwner } from './answer-phone.ts';
import { approveAction } from './approve-action.ts';
import { moveCoins } from './move-coins.ts';
import { pressAction } from './press-action.ts';

const MINUTE = 60_000;
const PHONE = '+4915112345678';
const DARA = { playerId: 910_029, phone: '+4915100910029', amount: '20.00' };

let testEnv: SendEnvironment;
let side: pg.Client;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
  side = new pg.Client({ connectionString: testEnv.url });
  await side.connect();
});
afterAll(async () => {
  await side.end();
  await testEnv.close();
});

/** What a process does that fails, and which action it is about. */
interface Form {
  name: string;
  /** Prepares it, up to the press that fails. */
  prepare(): Promise<number>;
  press(context: GameContext, actionId: number, owner: string): Promise<unknown>;
  /** The action that was pressed; 0: none is stored yet. */
  find(actionId: number): Promise<number>;
  ends: string[];
}

const stepOf = async (startId: number): Promise<number> => (await testEnv.findStep(startId))?.actionId ?? 0;
const press = async (context: GameContext, actionId: number, owner: string, entered = ''): Promise<unknown> =>
  await pressAction(context, testEnv.people.sam, actionId, { ...HOLDER, owner }, entered);
const itself = async (actionId: number): Promise<number> => actionId;
const move = async (context: GameContext, startId: number, owner: string): Promise<unknown> =>
  await moveCoins(context, testEnv.people.sam, { startId, draftId: randomUUID() }, { ...HOLDER, owner });

const FORMS: Form[] = [
  {
    name: 'an approval of a transfer',
    prepare: async () => await testEnv.transferApprovedOnPhone(),
    press: move,
    find: stepOf,
    ends: ['done', 'not_done', 'none'],
  },
  {
    name: 'a receipt',
    prepare: async () => {
      const requested = await testEnv.request(testEnv.people.sam, { kind: 'receipt', transactionId: 'TRF_IN', actionId: null });
      if (!requested.ok) throw new Error(JSON.stringify(requested));
      await testEnv.ask(requested.actionId);
      await testEnv.phone('approve');
      await testEnv.watch(requested.actionId);
      return requested.actionId;
    },
    press,
    find: itself,
    ends: ['done', 'not_done'],
  },
  {
    name: 'an approval of a send',
    prepare: async () => await testEnv.approvedOnPhone(),
    press: move,
    find: stepOf,
    ends: ['done', 'not_done', 'none'],
  },
  {
    name: 'a start of a transfer',
    prepare: async () => await testEnv.transferApproved(),
    press: async (context, actionId, owner) => await press(context, actionId, owner, PHONE),
    find: itself,
    ends: ['lapsed'],
  },
  {
    name: 'a start of a send',
    prepare: async () => await testEnv.approved(),
    press: async (context, actionId, owner) => await press(context, actionId, owner, PHONE),
    find: itself,
    ends: ['lapsed'],
  },
  {
    name: 'a text to the owner of a phone',
    prepare: async () => {
      await testEnv.control('POST', 'shape', { 'phone-share-initiate': 'not_texted' });
      const startId = await testEnv.transferApproved(DARA);
      await testEnv.start(startId, DARA.phone);
      await testEnv.control('POST', 'shape', { 'phone-share-initiate': 'plain' });
      return startId;
    },
    press: async (context, startId, owner) =>
      await textOwner(context, testEnv.people.sam, { startId, draftId: randomUUID() }, { ...HOLDER, owner }),
    find: stepOf,
    ends: ['done', 'lapsed'],
  },
  {
    name: 'an answer to a new phone',
    prepare: async () => {
      const startId = await testEnv.transferApproved();
      await testEnv.start(startId);
      await testEnv.ask(startId);
      await testEnv.phone('enrol');
      await testEnv.watch(startId);
      return startId;
    },
    press: async (context, startId, owner) =>
      await answerPhone(context, testEnv.people.sam, { startId, draftId: randomUUID(), decision: 'deny' }, { ...HOLDER, owner }),
    find: stepOf,
    ends: ['done', 'lapsed'],
  },
  {
    name: 'a second person’s yes to a new phone',
    prepare: async () => {
      const startId = await testEnv.approved();
      await testEnv.start(startId);
      await testEnv.ask(startId);
      await testEnv.phone('enrol');
      await testEnv.watch(startId);
      const requested = await answerPhone(
        testEnv.context,
        testEnv.people.sam,
        { startId, draftId: randomUUID(), decision: 'approve' },
        HOLDER,
      );
      const actionId = requested.ok ? requested.actionId : 0;
      const { contentDigest } = await testEnv.find(actionId);
      const approved = await approveAction(testEnv.context, testEnv.people.fiona, { actionId, contentDigest });
      if (!approved.ok) throw new Error(JSON.stringify(approved));
      return actionId;
    },
    press,
    find: itself,
    ends: ['done', 'lapsed'],
  },
];

test.each(proofCases(1, FORMS))(
  '$name that fails at any step is executed once at most, and what is stored claims nothing else',
  { timeout: 1_800_000 },
  async ({ prepare, press: work, find, ends, name }) => {
    const prepared = async (): Promise<number> => {
      await testEnv.startOver();
      return await prepare();
    };
    const fail = async (actionId: number, step: number, way: (typeof WAYS)[number]) =>
      await failPress(testEnv, side, { step, way }, async (context) => await work(context, actionId, `web ${actionId}`));
    const { steps } = await fail(await prepared(), 0, 'cut_off');
    const stride = proofSize(Math.ceil(steps.length / 3), 1);
    const reached = new Set<string>();
    const broken: string[] = [];
    for (let index = 0; index < steps.length; index += stride) {
      const way = WAYS[(index / stride) % WAYS.length] ?? 'killed_before';
      if (way === 'answer_lost' && /^(GET|POST) /.test(steps[index] ?? '')) continue;
      const preparedId = await prepared();
      await fail(preparedId, index + 1, way);
      const violations = await violationsOf(await find(preparedId), false);
      await settleToRest(preparedId, work);
      const actionId = await find(preparedId);
      violations.push(...(await violationsOf(actionId, true)));
      const state = actionId === 0 ? 'none' : await testEnv.stateOf(actionId);
      reached.add(state);
      if (!ends.includes(state)) violations.push(`ends as ${state}`);
      broken.push(...violations.map((violation) => `step ${index + 1} (${steps[index]}) ${way}: ${violation}`));
    }
    expect(broken).toEqual([]);
    expect(steps.length).toBeGreaterThan(20);
    recordFigure(`kills of ${name}`, `${steps.length} steps, ${broken.length} violations; ends: ${[...reached].join(', ')}`);
  },
);

/** Invo executes a start when it reserves coins, which says nothing of its end: of it the other rules hold. */
const STARTS: ReadonlySet<string> = new Set(['send_start', 'transfer_start']);

async function violationsOf(actionId: number, isAtRest: boolean): Promise<string[]> {
  if (actionId === 0) return [];
  const found = await findViolations(testEnv, actionId, { isAtRest });
  const isStart = STARTS.has((await testEnv.find(actionId)).kind);
  return isStart ? found.filter((violation) => !/and executed|not executed/.test(violation)) : found;
}

/** The worker records silence, the person presses once more, and in the end every window is over. */
async function settleToRest(preparedId: number, work: Form['press']): Promise<void> {
  const settle = async (): Promise<void> => {
    await testEnv.pool.query(
      `update desk_action set next_look_at = clock_now() where next_look_at is not null and not (state = 'approved' and repeats <> 'worker')`,
    );
    await testEnv.settle();
  };
  await settle();
  await work(testEnv.context, preparedId, 'web later').catch(() => null);
  const { now } = await testEnv.control('GET', 'clock');
  await testEnv.control('POST', 'clock', { now: new Date(Date.parse(String(now)) + 31 * MINUTE).toISOString() });
  await testEnv.pool.query(`alter table desk_action disable trigger desk_action_kept;
    update desk_action set last_sent_at = last_sent_at - interval '31 minutes', waits_until = waits_until - interval '31 minutes' where ended_at is null;
    alter table desk_action enable trigger desk_action_kept`);
  await settle();
  await testEnv.makeDue();
  await testEnv.settle();
  await testEnv.control('POST', 'clock', { now });
}
