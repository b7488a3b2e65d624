import { findDatabaseNow } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { type IncomingDelivery, type Intake, type IntakeAnswer, receiveDelivery } from '#lib/webhooks/receive-delivery.ts';
import { signDelivery } from '#lib/webhooks/rules/signature-header.ts';
import { openTestEnvironment, type TestEnvironment } from '../test-environment.ts';

export const SIGNING_SECRET = 'whsec-test-current';
export const PREVIOUS_SECRET = 'whsec-test-previous';
export const INVO_GAME_ID = '41207';

/** A delivery as a test sends it; what is left out is as Invo would send it. */
export interface TestDelivery {
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** The moment it is signed for; default: now by the database clock. */
  at?: string;
  /** Added to the signed time, in seconds. */
  skew?: number;
  secrets?: readonly string[];
  /** Replaces or, as null, removes headers. */
  headers?: Record<string, string | null>;
}

/** An intake over a database and a simulated Invo of its own. */
export interface IntakeEnvironment extends TestEnvironment {
  gameId: number;
  /** Sends one delivery to the intake; the time is the database's. */
  deliver(delivery?: TestDelivery, changed?: Partial<Intake>): Promise<IntakeAnswer>;
  /** Hands a request to the intake as it is. */
  receive(request: IncomingDelivery): Promise<IntakeAnswer>;
  refused: string[];
  config: GameConfig;
}

/** Opens an intake with two signing secrets and a game whose id at Invo is known, over an environment of its own unless one is given. */
export async function openIntakeEnvironment(over?: TestEnvironment): Promise<IntakeEnvironment> {
  const testEnv = over ?? (await openTestEnvironment());
  const { gameId, db } = await testEnv.game();
  await testEnv.pool.query(`update game set invo_game_id = $1 where game_id = $2`, [INVO_GAME_ID, gameId]);
  const refused: string[] = [];
  const intake: Intake = {
    secrets: { current: SIGNING_SECRET, previous: PREVIOUS_SECRET },
    db,
    findGame: async () => ({ gameId, pinnedId: INVO_GAME_ID }),
    now: () => findDatabaseNow(testEnv.db),
    onRefused: (reason) => refused.push(reason),
    onStored: () => undefined,
    onError: () => undefined,
  };
  return {
    ...testEnv,
    gameId,
    refused,
    receive: (request) => receiveDelivery(intake, request),
    deliver: async (delivery = {}, changed = {}) => {
      const used = { ...intake, ...changed };
      return await receiveDelivery(used, requestOf(delivery.at ?? (await intake.now()), delivery));
    },
  };
}

/** The body of an event of this game. */
export function eventBody(eventType: string, data: Record<string, unknown>, envelope: Record<string, unknown> = {}): string {
  return JSON.stringify({
    event_id: `evt_${eventType}`,
    event_type: eventType,
    created_at: '2026-11-20T10:00:00Z',
    tenant_id: INVO_GAME_ID,
    data,
    ...envelope,
  });
}

/** The signature header of these bytes at that time, by each of these secrets. */
export function signatureOf(body: Uint8Array, signedAt: number, secrets: readonly string[]): string {
  return [`t=${signedAt}`, ...secrets.map((secret) => `v1=${signDelivery(body, String(signedAt), secret).toString('hex')}`)].join(',');
}

function requestOf(
  now: string,
  { body = eventBody('purchase.completed', { order_id: 'ORD_1' }), ...delivery }: TestDelivery,
): IncomingDelivery {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : Buffer.alloc(0);
  const signedAt = Math.floor(Date.parse(now) / 1_000) + (delivery.skew ?? 0);
  const headers = new Headers();
  const given = {
    'content-type': 'application/json',
    'x-service-signature': signatureOf(bytes, signedAt, delivery.secrets ?? [SIGNING_SECRET]),
    'x-service-idempotency-key': `key ${sha256Of(bytes).toString('hex')}`,
    'x-service-event-id': 'evt_header',
    'x-service-secret-version': '3',
    ...delivery.headers,
  };
  for (const [name, value] of Object.entries(given)) if (value !== null) headers.set(name, value);
  return { headers, body: typeof body === 'string' || body instanceof Uint8Array ? piecesOf(bytes) : body };
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
