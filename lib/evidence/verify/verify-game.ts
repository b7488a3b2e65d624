import { createHash } from 'node:crypto';
import { listResponses } from '#db/evidence/reads/slices.ts';
import {
  findGameRef,
  listDriftViolations,
  listExceededAttributions,
  listLinkViolations,
  listSliceIds,
  overFrozenView,
} from '#db/evidence/reads/verification.ts';
import type { Db } from '#db/kit/open.ts';
import { verifyRefunds } from '#lib/refunds/verify-refunds.ts';
import { Findings, type Violation } from './findings.ts';
import { inflate } from './rebuild.ts';
import { verifyCurrent, verifyRenditions } from './verify-renditions.ts';
import { verifyReports } from './verify-reports.ts';
import { verifySlice } from './verify-slice.ts';
import { verifySnapshots } from './verify-snapshots.ts';

export interface Verification {
  slices: number;
  snapshots: number;
  responses: number;
  refunds: number;
  violations: Violation[];
  /** What contradicts no evidence and must be looked at before paying. */
  warnings: Violation[];
}

/**
 * Recomputes everything stored of a game from the raw bytes Invo sent: digests of responses, slices and the chain, totals, lines, checks,
 * recipient figures and rendered sheets; and compares each refund with its bytes, its approval and its receipt. Reads one frozen view of the database and
 * writes nothing. Names each row that no longer follows from its evidence.
 */
export async function verifyGame(db: Db, gameId: number, onProgress: (line: string) => void = () => undefined): Promise<Verification> {
  return overFrozenView(db, async (view) => {
    const findings = new Findings();
    const slices = await listSliceIds(view, gameId);
    let responses = 0;
    for (const [at, { sliceId, start }] of slices.entries()) {
      onProgress(`slice ${at + 1} of ${slices.length}: ${start.slice(0, 10)}`);
      responses += await verifySlice(view, gameId, sliceId, findings.about(`slice ${sliceId}`));
    }
    responses += await verifyRefused(view, gameId, findings);
    responses += await verifyReports(view, gameId, findings);
    for (const { name, subject, expected, actual } of await listLinkViolations(view, gameId))
      findings.about(subject).must(name, false, expected, actual);
    const refunds = await verifyRefunds(view, gameId, findings);
    const verified = await verifySnapshots(view, gameId, findings, onProgress);
    await verifyRenditions(view, gameId, findings, onProgress);
    await verifyCurrent(view, gameId, findings);
    const warnings = await verifyAcrossMonths(view, gameId, findings);
    return {
      slices: slices.length,
      snapshots: verified.snapshots,
      responses: responses + verified.responses,
      refunds,
      violations: findings.violations,
      warnings,
    };
  });
}

/**
 * Compares current snapshots with each other and with the earlier ones of their windows. Returns, as warnings, the periods whose reversals without
 * receipts exceed their attribution over several months: Invo moved them, and the earlier month was not pulled again since.
 */
async function verifyAcrossMonths(db: Db, gameId: number, findings: Findings): Promise<Violation[]> {
  const exceeded = await listExceededAttributions(db, await findGameRef(db, gameId));
  const violations = [...(await listDriftViolations(db, gameId)), ...exceeded.filter(({ isExact }) => isExact)];
  for (const { name, subject, expected, actual } of violations) findings.about(subject).must(name, false, expected, actual);
  return exceeded.filter(({ isExact }) => !isExact).map(({ name, subject, expected, actual }) => ({ name, subject, expected, actual }));
}

/** The body of a refused response need not parse; its bytes must still be the ones received. */
async function verifyRefused(db: Db, gameId: number, findings: Findings): Promise<number> {
  const refused = await listResponses(db, gameId, 'refused');
  for (const { responseId, body, sha256 } of refused) {
    const inflated = inflate(body);
    const digest = inflated === null ? 'no gzip' : createHash('sha256').update(inflated).digest('hex');
    findings.about(`response ${responseId}`).same('response_digest', sha256.toString('hex'), digest);
  }
  return refused.length;
}
