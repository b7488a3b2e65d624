import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { type Answer, Refusal, send } from '../wire/answer.ts';
import type { Fault } from './fault.ts';

const CODES: Record<string, string> = {
  '400': 'INVALID_FIELD_VALUE',
  '401': 'INVALID_GAME_SECRET',
  '404': 'SUBSCRIPTION_NOT_FOUND',
  '500': 'INTERNAL_ERROR',
  '502': 'INTERNAL_ERROR',
  '503': 'service_unavailable',
};

/** The refusal of a status fault; null for other kinds. */
export function faultRefusal(fault: Fault): Refusal | null {
  if (fault.kind === '429') {
    const after = fault.retryAfter ?? 1;
    const seconds = typeof after === 'number' ? after : Math.max(1, Math.ceil((Date.parse(after) - Date.now()) / 1000));
    return new Refusal(
      429,
      'rate_limit_exceeded',
      'Too many requests.',
      { retry_after: seconds, ...fault.facts },
      { 'retry-after': String(after) },
    );
  }
  const code = fault.kind === '403' ? null : CODES[fault.kind];
  const status = fault.kind === 'refuse' ? (fault.status ?? 500) : Number(fault.kind);
  if (code === undefined && fault.kind !== 'refuse') return null;
  const facts = { ...(fault.codePublic === undefined ? {} : { error_code_public: fault.codePublic }), ...fault.facts };
  const given = fault.code === undefined ? (code === undefined ? 'INTERNAL_ERROR' : code) : fault.code;
  // The contract gives this status no code.
  const bare = fault.kind === '403' && given === null ? { error: 'This game is neither live nor testing.', error_id: 'err_403' } : {};
  return new Refusal(status, given, 'The service refused the call.', { ...bare, ...facts }).under(fault.codeIn ?? 'error_code');
}

/** Answers instead of the route: connection reset, HTML, redirect or gzip bomb. Returns whether it did. */
export function answerInstead(response: ServerResponse, fault: Fault): boolean {
  if (fault.kind === 'reset') {
    // The caller may have closed the connection.
    response.socket?.resetAndDestroy();
  } else if (fault.kind === 'html') {
    response
      .writeHead(fault.status ?? 200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Welcome</title><p>Please sign in to the network.</p>');
  } else if (fault.kind === 'redirect') {
    response.writeHead(fault.status ?? 302, { location: fault.location ?? 'http://127.0.0.1:9/elsewhere' }).end();
  } else if (fault.kind === 'bomb') {
    sendBomb(response, fault.megabytes ?? 200);
  } else {
    return false;
  }
  return true;
}

/** Sends an answer, truncated or stalled when the fault says so. */
export function sendFaulty(response: ServerResponse, answer: Answer, fault: Fault | null): void {
  if (fault?.kind !== 'torn' && fault?.kind !== 'stall') return send(response, answer);
  response.writeHead(answer.status, answer.headers);
  response.write(answer.bytes.subarray(0, Math.floor(answer.bytes.length / 2)), () => {
    if (fault.kind === 'torn') response.socket?.destroy();
  });
}

function sendBomb(response: ServerResponse, megabytes: number): void {
  const packed = createGzip();
  const chunk = Buffer.alloc(1024 * 1024, '0');
  let left = megabytes;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' });
  response.on('close', () => packed.destroy());
  packed.pipe(response);
  packed.write('{"status":"success","padding":"');
  (function fill(): void {
    while (left > 0 && !packed.destroyed) {
      left -= 1;
      if (!packed.write(chunk)) return void packed.once('drain', fill);
    }
    if (!packed.destroyed) packed.end('"}');
  })();
}
