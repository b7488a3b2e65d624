// @module-tag no-retry
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findDatabaseNow } from '#db/kit/open.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { SECRET } from '#e2e/support/test-environment.ts';
import type { KillPoint } from '#e2e/support/webhooks/intake-child.ts';
import {
  eventBody,
  INVO_GAME_ID,
  type IntakeEnvironment,
  openIntakeEnvironment,
  PREVIOUS_SECRET,
  SIGNING_SECRET,
  signatureOf,
} from '#e2e/support/webhooks/intake-environment.ts';
import { KILLED } from '#e2e/support/webhooks/serve-intake.ts';
import { seeded } from '#e2e/upstream/seeded.ts';

/** Which statements are cut short, every one or every twentieth one, and in how many ways each: all, or one after another. */
const EVERY = proofSize(40, 1);
const WAYS_OF_A_STATEMENT = proofSize(1, KILLED.length);
/** How often the process is killed from outside while it answers many. */
const KILLS = proofSize(2, 200);
const SENDERS = 8;
const ROOT = path.resolve(import.meta.dirname, '../..');

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());

/** A delivery as Invo sends it, again and again until it is answered 200. */
interface Sent {
  body: string;
  key: string | null;
  orderId: string;
  /** Requests that were made, and those answered 200. */
  attempts: number;
  answered: number;
}

const sentOf = (orderId: string, key: string | null = orderId, usd = '4.99'): Sent => ({
  body: eventBody('purchase.completed', { order_id: orderId, transaction_id: `T_${orderId}`, usd_amount: usd }),
  key,
  orderId,
  attempts: 0,
  answered: 0,
});

interface IntakeChild {
  child: ChildProcess;
  url: string;
  ended: Promise<unknown>;
}

async function startIntake(point: KillPoint = { at: 0, when: 'before' }): Promise<IntakeChild> {
  const child = spawn(process.execPath, ['e2e/support/webhooks/intake-child.ts', JSON.stringify(point)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      // Compiled code is cached between the many starts.
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'sharebook-intake-child'),
      DATABASE_URL: env.logins.web,
      INVO_GAME: 'demo',
      INVO_BASE_URL: env.upstream.url,
      INVO_GAME_SECRET: SECRET,
      INVO_GAME_ID,
      INVO_WEBHOOK_SECRET: SIGNING_SECRET,
      INVO_WEBHOOK_SECRET_PREVIOUS: PREVIOUS_SECRET,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const said = await Promise.race([once(child.stdout, 'data'), ended]);
  if (child.exitCode !== null) throw new Error('the intake ended before it was ready');
  return { child, url: String(said[0]).trim(), ended };
}

/** Sends a delivery once. Whether it was answered; without an answer the process is gone. */
async function send(url: string, delivery: Sent): Promise<boolean> {
  delivery.attempts += 1;
  const body = Buffer.from(delivery.body);
  const signedAt = Math.floor(Date.parse(await findDatabaseNow(env.db)) / 1_000);
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-signature': signatureOf(body, signedAt, [SIGNING_SECRET]),
      ...(delivery.key === null ? {} : { 'x-service-idempotency-key': delivery.key }),
    },
    body,
  }).catch(() => null);
  if (answer === null) return false;
  expect(answer.status).toBe(200);
  delivery.answered += 1;
  return true;
}

/** Every delivery about these orders as it is stored, and what is stored of it beside. */
async function listStored(sent: Sent[]): Promise<{ order_id: string; usd: string; receipts: number; subjects: number; reads: number }[]> {
  const { rows } = await env.pool.query(
    `select about.id_text as order_id, encode(d.meaning_digest, 'hex') as meaning, d.state, octet_length(d.body) > 0 as has_body,
       (1 + repeat_count + late_count)::int as receipts,
       (select count(*)::int from delivery_subject s where s.game_id = d.game_id and s.delivery_id = d.delivery_id) as subjects,
       (select count(*)::int from delivery_read o where o.game_id = d.game_id and o.kind = d.read_kind and o.subject = d.read_subject) as reads
     from delivery d join delivery_subject about on about.game_id = d.game_id and about.delivery_id = d.delivery_id and about.kind = 'order'
     where about.id_text = any($1) order by d.delivery_id`,
    [sent.map(({ orderId }) => orderId)],
  );
  return rows;
}

