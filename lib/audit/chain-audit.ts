import type pg from 'pg';
import { linkAudit } from '#db/audit/writes.ts';
import { digestAuditLink } from './digest-audit.ts';

/** Rows chained in one transaction. */
const BATCH = 1_000;

/** Chains the rows of the audit that have no link yet, in the order they are found committed. Two workers take turns. Returns how many it chained. */
export async function chainAudit(pool: pg.Pool, signal?: AbortSignal): Promise<number> {
  let chained = 0;
  while (!signal?.aborted) {
    const count = await linkAudit(pool, BATCH, digestAuditLink);
    chained += count;
    if (count < BATCH) break;
  }
  return chained;
}
