import { checkOrigin } from '#app/_server/form-action.ts';
import { requireGame } from '#app/_server/game.ts';
import { readBounded } from '#app/_server/read-bounded.ts';
import { db } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { requestBalances } from '#lib/balances/request-balances.ts';
import { FILE_BYTES_MAX } from '#lib/balances/rules/address-list.ts';
import { ALREADY_RUNNING, formatAddressError } from '#lib/balances/text.ts';

const NO_STORE = { 'cache-control': 'no-store' };

/**
 * Requests the balances of a list, given as the bytes of its file. A route, because a list is larger than what an action takes. The same gates in
 * the same order: origin, person and right, then the input.
 */
export async function POST(request: Request, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const refusal = await checkOrigin();
  if (refusal !== null) return refuse(403, refusal.sentence);
  const person = await findPerson();
  if (person === null) return refuse(401, 'Sign in first. No request was sent to Invo.');
  if (!person.may('balances.export')) return refuse(403, 'Your role can’t ask for balances.');
  const game = await requireGame((await params).game);
  const bytes = await readBounded(request, FILE_BYTES_MAX);
  if (bytes === null) return refuse(413, formatAddressError({ kind: 'too_large' }));
  const answer = await requestBalances({ db: db(), gameId: game.gameId }, { scope: 'some', bytes }, { requestedBy: person.email });
  if (answer.ok) return Response.json({ job: answer.balanceJobId }, { headers: NO_STORE });
  return answer.reason === 'running' ? refuse(409, ALREADY_RUNNING) : refuse(400, formatAddressError(answer.error));
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
