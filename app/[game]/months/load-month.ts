import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { config, db, now } from '#app/_server/server-context.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, type Month, monthWindow, parseMonth } from '#lib/core/month.ts';
import type { Tone } from '#lib/core/strings.ts';
import { settledUntil } from '#lib/core/window.ts';
import { findMonth, type MonthFacts, type WindowFacts } from '#lib/evidence/reads/months.ts';
import { type MonthState, monthStateOf, warningCountOf } from '#lib/evidence/rules/month-state.ts';
import { formatMonthState } from '#lib/evidence/text.ts';

export interface LoadedMonth {
  game: Game;
  row: MonthRow & MonthFacts;
  previous: string;
  /** null: that month hasn’t started. */
  next: string | null;
}

/** The month of an address with its stored facts, once per request; the not-found page when the month or the game doesn’t exist. */
export const loadMonth: (slug: string, text: string) => Promise<LoadedMonth> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const month = parseMonth(decodeURIComponent(text)) ?? notFound();
  const [previous, next] = [addMonths(month, -1), addMonths(month, 1)];
  const [window, windowBefore] = [monthWindow(month, game.timeZone), monthWindow(previous, game.timeZone)];
  const { month: facts, before } = await findMonth(db(), game.gameId, { window, before: windowBefore });
  const row = { ...facts, ...reshapeMonth(month, facts, before, settled()) };
  return { game, row, previous, next: compareInstants(monthWindow(next, game.timeZone).start, settled()) < 0 ? next : null };
});

/** Until when everything has settled that Invo reports. */
export function settled(): string {
  return settledUntil(now(), config().settleLag_minutes);
}

/** A month as a row: what is stored, its state, and the net of the month before. */
export interface MonthRow extends WindowFacts {
  month: Month;
  state: MonthState;
  /** The state as text. */
  label: string;
  /** null: the month before isn’t stored, not over or not reconciled, so nothing is compared. */
  netBefore: string | null;
}

export const MONTH_STATE_TONES: Record<MonthState, Tone> = {
  not_started: 'quiet',
  not_pulled: 'quiet',
  pulling: 'busy',
  failed: 'bad',
  open: 'wait',
  incomplete: 'wait',
  not_reconciled: 'bad',
  reconciled: 'good',
  reconciled_with_warnings: 'wait',
  differs: 'bad',
};

/** The action that requests a month from Invo, by state; null: none. */
const PULL_LABELS: Record<MonthState, string | null> = {
  not_started: null,
  not_pulled: 'Pull',
  pulling: null,
  failed: 'Pull again',
  open: 'Update',
  incomplete: 'Pull the rest',
  not_reconciled: 'Pull again',
  reconciled: 'Re-check now',
  reconciled_with_warnings: 'Re-check now',
  differs: 'Re-check now',
};

/** The action that requests a month from Invo; null where it can’t help: nothing has settled, a pull is running, or the secret is wrong. */
export function pullActionOf({ state, pull }: Pick<MonthRow, 'state' | 'pull'>): { label: string; isFresh: boolean } | null {
  if (pull?.failure?.code === 'unauthorized') return null;
  const label = PULL_LABELS[state];
  return label === null ? null : { label, isFresh: state === 'not_reconciled' };
}

/** Months with their facts, oldest first, each compared with the one before it. Only two reconciled snapshots are compared. */
export function reshapeMonths(months: Month[], facts: WindowFacts[], settledUntil: string): MonthRow[] {
  return facts.map((fact, index) => reshapeMonth(months[index] ?? '', fact, facts[index - 1], settledUntil));
}

function reshapeMonth(month: Month, facts: WindowFacts, before: WindowFacts | undefined, settledUntil: string): MonthRow {
  const state = monthStateOf(facts, settledUntil);
  const label = formatMonthState(state, facts.snapshot === null ? 0 : warningCountOf(facts.snapshot));
  return { ...facts, month, state, label, netBefore: netBefore(facts, before) };
}

function netBefore({ snapshot }: WindowFacts, before: WindowFacts | undefined): string | null {
  if (snapshot?.status !== 'complete' || before?.snapshot?.status !== 'complete') return null;
  return before.snapshot.totals.net_attributed_usd;
}
