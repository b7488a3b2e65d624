import type { Db } from '#db/kit/open.ts';
import { digestAuditLink } from './digest-audit.ts';
import { linkAudit } from './writes.ts';

/** Rows chained in one transaction. */
const BATCH = 1_000;

/** Chains the rows of the audit that have no link yet, in the order they are found committed. Two workers take turns. Returns how many it chained. */
export async function chainAudit(db: Db, signal?: AbortSignal): Promise<number> {
  let chained = 0;
  while (!signal?.aborted) {
    const count = await linkAudit(db, BATCH, digestAuditLink);
    chained += count;
    if (count < BATCH) break;
  }
  return chained;
}
