import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { formatInstant } from '../instant.ts';
import type { Json } from '../wire/answer.ts';
import type { Outbox, OutboxEvent, Registration } from './outbox.ts';

/** How a delivery can differ from what the documents promise. */
export const MANGLES: readonly string[] = (
  'twice seven_times reverse hold lose bad_signature other_secret old_secret_only one_v1 five_v1 stale_301 stale_300 future_301 first_t other_key ' +
  'no_key two_keys same_key_other_body other_tenant tenant_number unknown_type number_money duplicate_json_key not_json bom gzip chunked_slow ' +
  '256k 256k_plus_1 event_id_equal minimal'
).split(' ');

const GIVE_UP_MS = 10_000;
const KIB_256 = 256 * 1024;

interface Sending {
  outbox: Outbox;
  /** Of the title, as the documents call it. */
  tenantId: string;
  /** By the service's clock: dates in the body are its. */
  nowMs: number;
}

/** Sends one event as its mangles say, and records the answer; with several sendings the last one counts. */
export async function sendEvent(event: OutboxEvent, { outbox, tenantId, nowMs }: Sending): Promise<number> {
  const registration = outbox.registration();
  if (registration === null) return 0;
  const is = (mangle: string): boolean => event.mangles.includes(mangle);
  const times = is('seven_times') ? 7 : is('twice') ? 2 : 1;
  let status = 0;
  let eventIdHeader = '';
  for (let time = 0; time < times; time += 1) {
    eventIdHeader = `evt_${randomUUID().slice(0, 12)}`;
    // The signed time is the machine's: Sharebook compares it with the clock of its database.
    const signedAt = is('first_t') ? (event.firstSignedAt ?? nowSeconds()) : nowSeconds() + skewOf(is);
    event.firstSignedAt ??= signedAt;
    const body = bodyOf(event, { is, tenantId, eventIdHeader });
    const headers = headersOf(event, { is, registration, eventIdHeader, signature: signatureOf(body, signedAt, { is, outbox, nowMs }) });
    status = is('lose') ? 0 : await post(registration.url, headers, is('gzip') ? gzipSync(body) : body, is('chunked_slow'));
  }
  outbox.record(event, { at: formatInstant(nowMs), status, eventIdHeader }, nowMs);
  return status;
}

type Is = (mangle: string) => boolean;

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function skewOf(is: Is): number {
  return is('stale_301') ? -301 : is('stale_300') ? -299 : is('future_301') ? 302 : 0;
}

function bodyOf(event: OutboxEvent, { is, tenantId, eventIdHeader }: { is: Is; tenantId: string; eventIdHeader: string }): Buffer {
  if (is('not_json')) return Buffer.from(`order_id=${String(event.data['order_id'])}`);
  const data: Json = is('minimal') ? idsOf(event.data) : { ...event.data };
  if (is('same_key_other_body')) data['usd_amount'] = '0.01';
  const tenant = is('other_tenant') ? '99999' : tenantId;
  const envelope: Json = {
    event_id: is('event_id_equal') ? eventIdHeader : event.eventId,
    event_type: is('unknown_type') ? 'wallet.migrated' : event.eventType,
    created_at: formatInstant(event.createdMs),
    tenant_id: is('tenant_number') ? Number(tenant) : tenant,
    data,
  };
  let text = JSON.stringify(envelope);
  if (is('number_money')) text = text.replaceAll(/("[a-z_]*usd[a-z_]*":)"([\d.]+)"/g, '$1$2');
  if (is('duplicate_json_key')) text = text.replace('"event_type"', '"event_type":"purchase.failed","event_type"');
  if (is('bom')) text = `\uFEFF${text}`;
  const length = is('256k') ? KIB_256 : is('256k_plus_1') ? KIB_256 + 1 : null;
  return Buffer.from(length === null ? text : padded(envelope, length));
}

function padded(envelope: Json, length: number): string {
  const text = (note: string): string => JSON.stringify({ ...envelope, data: { ...(envelope['data'] as Json), note } });
  return text('x'.repeat(length - Buffer.byteLength(text(''))));
}

function idsOf(data: Json): Json {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name.endsWith('_id')));
}

function signatureOf(body: Buffer, signedAt: number, { is, outbox, nowMs }: { is: Is; outbox: Outbox; nowMs: number }): string {
  const [current = '', ...previous] = outbox.secrets(nowMs);
  const digest = (secret: string): string => createHmac('sha256', secret).update(`${signedAt}.`).update(body).digest('hex');
  const secrets = is('other_secret')
    ? ['whsec_of_another']
    : is('old_secret_only')
      ? previous
      : is('one_v1')
        ? [current]
        : [current, ...previous];
  const values = secrets.map(digest);
  const shown = is('bad_signature')
    ? ['0'.repeat(64)]
    : is('five_v1')
      ? [...values, ...Array.from({ length: 5 }, () => '0'.repeat(64))].slice(0, 5)
      : values;
  return [`t=${signedAt}`, ...shown.map((value) => `v1=${value}`)].join(',');
}

function headersOf(
  event: OutboxEvent,
  { is, registration, eventIdHeader, signature }: { is: Is; registration: Registration; eventIdHeader: string; signature: string },
): Record<string, string | string[]> {
  const key = is('other_key') ? `${event.key}_${randomUUID().slice(0, 8)}` : event.key;
  return {
    'content-type': 'application/json',
    'x-service-signature': signature,
    'x-service-event-id': eventIdHeader,
    'x-service-secret-version': String(registration.version),
    ...(is('no_key') ? {} : { 'x-service-idempotency-key': is('two_keys') ? [key, `${key}_2`] : key }),
    ...(is('gzip') ? { 'content-encoding': 'gzip' } : {}),
  };
}

/** Posts a body and resolves to the status; 0 without an answer in ten seconds. Redirects are not followed. */
export async function post(url: string, headers: Record<string, string | string[]>, body: Buffer, isSlow = false): Promise<number> {
  return await new Promise((resolve) => {
    const call = request(
      url,
      { method: 'POST', headers: { ...headers, ...(isSlow ? {} : { 'content-length': String(body.length) }) } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', () => resolve(0));
      },
    );
    call.setTimeout(GIVE_UP_MS, () => call.destroy());
    call.on('error', () => resolve(0));
    if (isSlow) void trickle(call, body);
    else call.end(body);
  });
}

async function trickle(call: ReturnType<typeof request>, body: Buffer): Promise<void> {
  for (const part of [body.subarray(0, 20), body.subarray(20)]) {
    call.write(part);
    await sleep(200);
  }
  call.end();
}
