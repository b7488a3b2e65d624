// @module-tag no-retry
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { beforeTransaction } from '#e2e/support/before-transaction.ts';
import { closeMonth, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { eraseRecipient } from '#lib/evidence/writes/erasures.ts';
import type { Actor, SessionActor } from '../core/roles.ts';
import { approveRun } from './decide-run.ts';
import { requestStatements, runStatementJob, takeStatement, zipStatements } from './draw-statements.ts';
import { findStatement, listStatements } from './find-statement.ts';
import type { Run } from './reads/find-run.ts';
import { findStatementJob, streamStatements } from './reads/statements.ts';
import { claimStatementJob, STATEMENT_JOBS } from './writes/store-statements.ts';

let testEnv: TestEnvironment;
let people: { preparer: Actor; approver: SessionActor };
let september: Run;
let october: Run;
let beforeApproval: unknown;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09', '2026-10');
  people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  const submitted = await submitMonth(testEnv, people.preparer, '2026-09');
  beforeApproval = await takeAll(submitted.runNo);
  const approved = await approveRun(await testEnv.game(), people.approver, submitted.runId, submitted.contentDigest ?? '');
  if (!approved.ok) throw new Error(approved.reason);
  september = approved.run;
  october = await closeMonth(testEnv, people, '2026-10');
});
afterAll(() => testEnv.close());

const take = async (playerId: number, format: 'pdf' | 'csv', runNo = october.runNo): Promise<Buffer> => {
  const file = await takeStatement(await testEnv.game(), { runNo, playerId, format }, 'test');
  if (!file.ok) throw new Error(`no statement: ${file.reason}`);
  return file.bytes;
};

async function listPlayers({ runId }: Run): Promise<number[]> {
  const lines = await testEnv.db.selectFrom('payout_line').select('recipient_player_id').where('run_id', '=', runId).execute();
  return lines.map((line) => line.recipient_player_id);
}

test('the statement of every line of two runs adds up to it', async () => {
  const game = await testEnv.game();
  for (const run of [september, october]) {
    // A statement that doesn't add up is thrown.
    const statements = await listStatements(testEnv.db, game, run.runNo, await listPlayers(run));
    expect(statements).toHaveLength(run.lineCount);
    expect(statements.some(({ rows }) => rows.some(({ section }) => section === 'reversed'))).toBe(true);
  }
});

describe('a CSV', () => {
  test('of a payment that was refunded in three parts, worked out by hand', async () => {
    // Slot 5: 10.00 less the service fee of 1.00 is a base of 9.00, of which 10 % are 0.90 (.github/docs/simulated-invo.md).
    expect((await take(9012, 'csv')).toString()).toBe(
      [
        'section,position,settled_on,period_id,subscription_id,description,amount_usd',
        'opening,1,,,,Carried forward from September 2026,0.00',
        'earned,1,2026-10-01,2026100005,SUB_1767225600_WITN05AL,"Witness pass, 1 Oct 2026 to 1 Nov 2026, 10.00% of 9.00",0.90',
        'reversed,1,2026-10-01,2026100005,SUB_1767225600_WITN05AL,"3 refunds, the last on 1 Oct 2026, of a payment settled on 1 Oct 2026, deducted in run 2.",-0.90',
        'due,1,,,,Due,0.00',
        'payable,1,,,,Earnings and deductions cancel out. Nothing is due.,0.00',
        'carried_forward,1,,,,Opens the November 2026 statement,0.00',
        '',
      ].join('\r\n'),
    );
  });

  test('of a September payment that was refunded in October names the run it was earned in', async () => {
    const text = (await take(9019, 'csv')).toString();
    expect(text).toMatch(
      /^reversed,1,2026-09-01,2026090006,SUB_1767225600_WITN06OD,"Full refund on 1 Oct 2026 of a payment settled on 1 Sep 2026, deducted in run 2\. Your share of it was earned in run 1 \(September 2026\)\.",-13\.50\r$/m,
    );
    expect(text).not.toMatch(/^earned/m);
  });
});

