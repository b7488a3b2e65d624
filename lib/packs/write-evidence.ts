import type { ZipEntry } from '#lib/core/zip.ts';
import { redactBytes } from '#lib/evidence/reads/names-in-bytes.ts';
import { findResponseBody, listSlicesOfSnapshot } from '#lib/evidence/reads/slices.ts';
import { findIdentities, listRecipientsOfSnapshot, listResponseHeads } from '#lib/evidence/reads/verification.ts';
import type { ErasedPeople } from '#lib/evidence/rules/leave-out-people.ts';
import { type JoinedTotals, totalsOfRow } from '#lib/evidence/rules/totals.ts';
import { firstPart, listStatements } from '#lib/payouts/find-statement.ts';
import { writeStatementCsv } from '#lib/payouts/statement-csv.ts';
import type { PackSource } from './pack-entries.ts';
import { findSnapshotRow, listStatementSizes } from './reads.ts';
import { PATHS, type PackResponse, responsePath, type SnapshotFile, statementPath } from './rules/pack-files.ts';
import { LEFT_OUT } from './text.ts';

/** Writes each response of a run's snapshot as it is stored, one held at a time, then the snapshot that names them. */
export async function* writeEvidence({ game, run, leftOut }: PackSource): AsyncGenerator<ZipEntry> {
  const { db, gameId } = game;
  const { snapshotId } = run;
  const link = await findSnapshotRow(db, gameId, snapshotId);
  const slices = await listSlicesOfSnapshot(db, gameId, snapshotId);
  const recipients = await listRecipientsOfSnapshot(db, gameId, snapshotId);
  const heads = await listResponseHeads(db, gameId, link);
  const { erased } = await findIdentities(db, gameId);
  const people: ErasedPeople = { playerIds: new Set([...erased].map(String)), emails: [], identities: new Set() };
  const responses: (PackResponse & { slice: number })[] = [];
  let redactedCount = 0;
  for (const [index, { response_id, slice, received_at, sha256, purpose, request, status, inflated_byte_count }] of heads.entries()) {
    const body = await findResponseBody(db, gameId, response_id);
    const left = people.playerIds.size === 0 ? null : await redactBytes(body, people);
    if (left !== null) redactedCount += 1;
    const number = index + 1;
    const stated = { purpose, request, status, received_at, inflated_byte_count, sha256: sha256.toString('hex') };
    responses.push({ slice, number, ...stated, redacted: left !== null });
    yield { name: responsePath(number), content: [left?.body ?? body] };
  }
  if (redactedCount > 0) leftOut.push(LEFT_OUT.erased_people(redactedCount));
  const responsesOf = (slice: number): PackResponse[] =>
    responses.filter((each) => each.slice === slice).map(({ slice: _, ...response }) => response);
  const file: SnapshotFile = {
    snapshot_id: link.snapshot_id,
    chain_no: link.chain_no,
    digest_version: link.digest_version,
    figures_version: link.figures_version,
    digest: link.digest.toString('hex'),
    facts_digest: link.facts_digest?.toString('hex') ?? null,
    previous_digest: link.previous_digest?.toString('hex') ?? null,
    created_at: link.created_at,
    window_start: link.window_start,
    window_end: link.window_end,
    covered_until: link.covered_until,
    generated_at: link.generated_at,
    status: link.status,
    invo_game_id: link.invoGameId,
    control_window_count: link.control_window_count,
    totals: totalsOfRow<JoinedTotals>(link),
    control_responses: responsesOf(0),
    slices: slices.map(({ start, end, generated_at, digest, totals }, index) => ({
      window_start: start,
      window_end: end,
      generated_at,
      digest: digest.toString('hex'),
      totals,
      responses: responsesOf(index + 1),
    })),
    recipients: recipients
      .map(({ recipient_player_id, resolved, identity_digest }) => ({
        recipient_player_id,
        resolved,
        identity_digest: identity_digest?.toString('hex') ?? null,
      }))
      .toSorted((one, other) => one.recipient_player_id - other.recipient_player_id),
  };
  yield { name: PATHS.snapshot, content: `${JSON.stringify(file, null, 2)}\n` };
}

/** Recipients whose statements are made at once. */
const PART_RECIPIENTS = 50;

/** Writes the statement of each recipient of a run as a CSV, by player ID. */
export async function* writeStatements({ game, run }: PackSource): AsyncGenerator<ZipEntry> {
  const waiting = await listStatementSizes(game.db, run);
  for (let next = 0; next < waiting.length; ) {
    const part = firstPart(waiting.slice(next, next + PART_RECIPIENTS));
    const statements = await listStatements(game.db, game, run.runNo, part);
    if (statements.length < part.length) throw new Error(`run ${run.runNo} no longer has these statements`);
    for (const statement of statements) yield { name: statementPath(statement.line.recipientId), content: writeStatementCsv(statement) };
    next += part.length;
  }
}
