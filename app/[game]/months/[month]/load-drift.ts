import 'server-only';
import { cache } from 'react';
import { db } from '#app/_server/wiring.ts';
import { type Drift, findDrift } from '#db/evidence/reads/drift.ts';
import { loadMonth } from './load-month.ts';

/** What moved at Invo since an earlier complete statement of the month, once per request; null when nothing did. */
export const loadDrift: (slug: string, month: string) => Promise<Drift | null> = cache(async (slug, month) => {
  const { game, row } = await loadMonth(slug, month);
  return row.snapshot?.status === 'complete' ? await findDrift(db(), game.gameId, row.window, row.snapshot.snapshotId) : null;
});
