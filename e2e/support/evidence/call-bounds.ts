/** One line of one recipient, by the instant it is settled or refunded, in milliseconds. */
interface CountedLine {
  recipient: number;
  atMs: number;
}

export interface CountedLines {
  renewals: CountedLine[];
  reversals: CountedLine[];
}

const WINDOW_LINES_MAX = 20_000;
const INLINE_LINES_MAX = 500;
const PAGE_RECIPIENTS_MAX = 100;

/**
 * The fewest calls of any plan: the fewest windows, with at most 100 recipients and 500 lines of each kind per answer,
 * and one call for each line beyond 500 that a recipient has in one millisecond, which time can't divide.
 */
export function lowerBound(lines: CountedLines, days: number): number {
  const windows = Math.max(
    1,
    Math.ceil(lines.renewals.length / WINDOW_LINES_MAX),
    Math.ceil(lines.reversals.length / WINDOW_LINES_MAX),
    Math.ceil(days / 400),
  );
  const longer = lines.renewals.length >= lines.reversals.length ? lines.renewals : lines.reversals;
  const times = longer.map((line) => line.atMs).toSorted((a, b) => a - b);
  let bound = countHidden(lines.renewals) + countHidden(lines.reversals);
  for (let window = 0; window < windows; window += 1) {
    const start = window === 0 ? -Infinity : (times[Math.floor((times.length * window) / windows)] ?? Infinity);
    const until = window === windows - 1 ? Infinity : (times[Math.floor((times.length * (window + 1)) / windows)] ?? Infinity);
    const answers = [...countAnswers(lines, start, until).values()];
    bound += Math.max(1, ...answers, Math.ceil(answers.reduce((sum, count) => sum + count, 0) / PAGE_RECIPIENTS_MAX));
  }
  return bound;
}

/** The calls of a plan that halves any window and any recipient that is too large. */
export function bisectionCalls(lines: CountedLines, fromMs: number, untilMs: number): number {
  const inside = within(lines, fromMs, untilMs);
  const middle = Math.floor((fromMs + untilMs) / 2);
  if (Math.max(inside.renewals.length, inside.reversals.length) > WINDOW_LINES_MAX) {
    return 1 + bisectionCalls(inside, fromMs, middle) + bisectionCalls(inside, middle, untilMs);
  }
  const answers = countAnswers(inside, fromMs, untilMs);
  const cut = [...answers].filter(([, count]) => count > 1).map(([recipient]) => recipient);
  const filled = cut.reduce((sum, recipient) => sum + halve(only(inside, recipient), fromMs, untilMs), 0);
  return Math.max(1, Math.ceil(answers.size / PAGE_RECIPIENTS_MAX)) + filled + countHidden(lines.renewals) + countHidden(lines.reversals);
}

function halve(lines: CountedLines, fromMs: number, untilMs: number): number {
  if (Math.max(lines.renewals.length, lines.reversals.length) <= INLINE_LINES_MAX || untilMs - fromMs <= 1) return 0;
  const middle = Math.floor((fromMs + untilMs) / 2);
  return 2 + halve(within(lines, fromMs, middle), fromMs, middle) + halve(within(lines, middle, untilMs), middle, untilMs);
}

function countHidden(lines: CountedLine[]): number {
  const crowds = Map.groupBy(lines, ({ recipient, atMs }) => `${recipient} ${atMs}`);
  return [...crowds.values()].reduce((sum, crowd) => sum + Math.max(0, crowd.length - INLINE_LINES_MAX), 0);
}

function countAnswers(lines: CountedLines, fromMs: number, untilMs: number): Map<number, number> {
  const answers = new Map<number, number>();
  for (const list of [lines.renewals, lines.reversals]) {
    const counts = new Map<number, number>();
    for (const { recipient, atMs } of list) if (atMs >= fromMs && atMs < untilMs) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
    for (const [recipient, count] of counts)
      answers.set(recipient, Math.max(answers.get(recipient) ?? 1, Math.ceil(count / INLINE_LINES_MAX)));
  }
  return answers;
}

function within(lines: CountedLines, fromMs: number, untilMs: number): CountedLines {
  const isInside = (line: CountedLine): boolean => line.atMs >= fromMs && line.atMs < untilMs;
  return { renewals: lines.renewals.filter(isInside), reversals: lines.reversals.filter(isInside) };
}

function only(lines: CountedLines, recipient: number): CountedLines {
  const isTheirs = (line: CountedLine): boolean => line.recipient === recipient;
  return { renewals: lines.renewals.filter(isTheirs), reversals: lines.reversals.filter(isTheirs) };
}
