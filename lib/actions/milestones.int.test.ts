import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { EVENT, LANTERN, openWorkerEnvironment, type WorkerEnvironment } from '#e2e/support/actions/worker-environment.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { pause } from '../approvals/pause.ts';
import type { SessionActor } from '../core/roles.ts';
import { readPlayer, readPlayerLoyalty } from '../players/read-player.ts';
import { approveAction } from './approve-action.ts';
import { confirmOutcome, recordOutcome } from './decide-outcome.ts';

let testEnv: WorkerEnvironment;
const opened: WorkerEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openWorkerEnvironment();
  opened.push(testEnv);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

/** How far the player is with the lanterns. */
const lanterns = async (): Promise<string | undefined> => {
  const player = await readPlayer(testEnv.context, PLAYERS.asa);
  const read = player.kind === 'player' ? await readPlayerLoyalty(testEnv.context, player) : null;
  return /"label":"Light[^}]*?"progress":(\{[^}]*\})/.exec(JSON.stringify(read))?.[1];
};

const idOf = (result: Awaited<ReturnType<WorkerEnvironment['request']>>): number => (result.ok ? result.actionId : 0);

describe('A4: a milestone that an outage swallowed', () => {
  test('is sent again as the same bytes until it is recorded, and counts once', async () => {
    const { sam } = testEnv.people;
    const actionId = idOf(await testEnv.request(sam, EVENT, { typed: LANTERN }));
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'awaiting_approval', needsSecondApprover: true });
    await testEnv.settle();
    expect(await testEnv.writes()).toEqual([]);
    expect(await approveAction(testEnv.context, sam, { actionId, contentDigest: '' })).toMatchObject({ ok: false });
    expect(await testEnv.approve(actionId)).toEqual({ ok: true });
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: false, reason: 'moved_on' });
    const before = await lanterns();
    await testEnv.fail('503', { times: 3 });
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'unknown', attempt_count: 1, unanswered_count: 1 });
    for (const state of ['unknown', 'unknown', 'done']) {
      await testEnv.laterTurn();
      expect((await testEnv.find(actionId)).state).toBe(state);
    }
    expect(await testEnv.executed('server-events')).toMatchObject([{ executions: 1, calls: 4 }]);
    expect(new Set((await testEnv.writes()).map(({ bodySha256 }) => bodySha256)).size).toBe(1);
    expect([before, await lanterns()]).toEqual(['{"current":2,"target":5}', '{"current":3,"target":5}']);
    const { rows } = await testEnv.pool.query('select request_bytes from desk_action');
    expect(rows).toEqual([{ request_bytes: null }]);
  });
});

