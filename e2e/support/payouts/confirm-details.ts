import type pg from 'pg';
import type { Db } from '#db/kit/open.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { type Decision, decideDetails } from '#lib/payees/decide-details.ts';
import { findImportPlan, importDetails } from '#lib/payees/import-details.ts';
import { findShownDigest, type Proposal } from '#lib/payees/reads/open-proposals.ts';
import { seedPerson } from '../people/seed-people.ts';

/** The key that payment details of tests are sealed under. */
export const PAYEE_KEY = Buffer.alloc(32, 7);

/** What of a test environment is used here. */
interface Environment {
  db: Db;
  pool: pg.Pool;
  game(): Promise<OpenGame>;
}

/** Confirms PayPal details for every recipient that a game's evidence names, by two people: the months of a test can then be paid. */
export async function confirmDetails(testEnv: Environment): Promise<void> {
  const game = await testEnv.game();
  const { rows } = await testEnv.pool.query<{ id: number }>(
    'select distinct recipient_player_id as id from snapshot_recipient where game_id = $1 order by 1',
    [game.gameId],
  );
  const lines = ['recipient_player_id,method,email', ...rows.map(({ id }) => `${id},paypal,payee-${id}@creators.example`)];
  const bytes = Buffer.from(lines.join('\n'));
  const plan = await findImportPlan(game.db, game.gameId, PAYEE_KEY, bytes);
  if (!plan.ok) throw new Error(`no payment details: ${JSON.stringify(plan)}`);
  if (plan.rows.every(({ change }) => change === 'unchanged')) return;
  const [author, other] = [await enable(testEnv, 'dora'), await enable(testEnv, 'emil')];
  const proposed = await importDetails(game, author, PAYEE_KEY, { bytes, reason: 'From the contracts.', shown: plan.shown });
  if (!proposed.ok) throw new Error(`not proposed: ${JSON.stringify(proposed)}`);
  const confirmed = await decideDetails(game, other, PAYEE_KEY, await confirmationOf(game, { changeSet: proposed.changeSet }));
  if (!confirmed.ok) throw new Error(`not confirmed: ${confirmed.reason}`);
  // Notices and lists of people are those of the test's own people.
  await testEnv.pool.query(`update person set roles = '{viewer}', disabled_at = clock_now() where id = any($1)`, [[author.id, other.id]]);
}

/** A confirmation of a proposal as it is shown now. */
export async function confirmationOf({ db, gameId }: OpenGame, proposal: Proposal): Promise<Decision> {
  return { proposal, decision: 'confirmed', shown: await findShownDigest(db, gameId, proposal) };
}

async function enable(testEnv: Environment, name: string): Promise<Actor> {
  const email = `${name}@studio.example`;
  const { rows } = await testEnv.pool.query<{ id: string }>(
    `update person set roles = '{finance}', disabled_at = null where email = $1 returning id`,
    [email],
  );
  return { id: rows[0]?.id ?? (await seedPerson(testEnv.db, email, 'finance')), email, roles: ['finance'] };
}
