import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { pool } from '#app/_server/wiring.ts';
import { findRun, type Run } from '#db/payouts/reads/find-run.ts';
import type { Game } from '#lib/core/game.ts';

/** Loads a run by the number in its address, once per request. Shows "not found" for anything else. */
export const loadRun: (slug: string, text: string) => Promise<{ game: Game; run: Run }> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const runNo = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  const run = runNo === 0 ? null : await findRun(pool(), game.gameId, { runNo });
  return { game, run: run ?? notFound() };
});