describe('A5: a milestone', () => {
  const ended = async (typed: Record<string, string> = LANTERN) => {
    const actionId = await testEnv.reported(typed);
    await testEnv.settle();
    const { state, last_error_code, attempts } = await testEnv.find(actionId);
    return { state, last_error_code, words: attempts.at(-1)?.words };
  };

  test('of a game that isn’t set up for loyalty is refused', { tags: 'proof' }, async () => {
    await testEnv.control('POST', 'shape', { loyalty: 'not_set_up' });
    expect((await ended()).state).toBe('refused');
  });

  test.each(
    proofCases(1, [
      [{ name: 'not_registered' }, 'The event not_registered is not registered.'],
      [{ value: '11' }, 'value must be a number from 1 to 10.'],
    ]),
  )('with %j is refused, in Invo’s words', async (typed, words) => {
    expect(await ended({ ...LANTERN, ...typed })).toEqual({ state: 'refused', last_error_code: 'validation_failed', words });
  });

  test('is recorded by an answer without a body', { tags: 'proof' }, async () => {
    await testEnv.control('POST', 'shape', { 'server-events': 'empty' });
    expect((await ended()).state).toBe('done');
  });

  test('that a 409 follows a lost answer stays unknown, and its repeat is recorded once', { tags: 'proof' }, async () => {
    const actionId = await testEnv.reported();
    await testEnv.fail('event_409_after_silence');
    await testEnv.settle();
    await testEnv.laterTurn();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'unknown', attempt_count: 2 });
    await testEnv.laterTurn();
    expect((await testEnv.find(actionId)).state).toBe('done');
    expect(await testEnv.executed('server-events')).toMatchObject([{ executions: 1, calls: 3 }]);
  });

  test('of a player that Invo doesn’t know makes none, and nothing is sent', { tags: 'proof' }, async () => {
    expect(await testEnv.request(testEnv.people.sam, { ...EVENT, playerId: 4_040 }, { typed: LANTERN })).toMatchObject({
      reason: 'blocked',
    });
    await testEnv.control('POST', 'move', { player_email: 'asa.venn@players.example', player_id: 910_099 });
    expect(await testEnv.request(testEnv.people.sam, EVENT, { typed: LANTERN })).toMatchObject({ blocker: 'other_player' });
    expect(await testEnv.writes()).toEqual([]);
  });

  test.each(
    proofCases(1, [
      [
        { ...LANTERN, name: 'boss' },
        { reason: 'blocked', blocker: 'milestone_not_added' },
      ],
      [
        { ...LANTERN, event_type: 'game.milestone.reached' },
        { reason: 'blocked', blocker: 'milestone_not_added' },
      ],
      [
        { ...LANTERN, occurred_at: '2026-11-21T12:05:00Z' },
        { reason: 'blocked', blocker: 'time_ahead' },
      ],
      [
        { ...LANTERN, occurred_at: '2026-10-21T12:00:00Z' },
        { reason: 'blocked', blocker: 'time_too_old' },
      ],
      [{ ...LANTERN, event_type: 'game.session.started' }, { reason: 'not_a_request' }],
    ]),
  )('%j is not requested', async (typed, refusal) => {
    expect(await testEnv.request(testEnv.people.sam, EVENT, { typed })).toEqual({ ok: false, ...refusal });
  });

  test('whose facts changed after the approval expires unsent', { tags: 'proof' }, async () => {
    const actionId = await testEnv.reported();
    await testEnv.control('POST', 'move', { player_email: 'asa.venn@players.example', player_id: 910_099 });
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'lapsed', attempt_count: 0 });
  });

  test('waits while actions are paused, and expires when its day is over', { tags: 'proof' }, async () => {
    const actionId = await testEnv.reported();
    await pause(testEnv.context.game, testEnv.people.fiona as SessionActor, { what: 'desk actions', why: 'A look first.' });
    await testEnv.settle();
    await testEnv.laterTurn();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'approved', attempt_count: 0 });
    await testEnv.nextDay();
    expect((await testEnv.find(actionId)).state).toBe('lapsed');
    expect(await testEnv.writes()).toEqual([]);
  });

  test('that Invo answers with 429 all day expires', { tags: 'proof' }, async () => {
    const actionId = await testEnv.reported();
    await testEnv.fail('429', { code: null });
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'waiting', attempt_count: 1, unanswered_count: 0 });
    await testEnv.nextDay();
    expect((await testEnv.find(actionId)).state).toBe('lapsed');
    expect(await testEnv.executed('server-events')).toMatchObject([{ executions: 0 }]);
  });

  test('that Invo answers with 503 all day needs two people', { tags: 'proof' }, async () => {
    const { sam, sara, fiona } = testEnv.people;
    const actionId = await testEnv.reported();
    await testEnv.fail('503');
    await testEnv.settle();
    await testEnv.nextDay();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'not_settled', attempt_count: 1 });
    const { game } = testEnv.context;
    expect(await recordOutcome(game, sara, { actionId, decision: 'done', text: 'The card shows it.' })).toEqual({ ok: true });
    expect(await confirmOutcome(game, sam, { actionId, decisionNo: 1 })).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await confirmOutcome(game, fiona, { actionId, decisionNo: 1 })).toEqual({ ok: true });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'people' });
  });

  test('whose stored bytes were altered is not sent', async () => {
    const actionId = await testEnv.reported();
    await testEnv.alter(`request_bytes = request_bytes || ' '`);
    await testEnv.laterTurn();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'content_altered' });
    expect(await testEnv.writes()).toEqual([]);
  });

  test('never changes its bytes, nor who repeats it', { tags: 'proof' }, async () => {
    await testEnv.reported();
    await expect(testEnv.pool.query(`update desk_action set request_bytes = 'x'`)).rejects.toThrow(
      'the bytes of a desk action never change',
    );
    await expect(testEnv.pool.query(`update desk_action set state = 'waiting', unanswered_count = 1`)).rejects.toThrow(
      'desk_action_unsent',
    );
    await expect(
      testEnv.pool.query(`insert into desk_action (game_id, kind, repeats, draft_id, subject, player_id, facts, request_digest, content_digest,
        reason_code, state, requested_by, needs_second_approver)
      select game_id, kind, 'person', gen_random_uuid(), 'x', player_id, facts, request_digest, content_digest, reason_code, 'awaiting_approval', requested_by, true
      from desk_action`),
    ).rejects.toThrow('desk_action_kind');
  });
});
