import { requireGame } from '#app/_server/game.ts';
import { MANIFEST, refuseFile, refuseReason, sendFile, sendManifest } from '#app/_server/send-file.ts';
import { db, downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { BALANCE_FORMATS, openBalanceFile } from '#lib/balances/balance-file.ts';
import { NO_FILE } from '#lib/balances/text.ts';

interface Context {
  params: Promise<{ game: string; job: string; format: string }>;
}

/** The balances of a job as a CSV or a spreadsheet, or the manifest of either. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson();
  if (!person.may('balances.read') || !person.may('emails.read')) return refuseFile(403, 'Your role can’t read balance files.');
  const { game: slug, job, format: named } = await params;
  const game = await requireGame(slug);
  const isManifest = named.endsWith(MANIFEST);
  const format = BALANCE_FORMATS.find((each) => each === (isManifest ? named.slice(0, -MANIFEST.length) : named));
  if (format === undefined || !/^[1-9]\d{0,14}$/.test(job)) return refuseReason('no_job');
  const request = { balanceJobId: Number(job), format, ...(isManifest ? {} : { takenBy: person.email }) };
  const file = await openBalanceFile({ db: db(), files: downloads().db }, game, request);
  if (!file.ok) return file.reason === 'too_many_rows' ? refuseFile(409, NO_FILE.too_many_rows) : refuseReason(file.reason);
  return isManifest ? await sendManifest(file) : await sendFile(file.fileName, file.bytes);
}
