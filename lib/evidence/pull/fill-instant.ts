import { earlierOf, fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { type Window, windowLength } from '#lib/core/window.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { LineBook } from '../rules/line-book.ts';
import { type CrowdedInstant, type FillContext, isCutShort } from './fill-context.ts';
import { fillLines } from './fill-lines.ts';

/** How far around a crowded instant other renewals of the same subscriptions are looked for: two terms of a monthly plan. */
const NEIGHBOUR_DAYS = 62n;
const DAY_US = 86_400_000_000n;

/** A part of it this short that is still above a cap is let be. */
const NEIGHBOUR_PART_US = 2n * DAY_US;

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
    () => findNearby(context, recipient, before(instant)),
    () => findNearby(context, recipient, after(instant, context.horizon)),
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

/** The subscriptions with lines of this recipient near an instant. A neighbourhood above Invo's caps is read in halves: it must not count as the slice's own refusal. */
async function findNearby(context: FillContext, recipient: number, window: Window | null): Promise<Set<string>> {
  if (window === null || context.callsLeft <= 0) return new Set();
  try {
    return await readNearby(context, recipient, window);
  } catch (error) {
    if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
    if (windowLength(window) <= NEIGHBOUR_PART_US) return new Set();
    const middle = fromMicroseconds(toMicroseconds(window.start) + windowLength(window) / 2n);
    const earlier = await findNearby(context, recipient, { start: window.start, end: middle });
    return earlier.union(await findNearby(context, recipient, { start: middle, end: window.end }));
  }
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

function before(instant: Window): Window {
  return { start: fromMicroseconds(toMicroseconds(instant.start) - NEIGHBOUR_DAYS * DAY_US), end: instant.start };
}

function after(instant: Window, horizon: string): Window | null {
  const end = earlierOf(fromMicroseconds(toMicroseconds(instant.end) + NEIGHBOUR_DAYS * DAY_US), horizon);
  return toMicroseconds(end) > toMicroseconds(instant.end) ? { start: instant.end, end } : null;
}
