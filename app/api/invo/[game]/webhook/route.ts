import { openIntake } from '#app/_server/intake.ts';
import { receiveDelivery } from '#lib/webhooks/receive-delivery.ts';

export const dynamic = 'force-dynamic';

interface Context {
  params: Promise<{ game: string }>;
}

const NO_STORE = { 'cache-control': 'no-store' };

/** Where Invo delivers its webhooks: no session, no origin, only the signature counts. A 200 says that the delivery is committed. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const intake = openIntake((await params).game);
  if (intake === null) return Response.json({ says: 'There is no such game.' }, { status: 404, headers: NO_STORE });
  const { status, says, retryAfter_seconds: wait } = await receiveDelivery(intake, request);
  return Response.json(
    { says },
    { status, headers: { ...NO_STORE, ...(wait === undefined ? {} : { 'retry-after': String(wait) }), ...closing(status) } },
  );
}

/** After a body that was not read to its end, the connection can't be used again. */
function closing(status: number): Record<string, string> {
  return status === 408 || status === 413 ? { connection: 'close' } : {};
}

function refuseMethod(): Response {
  return Response.json({ says: 'Send a POST.' }, { status: 405, headers: { ...NO_STORE, allow: 'POST' } });
}

export const GET = refuseMethod;
export const HEAD = refuseMethod;
export const PUT = refuseMethod;
export const PATCH = refuseMethod;
export const DELETE = refuseMethod;
export const OPTIONS = refuseMethod;
