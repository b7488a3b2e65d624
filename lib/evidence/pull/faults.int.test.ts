import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { readSheet } from '#e2e/support/read-sheet.ts';
import { openTestEnvironment, type Pulled, type TestEnvironment } from '#e2e/support/test-environment.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
const testEnv: TestEnvironment = await openTestEnvironment();
await testEnv.pull(DAY);
await testEnv.pull(SEPTEMBER);
beforeEach(() => testEnv.control('DELETE', 'faults'));
afterAll(() => testEnv.close());

/** Arms faults and pulls a window again, over one that was pulled without faults. */
async function pullAmong(faults: object[], window = DAY): Promise<Pulled> {
  await testEnv.control('POST', 'faults', faults);
  return testEnv.pull(window, { isFresh: true });
}

async function refusedOf({ job }: Pulled): Promise<{ refusal: string | null; text: string }[]> {
  const rows = await testEnv.db
    .selectFrom('response')
    .select(['refusal', 'body'])
    .where('pull_id', '=', job.pullId)
    .where('purpose', '=', 'refused')
    .orderBy('response_id')
    .execute();
  return rows.map(({ refusal, body }) => ({ refusal, text: gunzipSync(body).toString('utf8') }));
}

describe('a contradiction or a refusal ends the pull, stores the response and leaves the earlier snapshot unchanged', () => {
  test.each(
    proofCases(3, [
      [{ kind: 'missing_field' }, 'malformed', /breaks the contract at totals\.net_attributed_usd/],
      [{ kind: 'missing_field', path: 'recipients.0.periods.0.amount_usd' }, 'malformed', /at recipients\.0\.periods\.0\.amount_usd/],
      [{ kind: 'number_for_string' }, 'malformed', /at totals\.net_attributed_usd/],
      [{ kind: 'nan' }, 'malformed', /at totals\.net_attributed_usd/],
      [{ kind: 'big_id' }, 'malformed', /at recipients\.0\.periods\.0\.period_id/],
      [{ kind: 'settled_by_invo_true' }, 'malformed', /settled_by_invo/],
      [{ kind: 'wrong_window' }, 'malformed', /at report\.window\.end/],
      [{ kind: 'wrong_game' }, 'malformed', /at report\.game_id/],
      [{ kind: 'html' }, 'malformed', /breaks the contract/],
      [{ kind: '401' }, 'unauthorized', /refused the game secret.*Quote err_/],
      [{ kind: '403' }, 'not_live', /neither live nor in testing.*Quote err_/],
      [{ kind: '404' }, 'not_found', /doesn’t know this subscription.*Quote err_/],
      [{ kind: '400', code: 'INVALID_WINDOW' }, 'rejected', /refused the request \(INVALID_WINDOW\)/],
    ]),
  )('%j: %s', async (fault, code, sentence) => {
    const before = await readSheet(testEnv, DAY, 'recipients');
    const pulled = await pullAmong([fault]);
    expect(pulled.run).toMatchObject({ ended: 'failed', code });
    expect(pulled.job).toMatchObject({ state: 'failed', snapshotId: null, failure: { code } });
    expect(pulled.job.failure?.sentence).toMatch(sentence);
    expect((await refusedOf(pulled)).map((each) => each.refusal)).toEqual([code]);
    const after = await readSheet(testEnv, DAY, 'recipients');
    expect([after.text, after.manifest]).toEqual([before.text, before.manifest]);
  });

  test('an oversized response is never fully inflated, and a redirect is not followed', { tags: 'proof' }, async () => {
    expect((await pullAmong([{ kind: 'bomb', megabytes: 160 }])).run).toMatchObject({ ended: 'failed', code: 'too_large' });
    expect((await pullAmong([{ kind: 'redirect', status: 307, location: `${testEnv.upstream.url}/elsewhere` }])).run).toMatchObject({
      ended: 'failed',
      code: 'redirected',
    });
    expect((await testEnv.calls()).some((call) => call.path.startsWith('/elsewhere'))).toBe(false);
  });

  test.each(
    proofCases(1, [
      ['the last page says for ever that more follow', [{ kind: 'has_more_forever', times: 99 }], DAY, /says that more recipients follow/],
      ['a recipient comes twice', [{ kind: 'recipient_twice', times: 2 }], DAY, /recipient \d+ is listed twice/],
      [
        'a page is shifted by one',
        [{ kind: 'shifted_page', times: 2, match: { offset: 100 } }],
        SEPTEMBER,
        /recipient \d+ is listed twice/,
      ],
      [
        'the totals move between pages',
        [{ kind: 'totals_cent', times: 2, match: { offset: 100 } }],
        SEPTEMBER,
        /totals on page 2 differ from page 1/,
      ],
    ]),
  )('%s: the pages are read twice, then the pull ends', async (_, faults, window, sentence) => {
    await testEnv.forgetCalls();
    const pulled = await pullAmong(faults, window);
    expect(pulled.job.failure).toMatchObject({ code: 'pages_disagree', sentence: expect.stringMatching(sentence) });
    const pages = window === DAY ? 1 : 2;
    expect(await testEnv.calls()).toHaveLength(2 * pages);
    expect(await refusedOf(pulled)).toHaveLength(2 * pages);
    expect((await readSheet(testEnv, window, 'recipients')).manifest).toMatchObject({ complete: true, reasons: [] });
  });

  test('a service that fails each time is called six times, and its last error_id is shown', { tags: ['proof'] }, async () => {
    await testEnv.forgetCalls();
    const pulled = await pullAmong([{ kind: '500', times: 99 }]);
    const refused = await refusedOf(pulled);
    const errorId = JSON.parse(refused[0]?.text ?? '{}').error_id;
    expect(pulled.job.failure).toEqual({
      code: 'upstream_fault',
      sentence: `Invo failed on its side. Stored data is unchanged. Try again in a few minutes. Quote ${errorId} to Invo.`,
      errorId,
    });
    expect(await testEnv.calls()).toHaveLength(6);
  });
});

