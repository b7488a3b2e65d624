import { onTestFinished } from 'vitest';
import { createUpstream, type Upstream, type UpstreamOptions } from '../server.ts';

export const SECRET = 'upstream-secret';
export const REPORT = '/api/subscriptions/reporting/attribution';

/** A parsed body; the test checks its shape. */
export type Body = ReturnType<typeof JSON.parse>;

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export interface TestInvo extends Upstream {
  /** Calls a path with the correct secret unless other headers are given. */
  ask(path: string, headers?: Record<string, string>): Promise<Answered>;
  /** Posts a body as JSON, or unchanged when it is text. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** The first hundred recipients of a window. */
  report(start: string, end: string, more?: string): Promise<Body>;
  control(method: string, path: string, body?: unknown): Promise<Answered>;
}

/** Starts a simulated Invo for one test: no rate limits, clock at 2026-11-21T12:00:00Z by default. It stops with the test. */
export async function openInvo(options: UpstreamOptions & { isRateLimited?: boolean } = {}): Promise<TestInvo> {
  const { isRateLimited, ...rest } = options;
  const upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', ...rest });
  onTestFinished(() => upstream.close());
  async function call(url: string, init: RequestInit): Promise<Answered> {
    const response = await fetch(url, { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null };
  }
  const invo: TestInvo = {
    ...upstream,
    ask: (path, headers = { 'x-game-secret-key': SECRET }) => call(upstream.url + path, { headers }),
    post: (path, body, headers = { 'x-game-secret-key': SECRET }) =>
      call(upstream.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    report: async (start, end, more = '') => (await invo.ask(`${REPORT}?start=${start}&end=${end}&limit=100${more}`)).body,
    control: (method, path, body) =>
      call(`${upstream.controlUrl}/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  };
  if (isRateLimited !== true) await invo.control('POST', 'game', { rateLimit: false });
  return invo;
}

/** Every recipient of a window, read page by page. */
export async function allRecipients(invo: TestInvo, start: string, end: string, limit = 100): Promise<Body[]> {
  const recipients: Body[] = [];
  for (let offset = 0; ; offset += limit) {
    const { body } = await invo.ask(`${REPORT}?start=${start}&end=${end}&limit=${limit}&offset=${offset}`);
    recipients.push(...body.recipients);
    if (!body.pagination.has_more) return recipients;
  }
}

/** An amount in ten-thousandths. */
export function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
  return text.startsWith('-') ? -size : size;
}

/** The sum of one amount over a list. */
export function sumOf(list: Body[], amountOf: (entry: Body) => string): bigint {
  return list.reduce((sum, entry) => sum + units(amountOf(entry)), 0n);
}
