import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { config, db, now } from '#app/_server/wiring.ts';
import { type Drift, findDrift } from '#db/evidence/reads/drift.ts';
import { findFirstWindowStart, listMonths as findMonths, type WindowFacts } from '#db/evidence/reads/months.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthOf, monthWindow, parseMonth } from '#lib/core/month.ts';
import { settledUntil } from '#lib/core/window.ts';
import { type MonthRow, reshapeMonths } from './month-state.ts';

/** Months one page shows. */
const MONTHS_SHOWN = 24;

export interface LoadedMonth {
  game: Game;
  row: MonthRow;
  previous: string;
  /** null: that month hasn’t started. */
  next: string | null;
}

export interface LoadedMonths {
  /** Oldest first. */
  rows: MonthRow[];
  /** The current month in the game’s time zone. */
  current: Month;
  /** The first month before those shown that may be stored; null: all are shown. */
  earlier: Month | null;
}

/** The month of an address with its stored facts, once per request; the not-found page when the month or the game doesn’t exist. */
export const loadMonth: (slug: string, text: string) => Promise<LoadedMonth> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const month = parseMonth(decodeURIComponent(text)) ?? notFound();
  const [previous, next] = [addMonths(month, -1), addMonths(month, 1)];
  const row = (await loadRows(game, [previous, month]))[1];
  if (!row) throw new Error(`no facts came for ${month}`);
  return { game, row, previous, next: compareInstants(monthWindow(next, game.timeZone).start, settled()) < 0 ? next : null };
});

/** The months of one page, ending with `until` or the current month: back to the first ever pulled, at least six, at most 24. */
export async function loadMonths(game: Game, until: Month | null): Promise<LoadedMonths> {
  const current = monthOf(now(), game.timeZone);
  const last = until !== null && until < current ? until : current;
  const start = await findFirstWindowStart(db(), game.gameId);
  const first = start === null ? current : monthOf(start, game.timeZone);
  const oldestShown = addMonths(last, 1 - MONTHS_SHOWN);
  const begin = first < oldestShown ? oldestShown : ([first, addMonths(last, -5)].toSorted()[0] ?? last);
  const rows = await loadRows(game, listMonths(begin, last));
  return { rows, current, earlier: first < begin ? addMonths(begin, -1) : null };
}

/** What changed at Invo since an earlier complete snapshot of the month, once per request; null when nothing did. */
export const loadDrift: (slug: string, month: string) => Promise<Drift | null> = cache(async (slug, month) => {
  const { game, row } = await loadMonth(slug, month);
  return row.snapshot?.status === 'complete' ? await findDrift(db(), game.gameId, row.window, row.snapshot.snapshotId) : null;
});

async function loadRows(game: Game, months: Month[]): Promise<MonthRow[]> {
  const windows = months.map((month) => monthWindow(month, game.timeZone));
  const facts: WindowFacts[] = await findMonths(db(), game.gameId, windows);
  return reshapeMonths(months, facts, settled());
}

function settled(): string {
  return settledUntil(now(), config().settleLag_minutes);
}
