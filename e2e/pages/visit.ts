import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { DEMO, type DemoRole } from './demo-people.ts';
import { type ActionAnswer, sendAction } from './send-action.ts';
import { ShownPage } from './shown-page.ts';

const cookies = new Map<DemoRole, Promise<string>>();

/** Opens a page of the Sharebook under test as a demo person; null: signed out. Redirects are followed. */
export async function visit(path: string, role: DemoRole | null = 'finance'): Promise<ShownPage> {
  const answer = await request(path, role);
  const target = answer.headers.get('location');
  if (answer.status < 300 || answer.status >= 400 || !target)
    return new ShownPage({ status: answer.status, path, html: await answer.text() });
  await answer.body?.cancel();
  const { pathname, search } = new URL(target, inject('sharebook').origin);
  return await visit(`${pathname}${search}`, role);
}

/** Requests an address as a demo person, or posts a body to it. Redirects are not followed. */
export async function request(
  path: string,
  role: DemoRole | null = 'finance',
  headers: Record<string, string> = {},
  body?: string,
): Promise<Response> {
  const { origin } = inject('sharebook');
  const cookie = role === null ? {} : { cookie: await cookieOf(role) };
  const post = body === undefined ? {} : { method: 'POST', body };
  return await fetch(new URL(path, origin), { ...post, redirect: 'manual', headers: { ...cookie, ...headers } });
}

/** Submits the form of a page as a demo person, or what a component calls with a list; `action` is the name under which its action is exported. */
export async function send(
  action: string,
  path: string,
  sent: Record<string, string> | unknown[],
  role: DemoRole = 'support',
): Promise<ActionAnswer> {
  const cookie = await cookieOf(role);
  const input = Array.isArray(sent) ? { args: sent } : { fields: sent };
  const answer = await sendAction({ origin: inject('sharebook').origin, path, action, ...input, cookie });
  // A session gets another token when the password is given in it: the earlier one ends soon.
  const set = setCookies(answer.headers);
  if (set !== '') cookies.set(role, Promise.resolve(set));
  return answer;
}

/** Requests a partial refund of a period, as the confirmation of its form does. Returns the page of the refund. */
export async function requestRefund(periodId: number, role: DemoRole = 'support'): Promise<string> {
  const path = `/demo/periods/${periodId}/refund`;
  const form = await visit(path, role);
  const fields = {
    game: 'demo',
    periodId: String(periodId),
    draftId: randomUUID(),
    baseline: form.hidden('baseline'),
    amount: '1.00',
    confirmedAmount: '1.00',
    reason: 'goodwill',
    description: '',
  };
  const { target, result } = await send('requestRefundAction', path, fields, role);
  if (!target || !/^\/demo\/refunds\/\d+$/.test(target)) throw new Error(`No refund was requested: ${JSON.stringify(result)}`);
  return target;
}

/** Searches Invo for an email or ID, as the search box does on Enter; what is found is known to Sharebook from then on. */
export async function search(text: string, role: DemoRole = 'support'): Promise<{ matches: { href: string }[]; sentence: string | null }> {
  const { origin } = inject('sharebook');
  const call = { origin, path: '/demo/months', action: 'searchAction', args: ['demo', text, 'invo'], cookie: await cookieOf(role) };
  return (await sendAction(call)).result as Awaited<ReturnType<typeof search>>;
}

/** The session cookie of a demo person, who signs in the first time. */
export async function cookieOf(role: DemoRole): Promise<string> {
  const cookie = cookies.get(role) ?? signIn(role);
  cookies.set(role, cookie);
  return await cookie;
}

async function signIn(role: DemoRole): Promise<string> {
  const { origin } = inject('sharebook');
  const { headers } = await sendAction({ origin, path: '/sign-in', action: 'signInAsDemoPerson', fields: { email: DEMO[role].email } });
  const set = setCookies(headers);
  if (set === '') throw new Error(`${role} couldn’t sign in.`);
  return set;
}

/** The cookies that an answer sets, as a request sends them; empty: none. */
function setCookies(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}
