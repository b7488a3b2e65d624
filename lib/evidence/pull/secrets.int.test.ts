import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findGameSettings } from '#lib/games/reads/game-settings.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const testEnv: TestEnvironment = await openTestEnvironment({ secret: 'canary-current', previousSecret: 'canary-previous' });
beforeEach(async () => {
  await testEnv.control('POST', 'reset');
  await testEnv.control('POST', 'game', { rateLimit: false });
});
afterAll(() => testEnv.close());

test('a wrong secret is reported in one sentence and not retried', async () => {
  const { job } = await testEnv.pull(DAY, { changed: { gameSecret: 'canary-wrong' } });
  expect(job.failure).toMatchObject({
    code: 'unauthorized',
    sentence: expect.stringMatching(/^Invo refused the game secret\. .*Configure the secret of this game and environment\./),
  });
  expect(await testEnv.calls()).toHaveLength(1);
});

test('a game that isn’t live is distinguished from a wrong secret', async () => {
  await testEnv.control('POST', 'game', { status: 'suspended' });
  const { job } = await testEnv.pull(DAY, { changed: { gameSecret: 'canary-current' } });
  expect(job.failure).toMatchObject({
    code: 'not_live',
    sentence: expect.stringMatching(/^Invo says this game is neither live nor in testing/),
  });
});

test('while the secret rotates, the previous one is used, and its use is recorded with the game’s clock', async () => {
  await testEnv.control('POST', 'game', { rotation: 'previous' });
  const { snapshot } = await testEnv.pull(DAY, { changed: { gameSecret: 'canary-current', gameSecretPrevious: 'canary-previous' } });
  expect(snapshot?.status).toBe('complete');
  await expect
    .poll(
      async () => (await testEnv.db.selectFrom('game').select('previous_secret_used_at').executeTakeFirstOrThrow()).previous_secret_used_at,
    )
    .toMatch(/^2026-11-21T12:00:00/);
});

describe('while Invo accepts the previous secret alone', () => {
  const both = { gameSecret: 'canary-current', gameSecretPrevious: 'canary-previous' };
  const look = async (): Promise<{ refused: number; isInUse: boolean | undefined }> => {
    await testEnv.forgetCalls();
    expect((await testEnv.pull(DAY, { changed: both })).job.state).toBe('done');
    const refused = (await testEnv.calls()).filter(({ status }) => status === 401).length;
    const { gameId } = await testEnv.game();
    return { refused, isInUse: (await findGameSettings(testEnv.db, [gameId])).get(gameId)?.health.isPreviousSecretInUse };
  };
  beforeEach(async () => {
    await testEnv.pool.query('update game set previous_secret_until = null');
    await testEnv.control('POST', 'game', { rotation: 'previous' });
    expect(await look()).toEqual({ refused: 1, isInUse: true });
  });

  test('the next process starts with it, and is refused nothing', async () => {
    expect(await look()).toEqual({ refused: 0, isInUse: true });
  });

  test('the current one is tried again after an hour, in one call', async () => {
    await testEnv.pool.query('update game set previous_secret_until = clock_now()');
    expect(await look()).toEqual({ refused: 1, isInUse: true });
    expect(await look()).toEqual({ refused: 0, isInUse: true });
  });

  test('the current one is used again once Invo accepts it after that hour', async () => {
    await testEnv.control('POST', 'game', { rotation: 'grace' });
    expect(await look(), 'within the hour').toEqual({ refused: 0, isInUse: true });
    await testEnv.pool.query('update game set previous_secret_until = clock_now()');
    expect(await look()).toEqual({ refused: 0, isInUse: false });
  });

  test('the current one is used again as soon as Invo refuses the previous one', async () => {
    await testEnv.control('POST', 'game', { rotation: 'current' });
    expect(await look()).toEqual({ refused: 1, isInUse: false });
    expect(await look()).toEqual({ refused: 0, isInUse: false });
  });
});

test('an answer about another game than the pinned one is refused, whatever the configuration says', async () => {
  await testEnv.pull(DAY, { changed: { gameSecret: 'canary-current' } });
  const { invo_game_id: pinned } = await testEnv.db.selectFrom('game').select('invo_game_id').executeTakeFirstOrThrow();
  expect(pinned).toBe('41207');
  await testEnv.control('POST', 'faults', [{ kind: 'wrong_game', times: 9 }]);
  const slices = await countSlices();
  const configured = await testEnv.pull(DAY, { isFresh: true, changed: { gameSecret: 'canary-current', gameId: '99999' } });
  expect(configured.job.failure).toMatchObject({
    code: 'another_game',
    sentence: expect.stringMatching(/game 99999, but Sharebook's data belongs to its game 41207/),
  });
  expect(await countSlices()).toBe(slices);
});

test('the first report stores the game ID pinned by the configuration', async () => {
  const fresh = await openTestEnvironment();
  await fresh.pull(DAY, { changed: { gameId: '41207' } });
  const row = await fresh.db.selectFrom('game').select('invo_game_id').executeTakeFirstOrThrow();
  await fresh.close();
  expect(row.invo_game_id).toBe('41207');
});

test('no secret is stored anywhere in the database', async () => {
  const bodies = await testEnv.db.selectFrom('response').select(['body', 'request']).execute();
  const pulls = await testEnv.db.selectFrom('pull').selectAll().execute();
  const audit = await testEnv.db.selectFrom('audit').selectAll().execute();
  expect([bodies.length, pulls.length, audit.length].every((count) => count > 2)).toBe(true);
  expect(
    bodies.map(({ body, request }) => request + gunzipSync(body).toString('latin1')).join() + JSON.stringify([pulls, audit]),
  ).not.toContain('canary');
});

async function countSlices(): Promise<number> {
  return (await testEnv.db.selectFrom('slice').select('slice_id').execute()).length;
}
