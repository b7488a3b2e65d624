import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Game } from '#lib/core/game.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';

/** Loads a run by the number in its address, once per request. Shows "not found" for anything else. */
export const loadRun: (slug: string, text: string) => Promise<{ game: Game; run: Run }> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const runNo = parseRunNo(text);
  const run = runNo === null ? null : await findRun(db(), game.gameId, { runNo });
  return { game, run: run ?? notFound() };
});