describe('temporary faults are retried without a person', () => {
  test.each(proofCases(1, [['500'], ['502'], ['503'], ['429'], ['reset'], ['torn']]))('%s once', async (kind) => {
    await testEnv.forgetCalls();
    const { snapshot, job } = await pullAmong([{ kind }]);
    expect([snapshot?.status, job.calls]).toEqual(['complete', 1]);
    expect(await testEnv.calls()).toHaveLength(2);
  });

  test.each(
    proofCases(1, [
      ['a recipient twice', { kind: 'recipient_twice' }, DAY],
      ['a shifted page', { kind: 'shifted_page', match: { offset: 100 } }, SEPTEMBER],
      ['totals that moved between pages', { kind: 'totals_cent', match: { offset: 100 } }, SEPTEMBER],
    ]),
  )('%s once: the pages are read again, and every response is stored', async (_, fault, window) => {
    const { snapshot, job } = await pullAmong([fault], window);
    expect(snapshot?.status).toBe('complete');
    expect(await keptOf(job.pullId)).toBe(window === DAY ? 2 : 4);
  });

  test.each(
    proofCases(1, [
      ['a line lost', { kind: 'lost_line' }],
      ['totals a cent off', { kind: 'totals_cent' }],
      ['a report made before its window ended', { kind: 'early_generated_at' }],
    ]),
  )('%s once: both versions of the slice are stored, and the second one is used', async (_, fault) => {
    const { snapshot, job } = await pullAmong([fault]);
    expect(snapshot?.status).toBe('complete');
    const versions = await testEnv.db
      .selectFrom('slice')
      .select(['version', 'is_consistent', 'slice_id', 'supersedes_slice_id'])
      .where('pull_id', '=', job.pullId)
      .orderBy('version')
      .execute();
    expect(versions.map((slice) => slice.is_consistent)).toEqual([false, true]);
    expect(versions[1]?.supersedes_slice_id).toBe(versions[0]?.slice_id);
  });

  test('fields, reasons and statuses that Invo adds later are stored and accepted', async () => {
    const { snapshot } = await pullAmong([{ kind: 'unknown_reason' }, { kind: 'unknown_fields' }]);
    expect(snapshot?.status).toBe('complete');
    expect(Object.keys(snapshot?.totals.unattributed_reasons ?? {})).toContain('settlement_archived');
  });
});

describe('a lasting contradiction makes the snapshot inconsistent, with the exact difference', () => {
  test.each(
    proofCases(1, [
      [{ kind: 'totals_cent' }, 'net_is_gross_less_reversed', '25.4854', '25.4754', '-0.0100'],
      [{ kind: 'totals_cent', field: 'reversed_attributed_usd' }, 'recipients_sum_to_reversed', null, null, '-0.0100'],
      [{ kind: 'lost_line' }, 'renewal_lines_are_counted', null, null, '-1'],
      [{ kind: 'early_generated_at', ms: 1000 }, 'report_made_after_window', '1', '0', '-1'],
    ]),
  )('%j: %s', async (fault, name, expected, actual, difference) => {
    const earlier = (await readSheet(testEnv, DAY, 'recipients')).manifest;
    const { snapshot, job } = await pullAmong([{ ...fault, times: 2 }]);
    expect(snapshot?.status).toBe('inconsistent');
    const check = snapshot?.checks.find((each) => each.name === name);
    expect(check).toMatchObject({ ok: false, severity: 'hard', difference, ...(expected === null ? {} : { expected, actual }) });
    const { manifest } = await readSheet(testEnv, DAY, 'recipients');
    expect([manifest.snapshot_id, manifest.sha256, manifest.complete]).toEqual([earlier.snapshot_id, earlier.sha256, true]);
    expect(manifest.reasons).toEqual([
      `a newer pull of this window exists: snapshot ${job.snapshotId}, inconsistent; this file is of snapshot ${earlier.snapshot_id}`,
    ]);
    expect((await testEnv.pull(DAY, { isFresh: true })).snapshot?.status).toBe('complete');
  });

  test('without an earlier complete snapshot nothing is exported as complete', async () => {
    const window = { start: '2026-08-01T00:00:00Z', end: '2026-08-02T00:00:00Z' };
    await pullAmong([{ kind: 'lost_line', times: 2 }], window);
    await expect(readSheet(testEnv, window, 'renewals')).rejects.toThrow(/refused: incomplete: renewal_lines_are_counted: expected/);
    const file = await readSheet(testEnv, window, 'renewals', true);
    expect(file.fileName).toBe('demo-renewals-2026-08-01-2026-08-02.incomplete.csv');
    expect(file.manifest).toMatchObject({ complete: false });
    expect(file.manifest.reasons[0]).toMatch(/^renewal_lines_are_counted: expected \d+, evidence \d+$/);
  });
});

async function keptOf(pullId: number): Promise<number> {
  return (
    await testEnv.db.selectFrom('response').select('response_id').where('pull_id', '=', pullId).where('purpose', '<>', 'refused').execute()
  ).length;
}
