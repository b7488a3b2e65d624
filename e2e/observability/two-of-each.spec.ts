import { expect, test } from '#e2e/fixtures.ts';
import { signInAs } from '#e2e/pages/sign-in-page.ts';
import { ownData } from '#e2e/pages/simulated-invo.ts';
import { runSharebook } from '#e2e/runner/run-sharebook.ts';
import { copySeed, FIXED_NOW, removeData } from '#e2e/runner/seeded-data.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { monthWindow } from '#lib/core/month.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { processVariables, waitUntilReady, webPlan, workerPlan } from '#lib/start/serve.ts';
import { join, launch, stop } from './second-web.ts';

test('two web processes and two workers are one Sharebook, and one of each is killed in the middle of a pull', {
  tag: ['@proof', '@no-retry'],
}, async ({ browser }) => {
  test.setTimeout(400_000);
  const data = `${ownData()}-pair`;
  const ports = [await findFreePort(), await findFreePort()] as const;
  copySeed(data);
  const first = await runSharebook(ports[0], data, { SHAREBOOK_NOW: FIXED_NOW });
  const joined = await join(data);
  const second = { host: '127.0.0.1', port: ports[1], url: `http://127.0.0.1:${ports[1]}` };
  const variables = { ...processVariables(joined.env, second, 'production'), HOST: '127.0.0.1' };
  const children = [launch(webPlan(second, variables)), launch(workerPlan(variables))];
  const { db, pool, close } = openWithPool(joined.env['DATABASE_MIGRATE_URL'] ?? '');
  const control = async (method: string, target: string, body?: unknown): Promise<Record<string, unknown>> => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await (await fetch(`${joined.env['INVO_BASE_URL']}/__control/${target}`, init)).json()) as Record<string, unknown>;
  };
  const context = await browser.newContext({ baseURL: first.origin, storageState: { cookies: [], origins: [] } });
  try {
    await waitUntilReady(second);
    const page = await context.newPage();
    await signInAs(page, 'finance');
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const get = async (origin: string, target: string): Promise<Response> =>
      await fetch(`${origin}${target}`, { headers: { cookie }, redirect: 'manual' });
    // One session: a sign-in at the first process counts at the second.
    expect((await get(second.url, '/demo/months')).status).toBe(200);

    const window = monthWindow('2026-10', 'UTC');
    // Of this month alone: the schedule has calls of its own.
    await control('POST', 'faults', [{ kind: 'hold', match: { query: { start: window.start } } }]);
    const { gameId } = (await pool.query<{ gameId: number }>(`select game_id as "gameId" from game where slug = 'demo'`)).rows[0] ?? {
      gameId: 0,
    };
    const result = await requestPull(db, {
      gameId,
      window,
      isFresh: true,
      requestedBy: 'test',
      now: FIXED_NOW,
      settleLag_minutes: 15,
    });
    if (!result.ok) throw new Error(result.reason);
    await expect.poll(async () => (await control('GET', 'held'))['held']).toBe(1);
    const readPull = async (): Promise<{ state: string; lease_owner: string | null; attempt_count: number }> =>
      (await pool.query(`select state, lease_owner, attempt_count from pull where game_id = $1 and pull_id = $2`, [gameId, result.pullId]))
        .rows[0];
    const progress = async (origin: string): Promise<unknown> => await (await get(origin, `/demo/jobs/pull/${result.pullId}`)).json();
    // One progress: both processes show the same pull, whichever worker has it.
    expect(await progress(second.url)).toMatchObject({ state: 'running' });
    expect(await progress(first.origin)).toMatchObject({ state: 'running' });

    const owner = Number((await readPull()).lease_owner?.split(' ').at(-1));
    process.kill(owner, 'SIGKILL');
    const [web] = children;
    web?.kill('SIGKILL');
    await control('DELETE', 'faults');
    // What the next two minutes would do: the lease of the dead worker ends, and the tick wakes the pull.
    await pool.query(`update pull set lease_until = clock_now() where game_id = $1 and pull_id = $2`, [gameId, result.pullId]);
    await pool.query('select wake_overdue($1)', [gameId]);
    await expect.poll(async () => await progress(first.origin), { timeout: 100_000 }).toMatchObject({ state: 'done' });
    expect(await readPull()).toMatchObject({ state: 'done', attempt_count: 2 });
    expect((await get(first.origin, '/demo/months/2026-10')).status).toBe(200);

    // One budget and one schedule: Invo refused nobody, no minute holds more calls than allowed, and no window was pulled twice at once.
    const { calls } = (await control('GET', 'calls')) as { calls: { status: number }[] };
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    const { rows: minutes } = await pool.query<{ most: number }>(
      `select coalesce(max(count), 0)::int as most from (
         select count(*) over (partition by game_id order by called_at range between '1 minute' preceding and current row)
         from rate_call where bucket = 'aggregate') as minute`,
    );
    expect(minutes[0]?.most).toBeLessThanOrEqual(58);
    const { rows: scheduled } = await pool.query(
      `select window_start, count(*)::int from pull where requested_by = 'schedule' and state in ('queued', 'running') group by 1 having count(*) > 1`,
    );
    expect(scheduled).toEqual([]);
  } finally {
    await context.close();
    await Promise.all(children.map(stop));
    await close();
    await joined.stop();
    await first.stop();
    await removeData(data);
  }
});

test('who signs out at one web process is signed out at the other', { tag: '@proof' }, async ({ browser, sharebook }) => {
  const joined = await join(ownData());
  const port = await findFreePort();
  const second = { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
  const child = launch(webPlan(second, processVariables(joined.env, second, 'production')));
  const context = await browser.newContext({ baseURL: sharebook.origin, storageState: { cookies: [], origins: [] } });
  try {
    await waitUntilReady(second);
    const page = await context.newPage();
    await signInAs(page, 'viewer');
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const status = async (): Promise<number> =>
      (await fetch(`${second.url}/demo/months`, { headers: { cookie }, redirect: 'manual' })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await expect.poll(status).toBe(307);
  } finally {
    await context.close();
    await stop(child);
    await joined.stop();
  }
});
