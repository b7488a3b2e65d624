import type http from 'node:http';
import { InvoError } from '../invo-error.ts';
import type { Limits } from './limits.ts';

/** Ends a call that connects, begins, continues or finishes too late; the wait for a free socket does not count. */
export function watchDeadlines(request: http.ClientRequest, limits: Limits, totalMs: number, fail: (error: InvoError) => void): void {
  let phase: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;
  const late = (what: string, ms: number): NodeJS.Timeout =>
    setTimeout(() => fail(new InvoError('timeout', `${what} took longer than ${ms} ms`, { facts: { deadline: what } })), ms);
  const enter = (what: string, ms: number): void => {
    clearTimeout(phase);
    phase = late(what, ms);
  };
  request.on('socket', (socket) => {
    total = late('the whole call', totalMs);
    if (!socket.connecting) return enter('the first byte', limits.firstByteMs);
    enter('connecting', limits.connectMs);
    socket.once(isSecure(request) ? 'secureConnect' : 'connect', () => enter('the first byte', limits.firstByteMs));
  });
  request.on('response', (response) => {
    enter('the next byte', limits.idleMs);
    response.on('data', () => phase?.refresh());
  });
  request.on('close', () => {
    clearTimeout(phase);
    clearTimeout(total);
  });
}

function isSecure(request: http.ClientRequest): boolean {
  return request.protocol === 'https:';
}
