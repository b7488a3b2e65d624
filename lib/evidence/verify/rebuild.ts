import { gunzipSync } from 'node:zlib';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { compareInstants, earlierOf, parseInstant } from '#lib/core/instant.ts';
import { containsWindow, type Window } from '#lib/core/window.ts';
import { attributionReport, reshapeRecipients, reshapeTotals } from '#lib/invo/routes/attribution-report.ts';
import type { StoredResponse, StoredSlice } from '../reads/slices.ts';
import type { Recipient, RecipientReport, SliceEvidence } from '../rules/evidence.ts';
import type { Findings } from '../rules/findings.ts';
import { LineCollection } from '../rules/line-collection.ts';
import { type JoinedTotals, joinTotals, type Totals } from '../rules/totals.ts';

/** Larger than any answer the client takes: a stored body that inflates beyond this was tampered with. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** A stored answer in our fields: the report as Invo wrote it takes several times the memory and is let go. */
export interface ReadAnswer {
  purpose: string;
  part: Window;
  pullId: number;
  offset: number;
  /** Invo's own ID of the game. */
  gameId: string;
  generated_at: string;
  totals: Totals;
  recipients: RecipientReport[];
}

/** The body of a stored answer; null when its bytes are no gzip or burst. */
export function inflate(body: Buffer, bytes_max = BODY_BYTES_MAX): Buffer | null {
  try {
    return gunzipSync(body, { maxOutputLength: bytes_max });
  } catch {
    return null;
  }
}

/** Opens a stored answer: its digest must be that of its bytes, and it must still read as a report. null when it does not, with the finding. */
export function readAnswer(findings: Findings, response: StoredResponse, bytes_max = BODY_BYTES_MAX): ReadAnswer | null {
  const subject = findings.about(`response ${response.responseId}`);
  try {
    const body = inflate(response.body, bytes_max);
    if (body === null) throw new Error('the bytes are no gzip');
    const digest = sha256Of(body).toString('hex');
    subject.same('response_digest', response.sha256.toString('hex'), digest);
    subject.same('response_size', String(response.inflatedByteCount), String(body.length));
    subject.same('response_status', '200', String(response.status));
    const report = attributionReport.parse(JSON.parse(body.toString('utf8')));
    const { searchParams } = new URL(response.request, 'http://request.invalid');
    const [start, end] = [parseInstant(searchParams.get('start')), parseInstant(searchParams.get('end'))];
    if (start === null || end === null) throw new Error(`no window in the request ${response.request}`);
    return {
      purpose: response.purpose,
      pullId: response.pullId,
      part: { start, end },
      offset: Number(searchParams.get('offset') ?? 0),
      gameId: report.report.game_id,
      generated_at: report.report.generated_at,
      totals: reshapeTotals(report),
      recipients: reshapeRecipients(report),
    };
  } catch (error) {
    subject.must('response_reads', false, 'a report', error instanceof Error ? error.message.slice(0, 200) : String(error));
    return null;
  }
}

/** Puts a slice together again from its raw answers alone, the way the pull did: the last whole reading of the pages, then every filled part. */
export function rebuildSlice(window: Window, answers: ReadAnswer[]): SliceEvidence | null {
  const first = answers.findLastIndex((answer) => answer.purpose === 'page' && answer.offset === 0);
  const pages = answers
    .slice(first)
    .filter((answer) => answer.purpose === 'page')
    .toSorted((a, b) => a.offset - b.offset);
  const [head] = pages;
  if (first < 0 || !head) return null;
  const lines = new LineCollection(window);
  const filled = answers.slice(first).filter((answer) => answer.purpose === 'fill' && containsWindow(window, answer.part));
  for (const { part, recipients: reported } of [...pages, ...filled]) for (const recipient of reported) lines.add(part, recipient);
  const recipients = pages
    .flatMap(({ recipients: reported }) => reported)
    .map(({ renewals: _, reversals: __, isTruncated: ___, ...figures }): Recipient => figures);
  return {
    window,
    generated_at: pages.map(({ generated_at }) => generated_at).reduce(earlierOf),
    totals: head.totals,
    recipients,
    renewals: recipients.flatMap((each) => lines.renewalsOf(each.recipient_player_id)),
    reversals: recipients.flatMap((each) => lines.reversalsOf(each.recipient_player_id)),
    call_count: answers.length,
    notice_count: answers.length,
  };
}

export interface RebuiltControl {
  totals: JoinedTotals;
  window_count: number;
}

/**
 * Rebuilds the control totals of a snapshot: from the answers about adjoining windows that its pull stored, at each start the longest and of those
 * the last, and from a slice's own totals where no answer starts. null: they do not cover the slices.
 */
export function rebuildControl(pullId: number, slices: StoredSlice[], answers: ReadAnswer[]): RebuiltControl | null {
  const own = answers.filter((answer) => answer.pullId === pullId && answer.purpose === 'control');
  const parts: JoinedTotals[] = [];
  for (let position = 0; position < slices.length; ) {
    const slice = slices[position];
    const starting = own
      .filter(({ part }) => slice && compareInstants(part.start, slice.start) === 0)
      .toSorted((a, b) => compareInstants(b.part.end, a.part.end));
    const longest = starting.findLast(({ part }) => compareInstants(part.end, starting[0]?.part.end ?? '') === 0);
    const end = longest?.part.end ?? slice?.end ?? '';
    const next = slices.findIndex((each, index) => index >= position && compareInstants(each.end, end) === 0);
    if (next < 0 || !slice) return null;
    parts.push(longest ? longest.totals : slice.totals);
    position = next + 1;
  }
  return parts.length === 0 ? null : { totals: joinTotals(parts), window_count: parts.length };
}
