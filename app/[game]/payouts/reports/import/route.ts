import { revalidatePath } from 'next/cache';
import { checkOrigin } from '#app/_server/form-action.ts';
import { openGameContext, requireGame } from '#app/_server/game.ts';
import { readBounded } from '#app/_server/read-bounded.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { formatOtherKey } from '#lib/payees/find-key-refusal.ts';
import { REPORT_REFUSALS } from '#lib/payments/action-text.ts';
import { type GivenReport, previewReport, type RecordReportResult, recordReport } from '#lib/payments/record-report.ts';
import { formatOtherAccount, formatReportRefusal } from '#lib/payments/report-text.ts';
import { REPORT_BYTES_MAX } from '#lib/payments/reports/read-report.ts';
import type { ReportAnswer } from '#lib/payments/rules/report-answer.ts';
import { DATE_ORDERS } from '#lib/payments/rules/report-row.ts';

/**
 * Checks what a report of a bank or a provider would confirm, given as its bytes, or records it where the headers ask for it. A route, because a report is larger than what an
 * action takes. The same gates in the same order: origin, person and right, then the input.
 */
export async function POST(request: Request, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const refusal = await checkOrigin();
  if (refusal !== null) return answer(403, { kind: 'refused', sentence: refusal.sentence });
  const person = await findPerson();
  if (person === null) return answer(401, { kind: 'refused', sentence: 'Sign in first. Nothing was stored.' });
  if (!person.may('payouts.prepare')) return answer(403, { kind: 'refused', sentence: REPORT_REFUSALS.not_allowed });
  const { game } = openGameContext(await requireGame((await params).game));
  const bytes = await readBounded(request, REPORT_BYTES_MAX);
  if (bytes === null)
    return answer(413, { kind: 'refused', sentence: formatReportRefusal({ reason: 'too_large', rowNo: null, detail: '' }) });
  const order = request.headers.get('sharebook-date-order');
  const given: GivenReport = {
    bytes,
    fileName: decode(request.headers.get('sharebook-file-name')),
    dateOrder: DATE_ORDERS.find((each) => each === order) ?? null,
  };
  if (request.headers.get('sharebook-act') !== 'record') {
    const previewed = await previewReport(game.db, game.gameId, payeeKey(), given);
    if (!previewed.ok) return answer(200, refusalOf(previewed));
    const { kind: layout, result, listed, listedCount, recordedAs } = previewed.preview;
    return answer(200, { kind: 'checked', layout, result, listed, listedCount, recordedAs });
  }
  const recorded = await recordReport(game, person, payeeKey(), given);
  if (!recorded.ok) return answer(200, refusalOf(recorded));
  revalidatePath('/', 'layout');
  const { reportNo, result, openCount } = recorded.report;
  const before = recorded.isNew ? '' : 'Recorded before, so nothing changed. ';
  const after = recorded.voidedSubmission ? ' The run in review is a draft again.' : '';
  return answer(200, { kind: 'recorded', reportNo, sentence: `${before}${result}${after}`, openCount });
}

function refusalOf(refused: Extract<RecordReportResult, { ok: false }>): ReportAnswer {
  if (refused.reason === 'report') {
    const kind = refused.refusal.reason === 'date_order' ? 'date_order' : 'refused';
    return { kind, sentence: formatReportRefusal(refused.refusal) };
  }
  if (refused.reason === 'other_account') return { kind: 'refused', sentence: formatOtherAccount(refused.account) };
  if (refused.reason === 'other_key') return { kind: 'refused', sentence: `Nothing was stored. ${formatOtherKey(refused)}` };
  return { kind: 'refused', sentence: REPORT_REFUSALS[refused.reason] };
}

/** Headers have no letters beyond ASCII. */
function decode(text: string | null): string | null {
  try {
    return text === null || text === '' ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

function answer(status: number, body: ReportAnswer): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