describe('a PDF', () => {
  test('is drawn once, also for twenty people at once, and stays the same file when the game is renamed', async () => {
    const files = await Promise.all(Array.from({ length: 20 }, () => take(9001, 'pdf')));
    expect(new Set(files.map((bytes) => bytes.toString('base64'))).size).toBe(1);
    expect(files[0]?.subarray(0, 5).toString()).toBe('%PDF-');
    const { rows } = await testEnv.pool.query('select recipient_player_id, template_no from recipient_statement');
    expect(rows).toEqual([{ recipient_player_id: 9001, template_no: 1 }]);
    const renamed = await takeStatement(
      await testEnv.game({ name: 'Renamed' }),
      { runNo: october.runNo, playerId: 9001, format: 'pdf' },
      'test',
    );
    expect(renamed).toMatchObject({ ok: true, bytes: files[0], fileName: 'demo-statement-run2-player9001.pdf' });
    await testEnv.game();
  });

  test('can’t be changed, removed or stored for a run that isn’t approved', async () => {
    for (const statement of ['update recipient_statement set template_no = 2', 'delete from recipient_statement'])
      await expect(testEnv.pool.query(statement)).rejects.toThrow('a statement is kept as it was first drawn');
    await expect(testEnv.pool.query('truncate recipient_statement')).rejects.toThrow();
    const client = await testEnv.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update payout_run set void_requested_by = $1, void_reason = 'wrong' where run_id = $2`, [
        people.preparer.id,
        october.runId,
      ]);
      await client.query(`update payout_run set state = 'void', voided_by = $1, voided_at = now() where run_id = $2`, [
        people.approver.id,
        october.runId,
      ]);
      const insert = client.query(
        `insert into recipient_statement (game_id, run_id, recipient_player_id, template_no, pdf, sha256) values ($1, $2, 9012, 1, 'x', sha256('x'))`,
        [october.gameId, october.runId],
      );
      await expect(insert).rejects.toThrow('drawn of approved runs');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('of a recipient who is erased is removed, and drawn again without the name', async () => {
    const before = await take(9008, 'pdf');
    const game = await testEnv.game();
    expect(await eraseRecipient(testEnv.db, { gameId: game.gameId, playerId: 9008, by: 'test', reason: 'asked' })).toBe(true);
    expect((await testEnv.pool.query('select from recipient_statement where recipient_player_id = 9008')).rowCount).toBe(0);
    const found = await findStatement(game, october.runNo, 9008);
    expect(found).toMatchObject({ ok: true, statement: { line: { name: null, email: null } } });
    expect((await take(9008, 'pdf')).subarray(0, 5)).toEqual(before.subarray(0, 5));
  });
});

test('there is no statement of an unknown run or recipient, nor before approval', async () => {
  const game = await testEnv.game();
  expect(await takeStatement(game, { runNo: 99, playerId: 9001, format: 'pdf' }, 'test')).toEqual({ ok: false, reason: 'no_run' });
  expect(await takeStatement(game, { runNo: october.runNo, playerId: 1, format: 'csv' }, 'test')).toEqual({ ok: false, reason: 'no_line' });
  const refused = { ok: false, reason: 'not_approved' };
  expect(beforeApproval).toEqual([refused, refused, refused]);
});

/** What a request for the statements of a run gets: one, all, the ZIP. */
async function takeAll(runNo: number): Promise<unknown> {
  const game = await testEnv.game();
  return [
    await takeStatement(game, { runNo, playerId: 9001, format: 'pdf' }, 'test'),
    await requestStatements(game, runNo, 'fiona'),
    await zipStatements(game, runNo, 'test'),
  ];
}

describe('all statements of a run', () => {
  const claim = async (owner: string) => {
    const lease = await claimStatementJob(testEnv.db, owner, october.gameId);
    if (lease === null) throw new Error('no job waits');
    return lease;
  };

  test('are drawn by a job that another process continues after a kill, without drawing any twice', { tags: 'proof' }, async () => {
    const game = await testEnv.game();
    expect(await zipStatements(game, october.runNo, 'test')).toEqual({ ok: false, reason: 'not_drawn' });
    await Promise.all(Array.from({ length: 5 }, () => requestStatements(game, october.runNo, 'fiona@studio.example')));
    expect((await testEnv.pool.query('select from statement_job')).rowCount).toBe(1);

    const killed = await claim('killed');
    expect(await claimStatementJob(testEnv.db, 'other', october.gameId), 'one process has it').toBeNull();
    // The third part fails, as if its process ended there.
    let parts = 0;
    const db = beforeTransaction(testEnv.db, async () => {
      if (++parts === 3) throw new Error('killed');
    });
    await expect(runStatementJob({ ...game, db }, killed)).rejects.toThrow('killed');
    const half = await digests();
    expect(half.size).toBeGreaterThan(50);
    expect(half.size).toBeLessThan(october.lineCount);
    expect(await findStatementJob(testEnv.db, october)).toMatchObject({ state: 'running', lineCount: october.lineCount });

    // A renewal of the killed process may still be on its way, and would extend the lease again.
    const lease = await vi.waitFor(async () => {
      await testEnv.pool.query(`update statement_job set lease_until = clock_now() - interval '1 second'`);
      return await claim('next');
    });
    expect(await runStatementJob(game, lease)).toEqual({ ended: 'done' });
    const all = await digests();
    expect(all.size).toBe(october.lineCount);
    for (const [playerId, drawn] of half) expect(all.get(playerId)).toBe(drawn);
    expect(await findStatementJob(testEnv.db, october)).toMatchObject({ state: 'done', drawnCount: october.lineCount, failure: null });
    await expect(STATEMENT_JOBS.renew(testEnv.db, killed)).rejects.toThrow('no longer ours');
  });

  test('given back by a process that stops are taken by the next', { tags: ['proof'] }, async () => {
    const game = await testEnv.game();
    await requestStatements(game, september.runNo, 'fiona@studio.example');
    expect(await runStatementJob(game, await claim('stops'), AbortSignal.abort())).toEqual({ ended: 'released' });
    expect(await findStatementJob(testEnv.db, september)).toMatchObject({ state: 'queued' });
    expect(await runStatementJob(game, await claim('next'))).toEqual({ ended: 'done' });
  });

  test('are one ZIP with the same bytes in every time zone, holding each PDF as it is stored', { tags: 'proof' }, async () => {
    const game = await testEnv.game();
    const before = process.env['TZ'];
    const zip = await readArchive(game);
    process.env['TZ'] = 'Pacific/Auckland';
    const elsewhere = await readArchive(game);
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    expect(elsewhere.equals(zip)).toBe(true);
    let count = 0;
    for await (const { playerId, pdf } of streamStatements(testEnv.db, october)) {
      const name = Buffer.from(`demo-statement-run2-player${playerId}.pdf`);
      const index = zip.indexOf(name);
      expect(index, `player ${playerId}`).toBeGreaterThan(0);
      expect(zip.subarray(index + name.length, index + name.length + pdf.length).equals(pdf)).toBe(true);
      count += 1;
    }
    expect(count).toBe(october.lineCount);
    // The end record of a ZIP states how many files it holds.
    expect(zip.readUInt16LE(zip.length - 22 + 10)).toBe(october.lineCount);
  });

  async function readArchive(game: Awaited<ReturnType<TestEnvironment['game']>>): Promise<Buffer> {
    const archive = await zipStatements(game, october.runNo, 'test');
    if (!archive.ok) throw new Error(archive.reason);
    expect(archive.fileName).toBe('demo-statements-run2.zip');
    const pieces: Uint8Array[] = [];
    for await (const piece of archive.pieces) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** What is stored of October, with when it was drawn. */
  async function digests(): Promise<Map<number, string>> {
    const { rows } = await testEnv.pool.query<{ id: number; pdf: Buffer; drawn_at: string }>(
      'select recipient_player_id as id, pdf, drawn_at from recipient_statement where run_id = $1',
      [october.runId],
    );
    return new Map(rows.map(({ id, pdf, drawn_at }) => [id, `${drawn_at} ${createHash('sha256').update(pdf).digest('hex')}`]));
  }
});
