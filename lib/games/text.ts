import type { Game } from '../core/game.ts';

/** Why a changed time zone isn't used, in sentences; null: it did not change. */
export function formatZoneChange(stored: Pick<Game, 'slug' | 'timeZone'>, configured: Pick<Game, 'timeZone'>): string | null {
  if (stored.timeZone === configured.timeZone) return null;
  return `The months of ${stored.slug} are in ${stored.timeZone}, but its configuration says ${configured.timeZone}. Months in two time zones would overlap, so ${stored.timeZone} stays in use. Set INVO_TIME_ZONE, or timeZone in SHAREBOOK_GAMES_FILE, to ${stored.timeZone}.`;
}
