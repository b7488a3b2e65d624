import http from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A request as it is sent again and again. */
export interface HttpRequest {
  url: string;
  headers?: Record<string, string>;
  /** Sent by POST. */
  body?: string;
}

export interface Answer {
  status: number;
  bytes: number;
  /** From the request to the first byte of the body. */
  firstByte_ms: number;
  took_ms: number;
}

export interface Load {
  perSecond: number;
  p99_ms: number;
  /** Answers other than 200, and connections that broke. */
  errors: number;
}

export interface RateLoad extends Load {
  sent: number;
}

/** As many connections as a proxy in front of the product holds open. */
const CONNECTIONS_MOST = 100;

/** Sends one request and reads its answer to the end. */
export function ask({ url, headers = {}, body }: HttpRequest, agent?: http.Agent): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: body === undefined ? 'GET' : 'POST', headers, ...(agent ? { agent } : {}) }, (response) => {
      let bytes = 0;
      let firstByte_ms = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByte_ms = performance.now() - startedAt;
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes, firstByte_ms, took_ms: performance.now() - startedAt }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends requests over that many connections at once, each again as soon as it is answered, for some seconds. */
export async function load(request: HttpRequest, { connections, seconds }: { connections: number; seconds: number }): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const askOn = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await ask(request, agent).catch(() => null);
      if (answer?.status === 200) took.push(answer.took_ms);
      else errors += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, askOn));
  const elapsed_s = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { perSecond: took.length / elapsed_s, p99_ms: p99Of(took), errors };
}

function p99Of(took: number[]): number {
  return took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
}

/**
 * Sends requests at a fixed rate: no arrival waits for an answer. Times count from when a request was due, so that a sender that falls behind,
 * or has no free connection, makes them longer and never shorter.
 */
export async function sendAtRate(
  make: () => HttpRequest,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<RateLoad> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS_MOST });
  const took: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  const count = Math.round(perSecond * seconds);
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    const wait_ms = dueAt - performance.now();
    // A sender that is behind reads answers between two requests all the same.
    await (wait_ms > 0 ? sleep(Math.ceil(wait_ms)) : setImmediate());
    answers.push(
      ask(make(), agent).then(
        ({ status }) => void (status === 200 ? took.push(performance.now() - dueAt) : (errors += 1)),
        () => void (errors += 1),
      ),
    );
  }
  await Promise.all(answers);
  const elapsed_s = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { perSecond: took.length / elapsed_s, p99_ms: p99Of(took), errors, sent: count };
}

/** Times two requests in turn, one connection each, and returns what each took in milliseconds. */
export async function askInTurn(first: HttpRequest, second: HttpRequest, times: number): Promise<[number[], number[]]> {
  const agents = [new http.Agent({ keepAlive: true, maxSockets: 1 }), new http.Agent({ keepAlive: true, maxSockets: 1 })];
  const took: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    took[0].push((await ask(first, agents[0])).took_ms);
    took[1].push((await ask(second, agents[1])).took_ms);
  }
  for (const agent of agents) agent.destroy();
  return took;
}
