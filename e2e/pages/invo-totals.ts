import { createUpstream } from '../upstream/server.ts';

/** Invo’s totals of a month, from a simulated Invo of the test: its data is a function of the month. */
export async function askInvoTotals(start: string, end: string): Promise<Record<string, string>> {
  const upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', secret: 'the-test-s-own' });
  try {
    const address = `${upstream.url}/api/subscriptions/reporting/attribution?start=${start}&end=${end}&limit=1`;
    const answer = await fetch(address, { headers: { 'x-game-secret-key': 'the-test-s-own' } });
    return ((await answer.json()) as { totals: Record<string, string> }).totals;
  } finally {
    await upstream.close();
  }
}

/** An amount as the pages show it: thousands separated, a true minus. */
export function written(amount: string): string {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  return `${amount.startsWith('-') ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
