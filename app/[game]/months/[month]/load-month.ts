import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { now } from '#app/_server/clock.ts';
import { type Game, requireGame } from '#app/_server/game.ts';
import { config, db } from '#app/_server/wiring.ts';
import { listMonths } from '#db/evidence/reads/months.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, monthWindow, parseMonth } from '#lib/core/month.ts';
import { settledUntil } from '#lib/core/window.ts';
import { type MonthRow, reshapeMonths } from '../month-row.ts';

export interface LoadedMonth {
  game: Game;
  row: MonthRow;
  previous: string;
  /** null: that month has not begun. */
  next: string | null;
}

/** The month of an address with what the book holds about it, once per request; the not-found page when it is no month or no game. */
export const loadMonth: (slug: string, text: string) => Promise<LoadedMonth> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const month = parseMonth(decodeURIComponent(text)) ?? notFound();
  const previous = addMonths(month, -1);
  const next = addMonths(month, 1);
  const settled = settledUntil(now(), config().settleLag_minutes);
  const months = [previous, month];
  const facts = await listMonths(
    db(),
    game.gameId,
    months.map((each) => monthWindow(each, game.timeZone)),
  );
  const row = reshapeMonths(months, facts, settled)[1];
  if (!row) throw new Error(`no facts came for ${month}`);
  return { game, row, previous, next: compareInstants(monthWindow(next, game.timeZone).start, settled) < 0 ? next : null };
});
