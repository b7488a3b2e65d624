import type { Db } from '#db/kit/open.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { verifyRuns } from '#lib/payouts/verify-runs.ts';
import { verifyRefunds } from '#lib/refunds/verify-refunds.ts';
import { listLinkViolations } from '../reads/link-violations.ts';
import { findNextRefused } from '../reads/slices.ts';
import {
  attemptStep,
  findGameRef,
  findIdentities,
  listDriftViolations,
  listExceededAttributions,
  listSliceIds,
  overFrozenView,
} from '../reads/verification.ts';
import { Findings, type Violation } from '../rules/findings.ts';
import { inflate } from './rebuild.ts';
import { verifyCurrent, verifyRenditions } from './verify-renditions.ts';
import { verifyDetailMonths, verifyReports } from './verify-reports.ts';
import { verifySlice } from './verify-slice.ts';
import { type ChainWalk, verifySnapshots } from './verify-snapshots.ts';

export interface Verification {
  slices: number;
  snapshots: number;
  responses: number;
  refunds: number;
  /** Payout runs. */
  runs: number;
  journals: number;
  violations: Violation[];
  /** What contradicts no evidence and must be checked before paying. */
  warnings: Violation[];
}

/**
 * Recomputes everything stored of a game from the raw bytes Invo sent: digests of responses, slices and the chain, totals, lines, checks,
 * recipient figures and rendered sheets; and compares each refund with its bytes, its approval and its receipt, and each journal with its run. Reads one frozen view of the database and
 * writes nothing. Names each row that no longer follows from its evidence, and each of `heads`, exported before, that the chain no longer has.
 */
export async function verifyGame(
  db: Db,
  gameId: number,
  onProgress: (line: string) => void = () => undefined,
  heads: ChainWalk['heads'] = [],
): Promise<Verification> {
  return overFrozenView(db, async (view) => {
    const findings = new Findings();
    const identities = await findIdentities(view, gameId);
    const slices = await listSliceIds(view, gameId);
    const step = async (subject: string, work: () => Promise<void>): Promise<void> => {
      const error = await attemptStep(view, work);
      if (error !== null) findings.about(subject).must('can_be_verified', false, 'rows that can be read', error.message.slice(0, 200));
    };
    let responses = 0;
    for (const [index, { sliceId, start }] of slices.entries()) {
      onProgress(`slice ${index + 1} of ${slices.length}: ${start.slice(0, 10)}`);
      await step(`slice ${sliceId}`, async () => {
        responses += await verifySlice(view, gameId, sliceId, identities.erased, findings.about(`slice ${sliceId}`));
      });
    }
    await step('refused responses', async () => void (responses += await verifyRefused(view, gameId, findings)));
    await step('detail reports', async () => void (responses += await verifyReports(view, gameId, findings)));
    await step('fees of months', () => verifyDetailMonths(view, gameId, findings));
    findings.add(await listLinkViolations(view, gameId));
    let refunds = 0;
    await step('refunds', async () => void (refunds = await verifyRefunds(view, gameId, findings)));
    let runs = 0;
    await step('payout runs', async () => void (runs = await verifyRuns(view, gameId, findings)));
    let journals = 0;
    await step('journals', async () => void (journals = await verifyJournals(view, gameId, findings)));
    const verified = await verifySnapshots(view, gameId, { identities, heads, step }, findings, onProgress);
    await step('rendered sheets', () => verifyRenditions(view, gameId, findings, onProgress));
    await step('current snapshots', () => verifyCurrent(view, gameId, findings));
    let warnings: Violation[] = [];
    await step('months', async () => void (warnings = await verifyAcrossMonths(view, gameId, findings)));
    return {
      slices: slices.length,
      snapshots: verified.snapshots,
      responses: responses + verified.responses,
      refunds,
      runs,
      journals,
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
  findings.add([...(await listDriftViolations(db, gameId)), ...exceeded.filter(({ isExact }) => isExact)]);
  return exceeded.filter(({ isExact }) => !isExact).map(({ isExact: _, ...warning }) => warning);
}

/** The body of a refused response need not parse; its bytes must still be the ones received. One body is held at a time: a failing Invo leaves many. */
async function verifyRefused(db: Db, gameId: number, findings: Findings): Promise<number> {
  let count = 0;
  for (let next = await findNextRefused(db, gameId, 0); next !== null; next = await findNextRefused(db, gameId, next.responseId)) {
    const { responseId, body, sha256, inflatedByteCount } = next;
    const inflated = inflate(body);
    const about = findings.about(`response ${responseId}`);
    about.same('response_digest', sha256.toString('hex'), inflated === null ? 'no gzip' : sha256Of(inflated).toString('hex'));
    about.same('response_size', String(inflatedByteCount), String(inflated?.length ?? 0));
    count += 1;
  }
  return count;
}
