import { checkOrigin } from '#app/_server/form-action.ts';
import { openGameContext, requireGame } from '#app/_server/game.ts';
import { readBounded } from '#app/_server/read-bounded.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { formatOtherKey } from '#lib/payees/find-key-refusal.ts';
import { findImportPlan, type ImportResult, importDetails, previewOf } from '#lib/payees/import-details.ts';
import { FILE_BYTES_MAX, type ImportAnswer } from '#lib/payees/rules/import-file.ts';
import { formatFileError, formatRowError, IMPORT_REFUSALS } from '#lib/payees/text.ts';

/**
 * Checks a CSV file of payment details, given as its bytes, or proposes what it changes where the headers have the digest of the changes the person saw, and their
 * reason. A route, because a file is larger than what an action takes. The same gates in the same order: origin, person and right, then the input.
 */
export async function POST(request: Request, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const refusal = await checkOrigin();
  if (refusal !== null) return answer(403, { kind: 'refused', sentence: refusal.sentence });
  const person = await findPerson();
  if (person === null) return answer(401, { kind: 'refused', sentence: 'Sign in first. Nothing was saved.' });
  if (!person.may('payouts.prepare')) return answer(403, { kind: 'refused', sentence: IMPORT_REFUSALS.not_allowed });
  const { game } = openGameContext(await requireGame((await params).game));
  const bytes = await readBounded(request, FILE_BYTES_MAX);
  if (bytes === null) return answer(413, { kind: 'refused', sentence: formatFileError({ kind: 'too_large' }) });
  const shown = request.headers.get('sharebook-shown');
  if (shown === null) {
    const plan = await findImportPlan(game.db, game.gameId, payeeKey(), bytes);
    return answer(200, plan.ok ? { kind: 'checked', ...previewOf(plan) } : refusalOf(plan));
  }
  const reason = decodeReason(request.headers.get('sharebook-reason') ?? '');
  const proposed = await importDetails(game, person, payeeKey(), { bytes, reason, shown });
  return answer(200, proposed.ok ? { kind: 'proposed', count: proposed.count } : refusalOf(proposed));
}

function refusalOf(refused: Extract<ImportResult, { ok: false }>): ImportAnswer {
  if (refused.reason === 'file') return { kind: 'refused', sentence: formatFileError(refused.error) };
  if (refused.reason === 'rows') return { kind: 'rows', sentences: refused.errors.map(formatRowError), count: refused.count };
  if (refused.reason === 'other_key') return { kind: 'refused', sentence: `Nothing was saved. ${formatOtherKey(refused)}` };
  return { kind: refused.reason === 'not_as_shown' ? 'changed' : 'refused', sentence: IMPORT_REFUSALS[refused.reason] };
}

/** Headers have no letters beyond ASCII. */
function decodeReason(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function answer(status: number, body: ImportAnswer): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