/** What is wrong with what is stored of these deliveries now; at rest each was answered 200. */
async function findLosses(sent: Sent[], { isAtRest = false } = {}): Promise<string[]> {
  const stored = await listStored(sent);
  const losses = stored.filter(({ subjects, reads }) => subjects !== 2 || reads !== 1).map((row) => `half stored: ${JSON.stringify(row)}`);
  const { rows: orphans } = await env.pool.query(
    `select subject from delivery_read o where not exists
       (select from delivery d where d.game_id = o.game_id and d.read_kind = o.kind and d.read_subject = o.subject)
     union all select 'about nothing' from delivery d where not exists
       (select from delivery_subject s where s.game_id = d.game_id and s.delivery_id = d.delivery_id)
     union all select id_text from delivery_subject s where not exists
       (select from delivery d where d.game_id = s.game_id and d.delivery_id = s.delivery_id)
     union all select 'repeat' from delivery_repeat r where not exists
       (select from delivery d where d.game_id = r.game_id and d.delivery_id = r.delivery_id)`,
  );
  losses.push(...orphans.map((row) => `a part without the other: ${JSON.stringify(row)}`));
  for (const orderId of new Set(sent.map((each) => each.orderId))) {
    const about = sent.filter((each) => each.orderId === orderId);
    const meanings = new Set(about.filter(({ answered }) => isAtRest || answered > 0).map(({ body }) => body));
    const rows = stored.filter((row) => row.order_id === orderId);
    const receipts = rows.reduce((sum, row) => sum + row.receipts, 0);
    const [answered, attempts] = [sumOf(about, 'answered'), sumOf(about, 'attempts')];
    if (rows.length < meanings.size || rows.length > new Set(about.map(({ body }) => body)).size)
      losses.push(`${orderId}: ${meanings.size} meanings were answered 200, ${rows.length} are stored`);
    if (receipts < answered || receipts > attempts)
      losses.push(`${orderId}: ${answered} of ${attempts} requests were answered 200, ${receipts} receipts are stored`);
  }
  return losses;
}

function sumOf(sent: Sent[], field: 'answered' | 'attempts'): number {
  return sent.reduce((sum, each) => sum + each[field], 0);
}

/** New, repeated, another meaning under its key, without a key, and its repeat with one. */
function listKinds(orderId: string): Sent[] {
  const first = sentOf(orderId);
  const keyless = sentOf(`${orderId}_KEYLESS`, null);
  return [first, { ...first }, sentOf(orderId, orderId, '9.99'), keyless, { ...keyless, key: `late ${orderId}` }];
}

async function sendAll(url: string, sent: Sent[]): Promise<boolean> {
  for (const delivery of sent) if (!(await send(url, delivery))) return false;
  return true;
}

test('nothing answered 200 is lost when the process is killed at any of its statements', { tags: 'proof', timeout: 900_000 }, async () => {
  const whole = await startIntake();
  const sent = listKinds('ORD_WHOLE');
  expect(await sendAll(whole.url, sent)).toBe(true);
  const names = (await (await fetch(`${whole.url}observed`)).json()) as string[];
  expect(names.length).toBeGreaterThan(10);
  expect(await findLosses(sent, { isAtRest: true })).toEqual([]);
  const losses: string[] = [];
  let kills = 0;
  for (const [index, name] of names.entries()) {
    if (index % EVERY > 0) continue;
    for (let nth = 0; nth < WAYS_OF_A_STATEMENT; nth += 1) {
      const when = KILLED[(index / EVERY + nth) % KILLED.length] ?? 'before';
      const deliveries = listKinds(`ORD_${index}_${when}`);
      const { url, child, ended } = await startIntake({ at: index + 1, when });
      const isWhole = await sendAll(url, deliveries);
      // Behind its last answer it wakes the worker, which is a statement too.
      if (isWhole) child.kill('SIGKILL');
      await ended;
      kills += 1;
      const found = await findLosses(deliveries);
      // As Invo would: what was not answered comes again, to the process that replaces it.
      for (const delivery of deliveries.filter(({ answered }) => answered === 0)) await send(whole.url, delivery);
      found.push(...(await findLosses(deliveries, { isAtRest: true })));
      losses.push(...found.map((loss) => `killed ${when} statement ${index + 1} (${name}): ${loss}`));
    }
  }
  whole.child.kill('SIGKILL');
  await whole.ended;
  expect(losses).toEqual([]);
  recordFigure('Webhook intake killed at a statement', `${names.length} statements, ${kills} kills: nothing lost`);
});

test('nothing answered 200 is lost when the process is killed while it answers many at once', {
  tags: ['proof'],
  timeout: 1_800_000,
}, async () => {
  const next = seeded('kills');
  let nextIntake = startIntake();
  let [answered, unanswered] = [0, 0];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { url, child, ended } = await nextIntake;
    const waiting = Array.from({ length: 12 }, (_, index) => listKinds(`ORD_K${kill}_${index}`))
      .flat()
      .map((each) => ({ each, at: next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ each }) => each);
    const all = [...waiting];
    const killAfter = Math.floor(next() * all.length);
    let answers = 0;
    const sender = async (): Promise<void> => {
      for (let delivery = waiting.pop(); delivery !== undefined; delivery = waiting.pop()) {
        if (!(await send(url, delivery))) return;
        answers += 1;
        if (answers === killAfter) child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    child.kill('SIGKILL');
    await ended;
    nextIntake = startIntake();
    expect(await findLosses(all), `kill ${kill}, after ${killAfter} answers`).toEqual([]);
    answered += sumOf(all, 'answered');
    unanswered += all.filter((each) => each.attempts > each.answered).length;
    const again = await nextIntake;
    for (const delivery of all.filter((each) => each.answered === 0)) expect(await send(again.url, delivery)).toBe(true);
    expect(await findLosses(all, { isAtRest: true }), `kill ${kill}, sent again`).toEqual([]);
  }
  const last = await nextIntake;
  last.child.kill('SIGKILL');
  await last.ended;
  expect(unanswered).toBeGreaterThan(KILLS);
  recordFigure('Webhook intake killed under load', `${KILLS} kills, ${answered.toLocaleString('en')} answers of 200: nothing lost`);
});
