import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The data folder of the Sharebook under test. */
export function ownData(): string {
  return process.env['SHAREBOOK_DATA'] ?? '';
}

/** Where the simulated Invo of the Sharebook under test listens. */
export function simulatedInvoUrl(): string {
  return (JSON.parse(fs.readFileSync(path.join(ownData(), 'running.json'), 'utf8')) as { url: string }).url;
}

/** Every secret this Sharebook was started with, by name. */
export function readSecrets(): Record<string, string> {
  return JSON.parse(fs.readFileSync(path.join(ownData(), 'secrets.json'), 'utf8')) as Record<string, string>;
}

/** Holds the answers to such calls back, until `letGo`; repeats of a call are held as well. */
export async function hold(match: Record<string, unknown>): Promise<void> {
  await control('faults', [{ kind: 'hold', times: 100, match }]);
}

/** Waits until a call is held. */
export async function untilHeld(): Promise<void> {
  while (((await control('held', undefined, 'GET')) as { held: number }).held === 0) await sleep(50);
}

/** Releases every held call. */
export async function letGo(): Promise<void> {
  await control('faults', {}, 'DELETE');
  await control('release');
}

/** Turns a knob of the simulated Invo: `game`, `faults`, `refunds`, `clock`, `reset` (see .github/docs/simulated-invo.md). */
export async function control(name: string, body: unknown = {}, method = 'POST'): Promise<unknown> {
  const answer = await fetch(`${simulatedInvoUrl()}/__control/${name}`, {
    method,
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`control ${name}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const ON_PHONE = { approve: 'Approved.', deny: 'Denied.', enrol: 'Compare' } as const;

/** Gives the answer that a person gives on the page that Invo shows on a phone. */
export async function answerOnPhone(code: string, act: keyof typeof ON_PHONE): Promise<void> {
  const answer = await (await fetch(`${simulatedInvoUrl()}/phone`, { method: 'POST', body: new URLSearchParams({ code, act }) })).text();
  if (!answer.includes(ON_PHONE[act])) throw new Error(`the phone can’t ${act}: ${answer}`);
}

/** How often Invo executed refunds of a subscription, and how often it was called. */
export async function callsAtInvo(subscriptionId: string): Promise<{ executed: number[]; calls: number }> {
  const reported = (await control('refunds', {}, 'GET')) as {
    refunds: { subscription_id: string; executed: number }[];
    calls: { subscription_id: string }[];
  };
  return {
    executed: reported.refunds.filter((refund) => refund.subscription_id === subscriptionId).map(({ executed }) => executed),
    calls: reported.calls.filter((call) => call.subscription_id === subscriptionId).length,
  };
}
