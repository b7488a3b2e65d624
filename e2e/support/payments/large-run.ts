import type pg from 'pg';
import type { OpenDb } from '#db/kit/open.ts';
import { inTransaction } from '#db/kit/open.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { sealFor } from '#lib/payees/propose-details.ts';
import { checkDetails } from '#lib/payees/rules/check-details.ts';
import { insertDetails, type NewDetails } from '#lib/payees/writes.ts';
import { decideSender, proposeSender } from '#lib/payments/change-sender.ts';
import { type FilesResult, makeFiles } from '#lib/payments/make-files.ts';
import { sumWaiting } from '#lib/payments/reads/waiting-items.ts';
import { WISE_HEADER } from '#lib/payments/rules/write-wise.ts';
import { createItems } from '#lib/payments/writes/create-items.ts';
import { findRun, lockRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { composeRun } from '#lib/payouts/writes/composition.ts';
import { insertDraft } from '#lib/payouts/writes/run-states.ts';

const WINDOW = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
/** Files are made before the days on which the report pays them. */
const MADE_AT = '2026-11-01T09:00:00Z';

/** A run of October with so many payments, approved as far as its payments are concerned, and who makes its files. */
export interface LargeRun {
  game: OpenGame;
  run: Run;
  fiona: Actor;
  ada: Actor;
}

/**
 * Fills an empty database with a run whose recipients are paid by PayPal and Wise, to details that two people confirmed, of 20.00 to 59.99 USD each. Who approved it is
 * no part of it.
 */
export async function seedLargeRun(
  { db, pool }: Pick<OpenDb, 'db'> & { pool: pg.Pool },
  { paypal, wise }: { paypal: number; wise: number },
): Promise<LargeRun> {
  const gameId = await seedGame(db);
  const [fiona, ada] = [await finance(db, 'fiona'), await finance(db, 'ada')];
  const game: OpenGame = {
    db,
    gameId,
    slug: 'starfall',
    name: 'Starfall',
    environment: 'production',
    timeZone: 'UTC',
    invoGameId: null,
    settleLag_minutes: 15,
    now: () => '2026-11-21T12:00:00Z',
  };
  const { snapshotId } = await seedSnapshot(db, gameId, { ...WINDOW, recipients: [] });
  await pool.query(
    `insert into snapshot_recipient (game_id, snapshot_id, recipient_player_id, resolved, player_name, identity_id, renewal_count, reversal_count, subscription_count,
       gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, base_mismatch_count, coarse_reversal_count, earlier_reversed_usd, nets_to_zero_count)
     select $1, $2, n, true, 'Recipient ' || n, 'idn_' || n, 1, 0, 1, 20 + (n % 4000) / 100.0, 0, 20 + (n % 4000) / 100.0, 0, 0, 0, 0
     from generate_series(1, $3::int) n`,
    [gameId, snapshotId, paypal + wise],
  );
  const details = Array.from({ length: paypal + wise }, (_, index) => detailOf(gameId, index + 1, index < paypal));
  await inTransaction(db, (tx) => insertDetails(tx, { gameId, changeSet: null, reason: 'Contracts', proposedBy: fiona.id }, details));
  await pool.query('update payee_detail set confirmed_by = $1, confirmed_at = now()', [ada.id]);
  await pool.query('analyze');
  const runId = await inTransaction(db, async (tx) => {
    const draft = await insertDraft(tx, { gameId, window: WINDOW, snapshotId, previousRunId: null, actor: fiona });
    const run = draft === null ? null : await lockRun(tx, gameId, draft);
    if (run === null) throw new Error('no draft');
    await composeRun(tx, run, fiona.id, game.now());
    return run.runId;
  });
  await pool.query('alter table payout_run disable trigger user');
  await pool.query(
    `update payout_run set state = 'approved', approved_at = now(), submitted_by = drafted_by, submitted_at = now(), content = '{}', content_digest = sha256('') where run_id = $1`,
    [runId],
  );
  await pool.query('alter table payout_run enable trigger user');
  for (const [method, typed] of [
    ['paypal', { decimal_sign: '.' }],
    ['wise', { template_header: WISE_HEADER }],
  ] as const) {
    const proposed = await proposeSender(game, fiona, PAYEE_KEY, { method, typed });
    if (!proposed.ok) throw new Error(JSON.stringify(proposed));
    await decideSender(game, ada, PAYEE_KEY, { senderNo: proposed.senderNo, decision: 'confirmed' });
  }
  const run = await findRun(db, gameId, { runId });
  if (run === null) throw new Error('no run');
  return { game, run, fiona, ada };
}

/** What an approval does last. */
export async function createLargeItems({ game, run }: LargeRun): Promise<void> {
  await inTransaction(game.db, (tx) => createItems(tx, run));
}

/** Makes the files of everything that waits for a method. */
export async function makeLargeFiles({ game, run, fiona }: LargeRun, method: 'paypal' | 'wise'): Promise<FilesResult> {
  const { count = 0, total_usd = '0.00' } = (await sumWaiting(game.db, run)).find((group) => group.method === method) ?? {};
  const request = { runId: run.runId, method, format: null, executionDate: null, note: 'Share', shown: { count, total_usd } };
  return await makeFiles({ ...game, now: () => MADE_AT }, fiona, PAYEE_KEY, request);
}

async function finance(db: OpenDb['db'], name: string): Promise<Actor> {
  const email = `${name}@studio.example`;
  return { id: await seedPerson(db, email, 'finance'), email, roles: ['finance'] };
}

function detailOf(gameId: number, recipientId: number, isPaypal: boolean): NewDetails {
  const email = `payee-${recipientId}@creators.example`;
  const checked = isPaypal ? checkDetails('paypal', { email }) : checkDetails('wise', { email, holder_name: `Recipient ${recipientId}` });
  if (!checked.ok) throw new Error(JSON.stringify(checked));
  const payee = { recipientId, nextNo: 1, openNo: null, identityId: `idn_${recipientId}`, inForce: null };
  return sealFor(gameId, payee, checked.details, PAYEE_KEY);
}
