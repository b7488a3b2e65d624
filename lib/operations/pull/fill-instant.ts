import { earlierOf, fromMicroseconds, toMicroseconds } from '../../domain/instant.ts';
import { LineBook } from '../../domain/lines/line-book.ts';
import type { Window } from '../../domain/window.ts';
import { InvoError } from '../../invo/invo-error.ts';
import { type CrowdedInstant, type FillContext, isCutShort } from './fill-context.ts';
import { fillLines } from './fill-lines.ts';

/** How far around a crowded instant other renewals of the same subscriptions are looked for: two terms of a monthly plan, less where Invo finds that too large. */
const NEIGHBOUR_DAYS = [62n, 31n, 15n, 7n, 2n];
const DAY_US = 86_400_000_000n;

/**
 * Brings the lines of one instant that holds more than Invo shows of a recipient: time cannot divide them, so each subscription is asked for.
 * The subscriptions not shown are found among the recipient's other lines, in evidence stored before, and in the windows before and after.
 */
export async function fillInstant(context: FillContext, { instant, sighting }: CrowdedInstant): Promise<void> {
  const recipient = sighting.report.recipient_player_id;
  const shownHere = new Set([...sighting.report.renewals, ...sighting.report.reversals].map((line) => line.subscription_id));
  const asked = new Set<string>();
  const sources = [
    () => context.knownSubscriptions(recipient),
    () => findNearby(context, recipient, (days) => before(instant, days)),
    () => findNearby(context, recipient, (days) => after(instant, days, context.horizon)),
    // A subscription that settled elsewhere in the slice seldom settled here too: last, and only as far as the bound on calls goes.
    async () => context.book.subscriptionsOf(recipient).difference(shownHere),
  ];
  for (const [at, listSubscriptions] of sources.entries()) {
    const isLikely = at < 3;
    for (const subscriptionId of isCutShort(context.book, instant, sighting) ? await listSubscriptions() : []) {
      if (asked.has(subscriptionId) || (isLikely && context.book.subscriptionsOf(recipient).has(subscriptionId))) continue;
      if (context.callsLeft <= 0 || !isCutShort(context.book, instant, sighting)) return;
      asked.add(subscriptionId);
      context.callsLeft -= 1;
      context.session.expect({ calls: 1 });
      const answer = await context.session.ask(instant, { recipientPlayerId: recipient, subscriptionId }, 'fill');
      for (const report of answer.recipients) context.book.note(instant, report);
    }
  }
}

/** The subscriptions with lines of this recipient near an instant. A neighbourhood above Invo's caps is made smaller: it must not count as the slice's own refusal. */
async function findNearby(context: FillContext, recipient: number, around: (days: bigint) => Window | null): Promise<Set<string>> {
  for (const days of NEIGHBOUR_DAYS) {
    const window = around(days);
    if (window === null || context.callsLeft <= 0) break;
    try {
      return await readNearby(context, recipient, window);
    } catch (error) {
      if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
    }
  }
  return new Set();
}

/** The subscriptions with lines of this recipient in a neighbouring window, read whole into a book of its own. */
async function readNearby(context: FillContext, recipient: number, window: Window): Promise<Set<string>> {
  const book = new LineBook(window);
  context.callsLeft -= 1;
  const answer = await context.session.ask(window, { recipientPlayerId: recipient }, 'fill');
  const sightings = answer.recipients.map((report) => ({ page: 0, report }));
  for (const { report } of sightings) book.note(window, report);
  const short = sightings.filter((sighting) => isCutShort(book, window, sighting));
  const nearby: FillContext = { ...context, book, crowded: [] };
  if (short.length > 0) await fillLines(nearby, window, short);
  context.callsLeft = nearby.callsLeft;
  return book.subscriptionsOf(recipient);
}

function before(instant: Window, days: bigint): Window {
  return { start: fromMicroseconds(toMicroseconds(instant.start) - days * DAY_US), end: instant.start };
}

function after(instant: Window, days: bigint, horizon: string): Window | null {
  const end = earlierOf(fromMicroseconds(toMicroseconds(instant.end) + days * DAY_US), horizon);
  return toMicroseconds(end) > toMicroseconds(instant.end) ? { start: instant.end, end } : null;
}
