/** One line of one recipient, by when it counts: settled, or refunded. */
export interface CountedLine {
  recipient: number;
  atMs: number;
}

export interface Lines {
  renewals: CountedLine[];
  reversals: CountedLine[];
}

const WINDOW_LINES_MAX = 20_000;
const INLINE_LINES_MAX = 500;
const PAGE_RECIPIENTS_MAX = 100;

/** The fewest calls any plan needs: in each of the fewest windows, no answer shows more than 100 recipients with 500 lines of each kind. */
export function lowerBound(lines: Lines, days: number): number {
  const windows = Math.max(
    1,
    Math.ceil(lines.renewals.length / WINDOW_LINES_MAX),
    Math.ceil(lines.reversals.length / WINDOW_LINES_MAX),
    Math.ceil(days / 400),
  );
  const longer = lines.renewals.length >= lines.reversals.length ? lines.renewals : lines.reversals;
  const times = longer.map((line) => line.atMs).toSorted((a, b) => a - b);
  let bound = 0;
  for (let window = 0; window < windows; window += 1) {
    const from = window === 0 ? -Infinity : (times[Math.floor((times.length * window) / windows)] ?? Infinity);
    const until = window === windows - 1 ? Infinity : (times[Math.floor((times.length * (window + 1)) / windows)] ?? Infinity);
    const answers = [...countAnswers(lines, from, until).values()];
    bound += Math.max(1, ...answers, Math.ceil(answers.reduce((sum, count) => sum + count, 0) / PAGE_RECIPIENTS_MAX));
  }
  return bound;
}

/** Calls of a plan that halves whatever is too large, window and recipient alike. */
export function bisectionCalls(lines: Lines, fromMs: number, untilMs: number): number {
  const inside = within(lines, fromMs, untilMs);
  const middle = Math.floor((fromMs + untilMs) / 2);
  if (Math.max(inside.renewals.length, inside.reversals.length) > WINDOW_LINES_MAX) {
    return 1 + bisectionCalls(inside, fromMs, middle) + bisectionCalls(inside, middle, untilMs);
  }
  const answers = countAnswers(inside, fromMs, untilMs);
  const cut = [...answers].filter(([, count]) => count > 1).map(([recipient]) => recipient);
  const filled = cut.reduce((sum, recipient) => sum + halve(only(inside, recipient), fromMs, untilMs), 0);
  return Math.max(1, Math.ceil(answers.size / PAGE_RECIPIENTS_MAX)) + filled;
}

function halve(lines: Lines, fromMs: number, untilMs: number): number {
  if (Math.max(lines.renewals.length, lines.reversals.length) <= INLINE_LINES_MAX || untilMs - fromMs <= 1) return 0;
  const middle = Math.floor((fromMs + untilMs) / 2);
  return 2 + halve(within(lines, fromMs, middle), fromMs, middle) + halve(within(lines, middle, untilMs), middle, untilMs);
}

function countAnswers(lines: Lines, fromMs: number, untilMs: number): Map<number, number> {
  const answers = new Map<number, number>();
  for (const list of [lines.renewals, lines.reversals]) {
    const counts = new Map<number, number>();
    for (const { recipient, atMs } of list) if (atMs >= fromMs && atMs < untilMs) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
    for (const [recipient, count] of counts)
      answers.set(recipient, Math.max(answers.get(recipient) ?? 1, Math.ceil(count / INLINE_LINES_MAX)));
  }
  return answers;
}

function within(lines: Lines, fromMs: number, untilMs: number): Lines {
  const isInside = (line: CountedLine): boolean => line.atMs >= fromMs && line.atMs < untilMs;
  return { renewals: lines.renewals.filter(isInside), reversals: lines.reversals.filter(isInside) };
}

function only(lines: Lines, recipient: number): Lines {
  const isTheirs = (line: CountedLine): boolean => line.recipient === recipient;
  return { renewals: lines.renewals.filter(isTheirs), reversals: lines.reversals.filter(isTheirs) };
}
