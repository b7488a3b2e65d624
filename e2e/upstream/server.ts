import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { answerPhonePage } from './approvals/phone-page.ts';
import { answerControl } from './control/control.ts';
import { handleCall } from './handle-call.ts';
import { answerRewardsPage } from './loyalty/rewards-page.ts';
import { answerCheckoutPage } from './orders/checkout-page.ts';
import { lapsePurchases } from './orders/purchase.ts';
import { openState, type State, type StateOptions } from './state/state.ts';
import { lapseTransfers } from './transfers/ledger.ts';
import { addPurchases, addRenewals } from './webhooks/events.ts';
import { sendDue } from './webhooks/webhook-controls.ts';
import { errorBody, jsonAnswer, Refusal, send } from './wire/answer.ts';

const CONTROL_PREFIX = '/__control/';

export interface UpstreamOptions extends StateOptions {
  /** Default: a free port. */
  port?: number;
  /** A webhook of the production title that is registered from the start, and its signing secret. */
  webhook?: { url: string; secret: string } | undefined;
}

export interface Upstream {
  /** Base URL of the production game; the sandbox game's adds `/sandbox`. */
  url: string;
  controlUrl: string;
  /** Forgets refunds, clock, faults, calls and settings. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts the simulated Invo on 127.0.0.1 and resolves once it listens. */
export async function createUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const state = openState(options);
  // Longer than a test on a busy machine leaves a connection idle: a call on one that has just ended is made again, and tests count calls.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    // An error here is a bug of this service: cut the connection and print the reason.
    respond(state, request, response).catch((error: unknown) => {
      process.stderr.write(`simulated Invo: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  if (options.webhook !== undefined) state.outbox('production').register(options.webhook.url, ['*'], options.webhook.secret);
  const stopDelivering = deliverByItself(state, options.webhook?.url ?? null);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    controlUrl: `${url}${CONTROL_PREFIX.slice(0, -1)}`,
    reset: () => state.reset(),
    close: () =>
      new Promise((resolve) => {
        stopDelivering();
        server.close(() => resolve());
        state.held.cut();
        server.closeAllConnections();
      }),
  };
}

const DELIVERS_EVERY_MS = 1_000;

/**
 * Delivers what is due each second while the clock runs; on a fixed clock control says when. A receiver registered from the start starts beside this
 * service, so its first attempt waits until it listens: a refused one would be repeated only after minutes. Returns what stops it.
 */
function deliverByItself(state: State, awaited: string | null): () => void {
  let isSending = false;
  let isAwaited = awaited !== null;
  const timer = setInterval(() => {
    if (isSending || state.isFixed()) return;
    isSending = true;
    addPurchases(state, 'production');
    addRenewals(state, 'production');
    lapseTransfers(state);
    lapsePurchases(state);
    void (async () => {
      if (isAwaited && awaited !== null) isAwaited = !(await isListening(awaited));
      if (!isAwaited) await sendDue(state, 'production');
    })().finally(() => {
      isSending = false;
    });
  }, DELIVERS_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve) => {
    const socket = connect(Number(port || '80'), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  response.on('error', () => undefined);
  lapseTransfers(state);
  lapsePurchases(state);
  if (url.pathname === '/checkout') return answerCheckoutPage(state, request, response, url);
  if (url.pathname === '/rewards') return answerRewardsPage(state, response, url);
  if (url.pathname === '/phone') return answerPhonePage(state, request, response, url);
  if (!url.pathname.startsWith(CONTROL_PREFIX)) return handleCall(state, request, response, url);
  try {
    if (!isLocal(request)) throw new Refusal(403, 'FORBIDDEN', 'Control is for loopback callers that are no browser.');
    const text = await readBody(request);
    const body = await answerControl(
      state,
      request.method ?? 'GET',
      url.pathname.slice(CONTROL_PREFIX.length),
      text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text),
    );
    send(response, await jsonAnswer(request, 200, JSON.stringify(body)));
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal(400, 'INVALID_BODY', error instanceof Error ? error.message : String(error));
    send(response, await jsonAnswer(request, refusal.status, JSON.stringify(errorBody(refusal, 'err_control'))));
  }
}

function isLocal(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? '';
  return (address === '::1' || address.replace('::ffff:', '').startsWith('127.')) && request.headers.origin === undefined;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
