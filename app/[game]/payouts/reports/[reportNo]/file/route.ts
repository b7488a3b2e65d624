import { hasFreshPassword } from '#app/_server/fresh-password.ts';
import { openGameContext, requireGame } from '#app/_server/game.ts';
import { refuseFile, sendPaymentFile } from '#app/_server/send-file.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import { SHOW_REPORT_REFUSALS } from '#lib/payments/action-text.ts';
import { downloadReport, type NotShown } from '#lib/payments/show-report.ts';

/** A bank report as it was added, after a fresh password. */
export async function GET(_: Request, { params }: { params: Promise<{ game: string; reportNo: string }> }): Promise<Response> {
  const person = await requirePerson('payees.read');
  const { game: slug, reportNo: typed } = await params;
  const { game } = openGameContext(await requireGame(slug));
  const reportNo = parseOrdinal(typed);
  if (reportNo === null) return refuse('gone');
  // Without the right, the verb refuses and records the attempt.
  if (person.may('payees.show') && !(await hasFreshPassword())) return refuse('password');
  const opened = await downloadReport(game, person, payeeKey(), reportNo);
  return opened.ok ? sendPaymentFile(opened.fileName, opened.bytes) : refuse(opened.reason);
}

type Refusal = NotShown['reason'] | 'password';

const STATUS: Readonly<Partial<Record<Refusal, number>>> = { gone: 404, no_key: 409, unreadable: 409 };

function refuse(reason: Refusal): Response {
  return refuseFile(STATUS[reason] ?? 403, SHOW_REPORT_REFUSALS[reason]);
}
