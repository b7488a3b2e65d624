import { WINDOW_RECIPIENT_COLUMNS } from '#db/evidence/columns.ts';
import { listResponses, loadSlice } from '#db/evidence/reads/slices.ts';
import { findSnapshot, type Snapshot } from '#db/evidence/reads/snapshots.ts';
import { listRecipientsOfSnapshot, listSlicesOfSnapshot, listSnapshotRows } from '#db/evidence/reads/verification.ts';
import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import { digestSnapshot } from '../digest.ts';
import type { Check } from '../rules/reconciliation/check.ts';
import { countFigures, type Reconciliation, type WindowRecipient, WindowReconciler } from '../rules/reconciliation/check-window.ts';
import { tilesExactly } from '../rules/slice-plan.ts';
import { listDifferences } from '../rules/totals.ts';
import type { Findings } from './findings.ts';
import { readAnswer, rebuildControl } from './rebuild.ts';

/** Walks the chain of a game's snapshots from its first link and reconciles each of them again. */
export async function verifySnapshots(
  db: Db,
  gameId: number,
  findings: Findings,
  onProgress: (line: string) => void,
): Promise<{ snapshots: number; responses: number }> {
  const chain = await listSnapshotRows(db, gameId);
  let responses = 0;
  for (const [at, link] of chain.entries()) {
    onProgress(`snapshot ${at + 1} of ${chain.length}`);
    const about = findings.about(`snapshot ${link.snapshot_id}`);
    const previous = chain[at - 1]?.digest ?? null;
    about.same('chain_has_no_gap', String(at + 1), String(link.chain_no));
    about.same('chain_names_the_link_before', previous?.toString('hex') ?? 'none', link.previous_digest?.toString('hex') ?? 'none');
    responses += await verifySnapshot(db, gameId, link, previous, about);
  }
  return { snapshots: chain.length, responses };
}

type Link = Awaited<ReturnType<typeof listSnapshotRows>>[number];

async function verifySnapshot(db: Db, gameId: number, link: Link, previous: Buffer | null, findings: Findings): Promise<number> {
  const snapshot = await findSnapshot(db, gameId, link.snapshot_id);
  const covered: Window = { start: snapshot.window.start, end: snapshot.coveredUntil };
  const slices = await listSlicesOfSnapshot(db, gameId, link.snapshot_id);
  const tiles = tilesExactly(covered, slices);
  findings.must(
    'slices_tile_the_window',
    tiles,
    `${covered.start} to ${covered.end}`,
    slices.map((slice) => `${slice.start} to ${slice.end}`).join(', '),
  );
  const digest = digestSnapshot(
    previous,
    covered,
    slices.map((slice) => slice.digest),
    snapshot.totals,
  );
  findings.same('snapshot_digest', link.digest.toString('hex'), digest.toString('hex'));
  const kept = await listResponses(db, gameId, { snapshotId: link.snapshot_id });
  const control = rebuildControl(
    link.pull_id,
    slices,
    kept.flatMap((response) => readAnswer(findings, response) ?? []),
  );
  const differs = control === null ? ['no answers cover the window'] : listDifferences(control.totals, snapshot.totals);
  findings.same('control_totals_of_raw_bytes', '', differs.join(', '));
  findings.same('control_window_count', String(control?.window_count ?? 0), String(link.control_window_count));
  const reconciler = new WindowReconciler(covered);
  for (const slice of slices) reconciler.add(await loadSlice(db, gameId, slice.sliceId));
  if (slices.length === 0) return kept.length;
  const reconciliation = reconciler.close({ ...snapshot.totals, recipient_count: control?.totals.recipient_count ?? null });
  const isWhole = reconciliation.holds && tiles && compareInstants(link.generated_at, covered.end) >= 0;
  findings.same('status', !isWhole ? 'inconsistent' : covered.end === snapshot.window.end ? 'complete' : 'open', snapshot.status);
  await compareReconciliation(db, gameId, link, snapshot, reconciliation, findings);
  return kept.length;
}

/** Compares what a snapshot stores beside its totals with the repeated reconciliation: each check, recipient and count. */
async function compareReconciliation(
  db: Db,
  gameId: number,
  link: Link,
  snapshot: Snapshot,
  reconciliation: Reconciliation,
  findings: Findings,
): Promise<void> {
  const stored = new Map(snapshot.checks.map((check) => [check.name, writeCheck(check)]));
  for (const check of reconciliation.checks)
    findings.same(`check ${check.name}`, writeCheck(check), stored.get(check.name) ?? 'not stored');
  findings.same(
    'checks_stored',
    reconciliation.checks.map((check) => check.name).join(', '),
    snapshot.checks.map((check) => check.name).join(', '),
  );
  const rows = await listRecipientsOfSnapshot(db, gameId, link.snapshot_id);
  const byId = new Map(rows.map((row) => [row.recipient_player_id, row]));
  findings.same('recipients_stored', String(reconciliation.recipients.length), String(rows.length));
  for (const recipient of reconciliation.recipients) {
    findings.same(
      `recipient ${recipient.recipient_player_id}`,
      writeRecipient(recipient),
      writeRecipient(byId.get(recipient.recipient_player_id)),
    );
  }
  const figures = { ...countFigures(reconciliation), recipient_count: reconciliation.recipients.length };
  for (const [name, figure] of Object.entries(figures)) findings.same(`snapshot ${name}`, String(figure), String(link[name as keyof Link]));
}

function writeCheck({ name, severity, ok, expected, actual, difference, offenders }: Check): string {
  // Lines that were just stored and lines read back may come in another order, and an instant with other zeros at its end.
  const shown = offenders
    .map((each) => `${each.subject}: ${each.expected} / ${each.actual}`.replace(/(\.\d*?)0+Z/g, '$1Z').replaceAll('.Z', 'Z'))
    .toSorted();
  return [name, severity, ok ? 'holds' : 'broken', expected, actual, difference ?? 'no difference', ...shown].join('; ');
}

function writeRecipient(recipient: Pick<WindowRecipient, (typeof WINDOW_RECIPIENT_COLUMNS)[number]> | undefined): string {
  return recipient ? WINDOW_RECIPIENT_COLUMNS.map((name) => `${name} ${recipient[name] ?? 'not recorded'}`).join(', ') : 'not stored';
}
