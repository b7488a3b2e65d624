import { hasFreshPassword } from '#app/_server/fresh-password.ts';
import { openGameContext } from '#app/_server/game.ts';
import { MANIFEST, refuseFile, sendManifest, sendPaymentFile } from '#app/_server/send-file.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import { type FileRefusal, OPEN_REFUSALS } from '#lib/payments/action-text.ts';
import { findDemoReportOfRun } from '#lib/payments/find-demo-report.ts';
import { type OpenedFile, openFile, readFile } from '#lib/payments/open-file.ts';
import { findBatch } from '#lib/payments/reads/batches.ts';

/** The demo bank's report about the files of the run that were handed over. */
const REPORT = 'report.csv';

/**
 * A payment file as it was made, after a fresh password, or its manifest (`3.manifest.json`), which names nobody. No address has an account. In simulated data also the demo
 * bank's report about those that were handed over (`report.csv`).
 */
export async function GET(_: Request, { params }: { params: Promise<{ game: string; runNo: string; file: string }> }): Promise<Response> {
  const person = await requirePerson('payees.read');
  const { game: slug, runNo, file } = await params;
  const { game: found, run } = await loadRun(slug, runNo);
  const { game } = openGameContext(found);
  if (game.isSimulated === true && file === REPORT) {
    const report = await findDemoReportOfRun(game, run);
    return report === null ? refuse('gone') : sendPaymentFile(report.fileName, report.bytes);
  }
  const isManifest = file.endsWith(MANIFEST);
  const batchNo = parseOrdinal(isManifest ? file.slice(0, -MANIFEST.length) : file);
  const batch = batchNo === null ? null : await findBatch(game.db, game.gameId, batchNo);
  if (batch === null || batch.runId !== run.runId) return refuse('gone');
  if (isManifest) {
    const read = await readFile(game, payeeKey(), batch.batchNo);
    if (!read.ok) return refuse(read.reason);
    return await sendManifest({ fileName: read.fileName, bytes: nothing(), rendered: {}, manifest: () => read.manifest });
  }
  // Without the right, the verb refuses and records the attempt.
  if (person.may('payouts.prepare') && !(await hasFreshPassword())) return refuse('password');
  const opened = await openFile(game, person, payeeKey(), batch.batchNo);
  return opened.ok ? sendPaymentFile(opened.fileName, opened.bytes) : refuse(opened.reason);
}

type Refusal = Extract<OpenedFile, { ok: false }>['reason'] | 'password';

/** A refusal about the file. Every other one is about the person. */
const FILE_STATUS: Readonly<Record<FileRefusal, number>> = {
  gone: 404,
  cancelled: 410,
  paused: 409,
  restored: 409,
  cancel_requested: 409,
  void_requested: 409,
  reported_paid: 409,
  no_key: 409,
  unreadable: 409,
};
const STATUS: Readonly<Partial<Record<Refusal, number>>> = FILE_STATUS;

function refuse(reason: Refusal): Response {
  return refuseFile(STATUS[reason] ?? 403, OPEN_REFUSALS[reason]);
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // The manifest is known before the file is read.
}
