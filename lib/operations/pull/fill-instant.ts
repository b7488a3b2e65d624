import { earlierOf, fromMicroseconds, toMicroseconds } from '../../domain/instant.ts';
import { LineBook } from '../../domain/lines/line-book.ts';
import type { Window } from '../../domain/window.ts';
import { type FillContext, isCutShort } from './fill-context.ts';
import type { Sighting } from './read-pages.ts';

/** Brings the lines of a part; handed in, because it is what calls for single instants. */
type FillLines = (context: FillContext, part: Window, cut: Sighting[]) => Promise<void>;

/** How far around a crowded instant other renewals of the same subscriptions are looked for: a monthly plan renews within it. */
const NEIGHBOUR_DAYS = 32n;
const DAY_US = 86_400_000_000n;

/**
 * Brings the lines of one instant that holds more than Invo shows of a recipient: time cannot divide them, so each subscription is asked for.
 * The subscriptions not shown are found among the recipient's other lines, in evidence stored before, and in the windows before and after.
 */
export async function fillInstant(context: FillContext, instant: Window, sighting: Sighting, fillLines: FillLines): Promise<void> {
  const recipient = sighting.report.recipient_player_id;
  const shown = new Set([...sighting.report.renewals, ...sighting.report.reversals].map((line) => line.subscription_id));
  const asked = new Set<string>();
  const sources = [
    async () => context.book.subscriptionsOf(recipient),
    () => context.knownSubscriptions(recipient),
    () => findNearby(context, recipient, before(instant), fillLines),
    () => findNearby(context, recipient, after(instant, context.horizon), fillLines),
    // Last, those already seen here: one subscription may have two lines in one instant.
    async () => shown,
  ];
  for (const [at, listSubscriptions] of sources.entries()) {
    if (!isCutShort(context.book, instant, sighting)) return;
    for (const subscriptionId of await listSubscriptions()) {
      if (asked.has(subscriptionId) || (shown.has(subscriptionId) && at < sources.length - 1)) continue;
      if (context.callsLeft <= 0 || !isCutShort(context.book, instant, sighting)) return;
      asked.add(subscriptionId);
      context.callsLeft -= 1;
      const answer = await context.session.ask(instant, { recipientPlayerId: recipient, subscriptionId }, 'fill');
      for (const report of answer.recipients) context.book.note(instant, report);
    }
  }
}

/** The subscriptions with lines of this recipient in a neighbouring window, read whole into a book of its own. */
async function findNearby(context: FillContext, recipient: number, window: Window | null, fillLines: FillLines): Promise<Set<string>> {
  if (context.isNeighbour || window === null || context.callsLeft <= 0) return new Set();
  const book = new LineBook(window);
  const nearby: FillContext = { ...context, book, isNeighbour: true };
  nearby.callsLeft -= 1;
  const answer = await context.session.ask(window, { recipientPlayerId: recipient }, 'fill');
  const sightings = answer.recipients.map((report) => ({ page: 0, report }));
  for (const { report } of sightings) book.note(window, report);
  const short = sightings.filter((sighting) => isCutShort(book, window, sighting));
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
