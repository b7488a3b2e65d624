import { sha256Of } from '#lib/core/canonical-digest.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { maxMoney, sumMoney } from '#lib/core/money.ts';
import { digestSlice } from '#lib/evidence/digest.ts';
import type { StoredResponse, StoredSlice } from '#lib/evidence/reads/slices.ts';
import type { ReversalLine, SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { isSameTotals, type JoinedTotals, type Totals, totalsOfRow } from '#lib/evidence/rules/totals.ts';
import { proveSnapshot } from '#lib/evidence/verify/prove-snapshot.ts';
import { inflate, type ReadAnswer, readAnswer, rebuildSlice } from '#lib/evidence/verify/rebuild.ts';
import type { RunSources } from '#lib/payouts/rules/prove-run.ts';
import type { EarnedRenewal } from '#lib/payouts/rules/statement.ts';
import type { OpenPack } from './open-pack.ts';
import { PATHS, type PackResponse, responsePath, type SnapshotFile, snapshotFile } from './rules/pack-files.ts';

/** What a period's reversal lines state together. */
interface ReversedPeriod {
  recipientId: number;
  subscriptionId: string;
  settledAt: string;
  attributed_usd: string;
  reported_usd: string;
  isCoarse: boolean;
  /** The refunds in the window, oldest first. */
  refundedAt: string[];
  isFullRefund: boolean;
}

/** What of the evidence the run and its statements are compared with. */
export interface ProvenEvidence {
  snapshotId: number;
  /** Hex. */
  snapshotDigest: string;
  totals: JoinedTotals;
  reported: RunSources['reported'];
  periods: ReadonlyMap<number, ReversedPeriod>;
  /** By recipient, in order of settlement. */
  renewals: ReadonlyMap<number, EarnedRenewal[]>;
  responseCount: number;
}

/** No response inflates to more; a slice has at most 20,000 lines of a kind, on pages of 100 recipients. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;

/** Rebuilds the snapshot of a pack from its raw responses, one slice held at a time, and proves it the way `verify` does. */
export async function proveEvidence(pack: OpenPack, known: Set<string>, findings: Findings): Promise<ProvenEvidence> {
  const stated = await pack.json(PATHS.snapshot, snapshotFile);
  known.add(PATHS.snapshot);
  const about = findings.about(`snapshot ${stated.snapshot_id}`);
  const gathered = new GatheredLines();
  const slices = stated.slices.map((slice, index): StoredSlice => {
    const { window_start: start, window_end: end, generated_at, digest, totals } = slice;
    return { sliceId: index + 1, start, end, generated_at, digest: bytesOf(digest), totals: totalsOf<Totals>(totals), pullId: 0 };
  });
  const reader = { pack, known, gameId: stated.invo_game_id, findings };
  async function* evidence(): AsyncGenerator<SliceEvidence> {
    for (const [index, slice] of slices.entries()) {
      const rebuilt = await rebuild(reader, slice, stated.slices[index]?.responses ?? []);
      if (rebuilt === null) continue;
      gathered.add(rebuilt);
      yield rebuilt;
    }
  }
  const answers = await readAnswers(reader, stated.control_responses);
  const link = {
    ...stated,
    digest: bytesOf(stated.digest),
    facts_digest: stated.facts_digest === null ? null : bytesOf(stated.facts_digest),
    pull_id: 0,
    totals: totalsOf<JoinedTotals>(stated.totals),
  };
  const reconciliation = await proveSnapshot(
    {
      link,
      previous: stated.previous_digest === null ? null : bytesOf(stated.previous_digest),
      slices,
      answers,
      heads: headsOf(stated),
      recipients: stated.recipients.map(({ identity_digest, ...recipient }) => ({
        ...recipient,
        digest: identity_digest === null ? null : bytesOf(identity_digest),
      })),
    },
    evidence(),
    about,
  );
  about.same('run_needs_a_complete_snapshot', 'complete', stated.status);
  const recipients = (reconciliation?.recipients ?? []).toSorted((one, other) => one.recipient_player_id - other.recipient_player_id);
  const write = (rows: readonly { recipient_player_id: number; resolved: boolean | null }[]): string =>
    rows.map((row) => `${row.recipient_player_id} ${row.resolved ?? 'not reported'}`).join(', ');
  about.same('recipients_of_raw_bytes', write(recipients), write(stated.recipients));
  return {
    snapshotId: stated.snapshot_id,
    snapshotDigest: stated.digest,
    totals: link.totals,
    reported: new Map(
      recipients.map((row) => [
        row.recipient_player_id,
        { earned_usd: row.gross_attributed_usd, reversed_usd: row.reversed_attributed_usd },
      ]),
    ),
    periods: gathered.periods,
    renewals: gathered.renewals(),
    responseCount: headsOf(stated).length,
  };
}

/** Guarantee of the cast: the shape of the file has every total by its name, and of a slice those that are counted. */
function totalsOf<T extends JoinedTotals>(totals: SnapshotFile['totals']): T {
  return totalsOfRow<T>(totals as unknown as Parameters<typeof totalsOfRow<T>>[0]);
}

function bytesOf(digest: string): Buffer {
  return Buffer.from(digest, 'hex');
}

/** Every response as the link of the chain covers it: control answers as those of slice 0. */
function headsOf({ control_responses, slices }: SnapshotFile) {
  return [control_responses, ...slices.map(({ responses }) => responses)].flatMap((responses, slice) =>
    responses.map(({ number: _, redacted: __, sha256, ...head }) => ({ ...head, slice, sha256: bytesOf(sha256) })),
  );
}

interface ResponseReader {
  pack: OpenPack;
  known: Set<string>;
  gameId: string | null;
  findings: Findings;
}

async function readAnswers({ pack, known, gameId, findings }: ResponseReader, responses: readonly PackResponse[]): Promise<ReadAnswer[]> {
  const answers: ReadAnswer[] = [];
  for (const { number, purpose, request, status, inflated_byte_count, sha256, redacted } of responses) {
    const path = responsePath(number);
    known.add(path);
    const body = await pack.read(path);
    const stored: StoredResponse = {
      responseId: number,
      pullId: 0,
      status,
      purpose,
      request,
      body,
      sha256: bytesOf(sha256),
      inflatedByteCount: inflated_byte_count,
    };
    const answer = readAnswer(findings, redacted ? asRedacted(stored) : stored, RESPONSE_BYTES_MAX);
    if (answer === null) continue;
    findings.about(`response ${number}`).same('answer_of_the_pinned_game', gameId ?? 'none pinned', answer.gameId);
    answers.push(answer);
  }
  return answers;
}

/** A response without names of erased people: its bytes are others than its digest is of, so they are their own measure. The figures in it are proven. */
function asRedacted(response: StoredResponse): StoredResponse {
  const inflated = inflate(response.body, RESPONSE_BYTES_MAX);
  return inflated === null ? response : { ...response, sha256: sha256Of(inflated), inflatedByteCount: inflated.length };
}

async function rebuild(reader: ResponseReader, slice: StoredSlice, responses: readonly PackResponse[]): Promise<SliceEvidence | null> {
  const about = reader.findings.about(`slice ${slice.sliceId}`);
  const rebuilt = rebuildSlice({ start: slice.start, end: slice.end }, await readAnswers(reader, responses));
  about.must('slice_can_be_rebuilt', rebuilt !== null, 'answers of its pages', 'none');
  if (rebuilt === null) return null;
  about.same('slice_digest_of_raw_bytes', slice.digest.toString('hex'), digestSlice(rebuilt).toString('hex'));
  about.must('slice_totals_of_raw_bytes', isSameTotals(rebuilt.totals, slice.totals), 'those of its first page', 'others');
  about.same('slice_generated_at', rebuilt.generated_at, slice.generated_at);
  return rebuilt;
}

/** What statements and reversals need of the lines, so that a slice can be let go. */
class GatheredLines {
  readonly periods = new Map<number, ReversedPeriod>();
  readonly #renewals = new Map<number, EarnedRenewal[]>();

  add({ renewals, reversals }: SliceEvidence): void {
    for (const line of renewals) {
      const own = this.#renewals.get(line.recipient_player_id) ?? [];
      own.push({
        periodId: line.period_id,
        subscriptionId: line.subscription_id,
        itemName: line.item_name,
        settledAt: line.paid_at,
        periodStart: line.period_start,
        periodEnd: line.period_end,
        percent: line.percent_at_renewal,
        base_usd: line.base_usd,
        attributed_usd: line.attributed_amount_usd,
      });
      this.#renewals.set(line.recipient_player_id, own);
    }
    for (const reversal of reversals) this.#addReversal(reversal);
  }

  /** A period can have a row in several slices of its month. */
  #addReversal(line: ReversalLine): void {
    const known = this.periods.get(line.period_id);
    const events = line.refund_events;
    this.periods.set(line.period_id, {
      recipientId: line.recipient_player_id,
      subscriptionId: known === undefined || line.subscription_id < known.subscriptionId ? line.subscription_id : known.subscriptionId,
      settledAt: known === undefined || compareInstants(line.paid_at, known.settledAt) < 0 ? line.paid_at : known.settledAt,
      attributed_usd: maxMoney(known?.attributed_usd ?? '0.00', line.originally_attributed_usd),
      reported_usd: sumMoney([known?.reported_usd ?? '0.00', line.reversed_attributed_usd]),
      isCoarse: (known?.isCoarse ?? false) || line.reversal_basis !== 'refund_receipts',
      refundedAt: [...(known?.refundedAt ?? []), ...events.map(({ refunded_at }) => refunded_at)].toSorted(compareInstants),
      isFullRefund: (known?.isFullRefund ?? false) || events.some(({ is_full_refund }) => is_full_refund),
    });
  }

  renewals(): Map<number, EarnedRenewal[]> {
    for (const own of this.#renewals.values())
      own.sort((one, other) => compareInstants(one.settledAt, other.settledAt) || one.periodId - other.periodId);
    return this.#renewals;
  }
}
