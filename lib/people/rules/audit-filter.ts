import { z } from 'zod';
import { storableText } from '#lib/core/typed-input.ts';

/** Which entries of the audit log are shown. Empty text and null: all. */
export interface AuditFilter {
  /** Email of a person, or another actor such as "worker" or "command line". */
  actor: string;
  /** Part of what was done. */
  act: string;
  /** Part of what it was done to. */
  subject: string;
  gameId: number | null;
  /** Days in UTC, both included; null: open. */
  from: string | null;
  to: string | null;
}

const text = z.string().max(200).transform(storableText).catch('');
// A database has no year 0.
const day = z.iso
  .date()
  .regex(/^(?!0)/)
  .nullable()
  .catch(null);
const addressSchema = z.object({ actor: text, act: text, subject: text, from: day, to: day, game: text });

/** Parses the filter of an address; what makes no sense is left out. `games`: the configured games by slug. */
export function parseAuditFilter(
  given: Readonly<Record<string, unknown>>,
  games: readonly { slug: string; gameId: number }[],
): AuditFilter {
  const { game, actor, act, subject, ...days } = addressSchema.parse({ from: null, to: null, ...given });
  const gameId = games.find(({ slug }) => slug === game)?.gameId ?? null;
  return { ...days, gameId, actor: actor.trim().toLowerCase(), act: act.trim(), subject: subject.trim() };
}

/** Whether a filter leaves anything out. */
export function isFiltered({ actor, act, subject, gameId, from, to }: AuditFilter): boolean {
  return actor !== '' || act !== '' || subject !== '' || gameId !== null || from !== null || to !== null;
}
