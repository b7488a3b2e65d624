import { expect } from 'vitest';
import type { SessionActor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { beforeTransaction } from '../before-transaction.ts';
import { readAudit } from '../people/seed-people.ts';
import { proofSize } from '../proof.ts';
import type { TestEnvironment } from '../test-environment.ts';

export interface Answer {
  ok: boolean;
  reason?: string;
  is?: string;
}
/** An act of the first or the second of two people. */
export interface Act {
  name: string;
  by: SessionActor;
  /** Who did the first act, of a second act that needs it to count still; none: a first act, or one that declines. */
  after?: SessionActor;
  run: (game: OpenGame) => Promise<Answer>;
  /** What it answers once nothing prevents it; left out: that it is done. */
  answer?: Answer;
}

/** What ends the right of who acts, and how the refusal says so. */
export const OF_THE_ACTOR = [
  ['account_confirmed_at = null', 'unconfirmed'],
  [`counts_from = clock_now() + interval '1 hour'`, 'too_new'],
] as const;
export const WITHOUT_A_RIGHT = [`roles = '{viewer}'`, 'disabled_at = clock_now()'] as const;
/** What ends the counting of who did the first act. */
export const OF_THE_FIRST = [
  ['account_confirmed_at = null', 'preparer_unconfirmed'],
  [`counts_from = clock_now() + interval '1 hour'`, 'preparer_too_new'],
  ['disabled_at = clock_now()', 'preparer_disabled'],
] as const;

/** Runs an act while something holds for a person, and puts the person back. */
export async function whileSo(env: TestEnvironment, person: SessionActor, change: string, work: () => Promise<Answer>): Promise<Answer> {
  await env.pool.query(`update person set ${change} where id = $1`, [person.id]);
  try {
    return await work();
  } finally {
    await restore(env, person);
  }
}

async function restore(env: TestEnvironment, person: SessionActor): Promise<void> {
  await env.pool.query(
    `update person set account_confirmed_at = clock_now(), counts_from = clock_now(), disabled_at = null, roles = $2 where id = $1`,
    [person.id, person.roles],
  );
}

/** A game in which something changes after everything was read and before the transaction that stores. Reads outside of it are as before. */
function changedBetween(env: TestEnvironment, game: OpenGame, person: SessionActor, change: string): OpenGame {
  const apply = async (): Promise<unknown> => await env.pool.query(`update person set ${change} where id = $1`, [person.id]);
  return { ...game, db: beforeTransaction(game.db, apply) };
}

/**
 * Does each act in turn: refused, with the reason and a row of the audit, when a right goes just before the commit, and in `npm run prove` also while it is missing; then allowed.
 */
export async function goThrough(env: TestEnvironment, acts: Act[], game: OpenGame): Promise<void> {
  const isWhole = proofSize(false, true);
  for (const { name, by, after, run, answer = { ok: true } } of acts) {
    for (const [change, reason] of OF_THE_ACTOR) {
      if (isWhole) await refuses(env, `${name}, ${change}`, reason, () => whileSo(env, by, change, () => run(game)));
      await refuses(env, `${name}, ${change}, at the commit`, reason, () => runChanged(env, game, { person: by, change, run }));
    }
    for (const change of WITHOUT_A_RIGHT) {
      if (isWhole) await refuses(env, `${name}, ${change}`, 'not_allowed', () => whileSo(env, by, change, () => run(game)));
      await refuses(env, `${name}, ${change}, at the commit`, 'not_allowed', () => runChanged(env, game, { person: by, change, run }));
    }
    for (const [change, reason] of after === undefined ? [] : OF_THE_FIRST) {
      const first = after ?? by;
      if (isWhole) await refuses(env, `${name}, first: ${change}`, reason, () => whileSo(env, first, change, () => run(game)));
      await refuses(env, `${name}, first: ${change}, at the commit`, reason, () => runChanged(env, game, { person: first, change, run }));
    }
    expect(await run(game), name).toMatchObject(answer);
  }
}

/** Expects an act to be refused for a reason, and the refusal to be in the audit with it. */
export async function refuses(env: TestEnvironment, title: string, reason: string, act: () => Promise<Answer>): Promise<void> {
  const before = (await readAudit(env.db)).length;
  expect(await act(), title).toMatchObject({ ok: false, reason });
  const added = (await readAudit(env.db)).slice(before);
  expect(added, `${title}, in the audit`).toContainEqual(
    expect.objectContaining({ act: expect.stringMatching(/^was refused /), detail: { reason } }),
  );
}

/** Does an act while something changes for a person between what it reads and the transaction that stores. */
export async function runChanged(
  env: TestEnvironment,
  game: OpenGame,
  { person, change, run }: { person: SessionActor; change: string; run: Act['run'] },
): Promise<Answer> {
  try {
    return await run(changedBetween(env, game, person, change));
  } finally {
    await restore(env, person);
  }
}
