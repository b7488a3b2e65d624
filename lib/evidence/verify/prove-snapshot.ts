import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import { digestFacts, digestLink, digestSnapshot } from '../digest.ts';
import type { StoredSlice } from '../reads/slices.ts';
import type { ChainLink, ResponseHead } from '../rules/chain-head.ts';
import { parseSnapshotStatus, type SliceEvidence } from '../rules/evidence.ts';
import type { Findings } from '../rules/findings.ts';
import { FIGURES_VERSION, type Reconciliation, WindowReconciler } from '../rules/reconciliation/check-window.ts';
import { tilesExactly } from '../rules/slice-plan.ts';
import { type JoinedTotals, listDifferences } from '../rules/totals.ts';
import { type ReadAnswer, rebuildControl } from './rebuild.ts';

/** What a link of the chain of snapshots states. */
interface StatedLink {
  chain_no: number;
  digest_version: number;
  figures_version: number;
  digest: Buffer;
  /** null: a link of version 1. */
  facts_digest: Buffer | null;
  created_at: string;
  window_start: string;
  window_end: string;
  covered_until: string;
  generated_at: string;
  status: string;
  control_window_count: number;
  /** The pull whose control answers count. */
  pull_id: number;
  totals: JoinedTotals;
}

/** A link with what it is made from, whether that is stored in the database or in an evidence pack. */
interface ProvenSnapshot {
  link: StatedLink;
  /** Digest of the link before; null: this is the first. */
  previous: Buffer | null;
  /** In order of time. */
  slices: StoredSlice[];
  /** The answers about control totals. */
  answers: ReadAnswer[];
  /** Every response, in order of slice and receipt. */
  heads: ResponseHead[];
  recipients: ChainLink['recipients'];
}

/**
 * Proves a snapshot: its slices tile its window, its control totals follow from the answers, it reconciles as its status states, and its digests follow
 * from all of these by the rule of its version. `evidence`: its slices in order of time, one held at a time. Returns its reconciliation; null without a slice.
 */
export async function proveSnapshot(
  { link, previous, slices, answers, heads, recipients }: ProvenSnapshot,
  evidence: AsyncIterable<SliceEvidence>,
  findings: Findings,
): Promise<Reconciliation | null> {
  const covered: Window = { start: link.window_start, end: link.covered_until };
  const tiles = tilesExactly(covered, slices);
  const tiled = slices.map((slice) => `${slice.start} to ${slice.end}`).join(', ');
  findings.must('slices_tile_the_window', tiles, `${covered.start} to ${covered.end}`, tiled);
  const control = rebuildControl(link.pull_id, slices, answers);
  const differs = control === null ? ['no answers cover the window'] : listDifferences(control.totals, link.totals);
  findings.same('control_totals_of_raw_bytes', '', differs.join(', '));
  findings.same('control_window_count', String(control?.window_count ?? 0), String(link.control_window_count));
  const isKnown = link.figures_version >= 1 && link.figures_version <= FIGURES_VERSION;
  findings.must('figures_version', isKnown, `1 to ${FIGURES_VERSION}`, String(link.figures_version));
  const reconciler = new WindowReconciler(covered, link.figures_version);
  for await (const slice of evidence) reconciler.add(slice);
  const reconciliation =
    slices.length === 0 ? null : reconciler.close({ ...link.totals, recipient_count: control?.totals.recipient_count ?? null });
  if (reconciliation !== null) {
    const isWhole = reconciliation.holds && tiles && compareInstants(link.generated_at, covered.end) >= 0;
    findings.same('status', !isWhole ? 'inconsistent' : covered.end === link.window_end ? 'complete' : 'open', link.status);
  }
  proveDigests({ link, previous, slices, heads, recipients }, covered, findings);
  return reconciliation;
}

/** Derives the digests of a snapshot again, by the rule of its version. */
function proveDigests(
  { link, previous, slices, heads, recipients }: Omit<ProvenSnapshot, 'answers'>,
  covered: Window,
  findings: Findings,
): void {
  const stated = link.digest.toString('hex');
  const digests = slices.map(({ digest }) => digest);
  if (link.digest_version === 1) {
    findings.same('snapshot_digest', stated, digestSnapshot(previous, covered, digests, link.totals).toString('hex'));
    return;
  }
  const facts = digestFacts(covered, digests, link.totals);
  findings.same('facts_digest', link.facts_digest?.toString('hex') ?? 'none', facts.toString('hex'));
  const digest = digestLink({
    position: link.chain_no,
    previous,
    created_at: link.created_at,
    window: { start: link.window_start, end: link.window_end },
    covered_until: link.covered_until,
    generated_at: link.generated_at,
    status: parseSnapshotStatus(link.status),
    facts,
    responses: heads,
    recipients,
  });
  findings.same('snapshot_digest', stated, digest.toString('hex'));
}
