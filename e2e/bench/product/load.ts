import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it is sent again and again. */
export interface Asked {
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

/** Sends one request and reads its answer to the end. */
export function ask({ url, headers = {}, body }: Asked, agent?: http.Agent): Promise<Answer> {
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

/** Asks over that many connections at once, each again as soon as it is answered, for some seconds. */
export async function load(asked: Asked, { connections, seconds }: { connections: number; seconds: number }): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const askOn = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await ask(asked, agent).catch(() => null);
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

/** Sends requests at a fixed rate whatever the answers take: a slow answer doesn't slow the next one down. */
export async function sendAtRate(make: () => Asked, { perSecond, seconds }: { perSecond: number; seconds: number }): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const took: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const due_ms = startedAt + (count * 1_000) / perSecond - performance.now();
    if (due_ms > 1) await sleep(due_ms);
    answers.push(
      ask(make(), agent).then(
        ({ status, took_ms }) => void (status === 200 ? took.push(took_ms) : (errors += 1)),
        () => void (errors += 1),
      ),
    );
  }
  await Promise.all(answers);
  const elapsed_s = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { perSecond: took.length / elapsed_s, p99_ms: p99Of(took), errors };
}

/** Times two requests in turn, one connection each, and returns what each took in milliseconds. */
export async function askInTurn(first: Asked, second: Asked, times: number): Promise<[number[], number[]]> {
  const agents = [new http.Agent({ keepAlive: true, maxSockets: 1 }), new http.Agent({ keepAlive: true, maxSockets: 1 })];
  const took: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    took[0].push((await ask(first, agents[0])).took_ms);
    took[1].push((await ask(second, agents[1])).took_ms);
  }
  for (const agent of agents) agent.destroy();
  return took;
}
