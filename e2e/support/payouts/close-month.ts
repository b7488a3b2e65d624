import { type Month, monthWindow } from '#lib/core/month.ts';
import type { Actor, SessionActor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { approveRun, confirmVoid, type RunDecision } from '#lib/payouts/decide-run.ts';
import { draftRun } from '#lib/payouts/draft-run.ts';
import { findClose } from '#lib/payouts/find-close.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { noteCheck, recordFinding, submitRun } from '#lib/payouts/submit-run.ts';
import { seedPerson, seedSession } from '../people/seed-people.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { confirmDetails } from './confirm-details.ts';

/** Puts a finance person, signed in a moment ago, into a test database. */
export async function seedFinance(testEnv: TestEnvironment, name: string): Promise<SessionActor> {
  const email = `${name}@studio.example`;
  const id = await seedPerson(testEnv.db, email, 'finance');
  return { id, email, roles: ['finance'], tokenDigest: await seedSession(testEnv.db, id) };
}

/** Pulls a month and re-checks it, and confirms payment details for its recipients, as a month that can be closed and paid was. */
export async function pullAndRecheck(testEnv: TestEnvironment, month: Month): Promise<void> {
  const window = monthWindow(month, 'UTC');
  await testEnv.pull(window);
  await testEnv.pull(window);
  await confirmDetails(testEnv);
}

/** Writes a note to each check of a draft that needs one, and a finding where renewals without attribution block. */
export async function answerChecks(testEnv: TestEnvironment, actor: Actor, run: Run): Promise<void> {
  const game = await testEnv.game();
  const found = await findClose(game, run.window.start.slice(0, 7));
  if (found.kind !== 'run') throw new Error('the month has no run');
  for (const { key, facts, group, count, isAnswered } of found.close.items) {
    if (isAnswered || group === 'info' || group === 'held') continue;
    const answer =
      group === 'note'
        ? await noteCheck(game, actor, run.runId, { checkKey: key, facts, note: `Seen: ${key}` })
        : await recordFinding(game, actor, run.runId, {
            reason: key,
            renewalCount: count,
            conclusion: 'raised_with_invo',
            note: 'Ticket 4415',
          });
    if (!answer.ok) throw new Error(`${key} can't be answered: ${answer.reason}`);
  }
}

/** Drafts, answers and submits the run of a month. */
export async function submitMonth(testEnv: TestEnvironment, preparer: Actor, month: Month): Promise<Run> {
  const game = await testEnv.game();
  const drafted = await draftRun(game, preparer, month);
  if (!drafted.ok) throw new Error(`no draft: ${drafted.reason}`);
  await answerChecks(testEnv, preparer, drafted.run);
  const submitted = await submitRun(game, preparer, drafted.run.runId, drafted.run.draftDigest ?? '');
  if (!submitted.ok) throw new Error(`not submitted: ${JSON.stringify(submitted)}`);
  return submitted.run;
}

/** Takes a month from its draft to an approved run. */
export async function closeMonth(
  testEnv: TestEnvironment,
  people: { preparer: Actor; approver: SessionActor },
  month: Month,
): Promise<Run> {
  const run = await submitMonth(testEnv, people.preparer, month);
  const approved = await approveRun(await testEnv.game(), people.approver, run.runId, run.contentDigest ?? '');
  if (!approved.ok) throw new Error(`not approved: ${JSON.stringify(approved)}`);
  return approved.run;
}

/** Voids an approved run as the second person who opens its page now. */
export async function confirmVoidAsShown(game: OpenGame, actor: Actor, runId: number): Promise<RunDecision> {
  const run = await findRun(game.db, game.gameId, { runId });
  return await confirmVoid(game, actor, { runId, version: run?.version ?? 0 }, { isAgreed: true, isNotUploaded: true });
}
