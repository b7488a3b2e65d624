import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { inTransaction } from '#db/kit/open.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { sealFor } from '#lib/payees/propose-details.ts';
import { checkDetails } from '#lib/payees/rules/check-details.ts';
import { insertDetails, type NewDetails } from '#lib/payees/writes.ts';
import { decideSender, proposeSender } from '#lib/payments/change-sender.ts';
import { makeFiles } from '#lib/payments/make-files.ts';
import { sumWaiting } from '#lib/payments/reads/waiting-items.ts';
import { verifyPayments } from '#lib/payments/verify-payments.ts';
import { createItems } from '#lib/payments/writes/create-items.ts';
import { lockRun } from '#lib/payouts/reads/find-run.ts';
import { composeRun } from '#lib/payouts/writes/composition.ts';
import { insertDraft } from '#lib/payouts/writes/run-states.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { YOUNG_OBJECTS } from '#lib/start/serve.ts';

// How long the payment files of a run of many recipients take to be made and verified, and how much the process grows meanwhile.
// `node e2e/bench/payment-run.ts [payments]`: 100,000 by default. Prints JSON. Needs no network. With the flags of the web process, as `payout-run.ts`.

if (!process.execArgv.includes(YOUNG_OBJECTS))
  process.exit(spawnSync(process.execPath, [YOUNG_OBJECTS, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1);

const COUNT = Number(process.argv[2] ?? 100_000);
const WINDOW = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
const server = await startPostgres({ folder });
try {
  const url = server.databaseUrl('payments');
  await migrateDatabase((await server.openDatabase('payments')).migrate);
  const open = openWithPool(url);
  const gameId = await seedGame(open.db);
  const [fiona, ada] = [await finance('fiona'), await finance('ada')];
  const game: OpenGame = {
    db: open.db,
    gameId,
    slug: 'starfall',
    name: 'Starfall',
    environment: 'production',
    timeZone: 'UTC',
    invoGameId: null,
    settleLag_minutes: 15,
    now: () => '2026-11-21T12:00:00Z',
  };
  const { snapshotId } = await seedSnapshot(open.db, gameId, { ...WINDOW, recipients: [] });
  await open.pool.query(
    `insert into snapshot_recipient (game_id, snapshot_id, recipient_player_id, resolved, player_name, identity_id, renewal_count, reversal_count, subscription_count,
       gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, base_mismatch_count, coarse_reversal_count, earlier_reversed_usd, nets_to_zero_count)
     select $1, $2, n, true, 'Recipient ' || n, 'idn_' || n, 1, 0, 1, 20 + (n % 4000) / 100.0, 0, 20 + (n % 4000) / 100.0, 0, 0, 0, 0
     from generate_series(1, $3::int) n`,
    [gameId, snapshotId, COUNT],
  );
  await storeDetails();
  await open.pool.query('analyze');
  const runId = await inTransaction(open.db, async (tx) => {
    const draft = await insertDraft(tx, { gameId, window: WINDOW, snapshotId, previousRunId: null, actor: fiona });
    const run = draft === null ? null : await lockRun(tx, gameId, draft);
    if (run === null) throw new Error('no draft');
    await composeRun(tx, run, fiona.id, game.now());
    return run.runId;
  });
  // What an approval stores last; who approved is no part of this.
  await open.pool.query('alter table payout_run disable trigger user');
  await open.pool.query(
    `update payout_run set state = 'approved', approved_at = now(), submitted_by = drafted_by, submitted_at = now(), content = '{}', content_digest = sha256('') where run_id = $1`,
    [runId],
  );
  await open.pool.query('alter table payout_run enable trigger user');
  const created_ms = await time(() => inTransaction(open.db, (tx) => createItems(tx, { gameId, runId })));
  await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed: { decimal_sign: '.' } });
  await decideSender(game, ada, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' });
  await open.pool.query('analyze');
  const shown = (await sumWaiting(open.db, { gameId, runId }))[0] ?? { count: 0, total_usd: '0' };
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const request = { runId, method: 'paypal', format: 'paypal_web', executionDate: null, note: 'Share', shown };
  let files = 0;
  const made_ms = await time(async () => {
    const made = await makeFiles(game, fiona, PAYEE_KEY, request);
    if (!made.ok) throw new Error(JSON.stringify(made).slice(0, 500));
    files = made.files.length;
  });
  const findings = new Findings();
  const verified_ms = await time(() => verifyPayments(open.db, gameId, PAYEE_KEY, findings));
  clearInterval(watch);
  if (findings.violations.length > 0) throw new Error(JSON.stringify(findings.violations.slice(0, 3)));
  const figures = {
    payments: shown.count,
    files,
    created_s: created_ms / 1000,
    made_s: made_ms / 1000,
    verified_s: verified_ms / 1000,
    growth_MB: (peak - before) / 2 ** 20,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await open.close();

  async function finance(name: string): Promise<{ id: string; email: string; roles: ['finance'] }> {
    const email = `${name}@studio.example`;
    return { id: await seedPerson(open.db, email, 'finance'), email, roles: ['finance'] };
  }

  /** PayPal details for everybody, proposed by one person and confirmed by another. */
  async function storeDetails(): Promise<void> {
    const details = Array.from({ length: COUNT }, (_, index): NewDetails => {
      const recipientId = index + 1;
      const checked = checkDetails('paypal', { email: `payee-${recipientId}@creators.example` });
      if (!checked.ok) throw new Error('no email');
      const payee = { recipientId, nextNo: 1, openNo: null, identityId: `idn_${recipientId}`, inForce: null };
      return sealFor(gameId, payee, checked.details, PAYEE_KEY);
    });
    await inTransaction(open.db, (tx) =>
      insertDetails(tx, { gameId, changeSet: null, reason: 'Contracts', proposedBy: fiona.id }, details),
    );
    await open.pool.query('update payee_detail set confirmed_by = $1, confirmed_at = now()', [ada.id]);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started_at = performance.now();
  await work();
  return performance.now() - started_at;
}
