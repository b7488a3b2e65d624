// @module-tag no-retry
// @module-tag proof
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { MemoryStore, type StoredAction } from '#e2e/support/actions/memory-store.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { type Chance, openChance } from '#e2e/support/refunds/world.ts';
import type { ActionChange, ActionJob, ActionStore } from './rules/action-ports.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { ANSWER_CLASSES } from './rules/protocol.ts';
import { NO_ANSWER } from './send-approved.ts';
import { openActionStore } from './writes/action-store.ts';

const SEQUENCES = 500;
const STEPS = 12;
const OWNERS = ['web a', 'web b'] as const;
const HOUR = 3_600_000;

let testEnv: ActionEnvironment;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
});
afterAll(() => testEnv.close());

/** What a store does with one action, in one step. */
type Step = (store: ActionStore) => Promise<unknown>;

test(`the store of histories does what Postgres does, in ${SEQUENCES} random sequences of steps`, { timeout: 1_200_000 }, async () => {
  let steps = 0;
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const chance = openChance(seed);
    const actionId = await request(chance);
    const real = openStores();
    const memory = new MemoryStore(() => Date.now());
    memory.actions.push(await copyOf(actionId));
    const trace: string[] = [];
    earlier.length = 0;
    for (let index = 0; index < STEPS; index++) {
      const { name, step, owner } = nextStep(chance, await copyOf(actionId), seed + index);
      trace.push(name);
      const [one, other] = [
        await outcomeOf(step, real[owner]),
        await outcomeOf(
          step,
          memory.as(owner, async (_, work) => work()),
        ),
      ];
      expect([trace, other]).toEqual([trace, one]);
      steps++;
      // A refused statement changed nothing; the memory store is not undone.
      if (one === 'refused') break;
      expect([trace, shownOf(memory.get(actionId))]).toEqual([trace, shownOf(await copyOf(actionId))]);
    }
    await rest(actionId);
  }
  recordFigure('the store of histories against Postgres', `${SEQUENCES} sequences, ${steps} steps, each with the same end`);
});

async function request(chance: Chance): Promise<number> {
  const [target, typed] = chance.happens(0.5)
    ? ([{ kind: 'payment_link', playerId: PLAYERS.asa }, { usd_amount: '0.01' }] as const)
    : ([{ kind: 'card_confirm', playerId: PLAYERS.asa }, { setup_intent_id: `seti_${randomUUID().slice(0, 8)}` }] as const);
  const requested = await testEnv.request(testEnv.people.sam, target, { typed, isAlikeConfirmed: true });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  return requested.actionId;
}

function openStores(): Record<(typeof OWNERS)[number], ActionStore> {
  const { db, gameId } = testEnv.context.game;
  return { 'web a': openActionStore(db, 'web a', gameId), 'web b': openActionStore(db, 'web b', gameId) };
}

/** The action as the memory store has it. */
async function copyOf(actionId: number): Promise<StoredAction> {
  const job = await openStores()['web a'].find(actionId);
  if (job === null) throw new Error(`no desk action ${actionId}`);
  const { rows } = await testEnv.pool.query<Omit<StoredAction, keyof ActionJob>>(
    `select subject, (extract(epoch from next_look_at) * 1000)::float8 as "checkAt", lease_owner, attention_reason, outcome_source, null as "lastReadAt",
       (select coalesce(json_agg(json_build_object('no', attempt_no, 'class', class) order by attempt_no), '[]') from desk_action_attempt attempt
         where attempt.game_id = desk_action.game_id and attempt.action_id = desk_action.action_id) as attempts from desk_action where action_id = $1`,
    [actionId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no desk action ${actionId}`);
  return { ...job, ...row };
}

function shownOf({
  state,
  version,
  attempt_count,
  unanswered_count,
  lease_owner,
  attention_reason,
  outcome_source,
  attempts,
}: StoredAction): object {
  return { state, version, attempt_count, unanswered_count, lease_owner, attention_reason, outcome_source, attempts };
}

/** What a step returned, or that it was refused. */
async function outcomeOf(step: Step, store: ActionStore): Promise<unknown> {
  try {
    return await step(store);
  } catch {
    return 'refused';
  }
}

/** The action as it was before each step of the sequence. */
const earlier: ActionJob[] = [];

function nextStep(chance: Chance, now: ActionJob, number: number): { name: string; step: Step; owner: (typeof OWNERS)[number] } {
  const owner = chance.among(OWNERS);
  earlier.push(now);
  const job = chance.happens(0.2) ? chance.among(earlier) : now;
  const change = changeOf(chance, number);
  const { sam, sara } = testEnv.people;
  const later = Date.now() + chance.among([-HOUR, HOUR]);
  const presser = chance.happens(0.9) ? sam : sara;
  const kinds: [string, Step][] = [
    ['begin', async (store) => await store.begin(job, presser)],
    ['begin', async (store) => await store.begin(job, presser)],
    ['take due', async (store) => (await store.takeDue())?.version ?? null],
    ['move', async (store) => await store.move(job, ACTION_ACTS.settled, change)],
    ['postpone', async (store) => await store.postpone(job, later)],
    ...Array.from({ length: 4 }, (): [string, Step] => {
      const isSilence = chance.happens(0.3);
      const meaning = isSilence ? 'no_answer' : chance.among(ANSWER_CLASSES);
      const answer = isSilence ? NO_ANSWER : { ...NO_ANSWER, phase: 'answered' as const, status: 200, transportError: null };
      const attempt_no = Math.max(1, now.attempt_count - (chance.happens(0.1) ? 1 : 0));
      const step: Step = async (store) => await store.finish(job, attempt_no, { class: meaning, answer, result: null }, change);
      return [`finish ${attempt_no} ${meaning}`, step];
    }),
  ];
  const [kind, step] = chance.among(kinds);
  return { name: `${kind} on version ${job.version}, by ${owner}, to ${change.state}`, step, owner };
}

function changeOf(chance: Chance, number: number): ActionChange & { state: NonNullable<ActionChange['state']> } {
  const checkAt = chance.among([Date.now() - HOUR, Date.now() + HOUR, null]);
  const unanswered_count = number % 3;
  switch (chance.among(['approved', 'checking', 'unknown', 'attention', 'done', 'refused', 'not_done', 'lapsed'] as const)) {
    case 'checking':
      return { state: 'checking', checkAt, settleUntil: Date.now() + chance.among([-HOUR, HOUR]), unanswered_count };
    case 'unknown':
      return { state: 'unknown', checkAt, settleUntil: Date.now() + HOUR, unanswered_count };
    case 'attention':
      return { state: 'attention', checkAt: null, attention_reason: 'not_settled' };
    case 'done':
      return { state: 'done', checkAt: null, settleUntil: null, outcome_source: 'answer', unanswered_count };
    case 'refused':
      return { state: 'refused', checkAt: null, unanswered_count: 0 };
    case 'not_done':
      return { state: 'not_done', checkAt: null, settleUntil: null };
    case 'lapsed':
      return { state: 'lapsed', checkAt: null };
    case 'approved':
      return { state: 'approved', checkAt, unanswered_count: 0 };
  }
}

/** Takes the action out of the way of the next one. */
async function rest(actionId: number): Promise<void> {
  const job = await copyOf(actionId);
  const attention = { state: 'attention', checkAt: null, attention_reason: 'not_settled' } as const;
  if (job.state === 'sending') await openStores()['web a'].move(job, ACTION_ACTS.needsAttention, attention);
  await testEnv.pool.query('update desk_action set next_look_at = null where action_id = $1 and next_look_at is not null', [actionId]);
}
