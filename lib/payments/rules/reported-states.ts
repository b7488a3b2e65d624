/** What a row states of a payment. A later and stronger one replaces an earlier and weaker one. */
export const REPORTED_STATES = ['pending', 'failed', 'paid', 'returned'] as const;
export type ReportedState = (typeof REPORTED_STATES)[number];

/** What has to be paid again: the next run does, or a re-issue. */
export const BACK_STATES: readonly ReportedState[] = ['failed', 'returned'];

/** What a report states of a payment, and when by the provider's own date. */
export interface DatedState {
  state: ReportedState;
  /** null: the report has no date. It counts as older than every date. */
  occurredOn: string | null;
}

/**
 * The reported state that decides. The newest by the provider's date decides, among those of one day the stronger word: reports may come in any order. Pending decides
 * only if nothing reports it as paid or returned: banks may report pending after booking. null: no report names it.
 */
export function newestReported<T extends DatedState>(states: readonly T[]): T | null {
  const [final] = states.filter(({ state }) => state !== 'pending').toSorted(newestFirst);
  if (final?.state === 'paid' || final?.state === 'returned') return final;
  const [newest] = states.toSorted(newestFirst);
  return newest ?? null;
}

function newestFirst(one: DatedState, other: DatedState): number {
  return (
    (other.occurredOn ?? '').localeCompare(one.occurredOn ?? '') ||
    REPORTED_STATES.indexOf(other.state) - REPORTED_STATES.indexOf(one.state)
  );
}

/** Whether a report has the return of that day already: by date, no payment lies between it and a known return. A payment that was paid again can be returned again. */
export function isKnownReturn(states: readonly DatedState[], occurredOn: string): boolean {
  const returned: DatedState = { state: 'returned', occurredOn };
  const moves = [...states, returned].toSorted(newestFirst).filter(({ state }) => state === 'paid' || state === 'returned');
  const index = moves.indexOf(returned);
  return [moves[index - 1], moves[index + 1]].some((beside) => beside?.state === 'returned');
}

/**
 * Whether a state contradicts by its date what is known, so that a person decides: reports date the same movement differently. A failure or return whose date would
 * change nothing; a payment after its return, or no later than its failure; a payment on its way after it was paid or returned.
 */
export function contradictsDates(states: readonly DatedState[], { state, occurredOn }: DatedState): boolean {
  // Pending must not hide a failure from a payment.
  const newest = newestReported(state === 'paid' ? states.filter((each) => each.state !== 'pending') : states);
  if (newest === null) return false;
  const [day, known] = [occurredOn ?? '', newest.occurredOn ?? ''];
  switch (state) {
    case 'failed':
      return (newest.state === 'paid' && day <= known) || (newest.state === 'pending' && day < known);
    case 'returned':
      return newest.state === 'paid' && day < known;
    case 'paid':
      return newest.state === 'returned' ? day > known : newest.state === 'failed' && (known === '' || day <= known);
    case 'pending':
      return (newest.state === 'paid' || newest.state === 'returned') && day > known;
  }
}

/** Whether a state without a date differs from dated ones: it would count as the oldest and change nothing. */
export function contradictsUndated(states: readonly DatedState[], { state, occurredOn }: DatedState): boolean {
  return occurredOn === null && states.some((each) => each.occurredOn !== null && each.state !== state);
}

/** Whether a payment had failed by the day on which its whole file was paid; a failure without a date may be as old. */
export function hadFailed(states: readonly DatedState[], paidOn: string | null): boolean {
  const newest = newestReported(states);
  return newest?.state === 'failed' && (newest.occurredOn ?? '') <= (paidOn ?? '');
}

/** What a report states of a payment, and whether by a row about its whole file. */
type StatedOnce = DatedState & { isOfFile: boolean };

/** Whether what is stated of a whole file is known of a payment, or the payment was returned since, or failed by itself. */
export function isOvertaken(states: readonly StatedOnce[], { state, occurredOn }: DatedState): boolean {
  const newest = newestReported(states);
  const isReturned = state === 'paid' && newest?.state === 'returned' && (occurredOn ?? '') > (newest.occurredOn ?? '');
  return isReturned || isOwnFailure(states, state) || states.some((each) => each.state === state);
}

/** Whether a payment failed by itself while its file is on its way: a bank's status of a file may be older than what it states of one payment, or sums it up. */
export function isOwnFailure(states: readonly StatedOnce[], state: ReportedState): boolean {
  const newest = newestReported(states);
  return state === 'pending' && newest?.state === 'failed' && !newest.isOfFile;
}

/**
 * The day that an accepted return counts from, as the statement that stores it has it: its own, unless it has none, or one before the payment, by which it would change
 * nothing. Then it counts from the day of the decision, and never from before the payment.
 */
export function dayOfReturn(states: readonly DatedState[], occurredOn: string | null, decidedOn: string): string {
  const paidOn = states.reduce(
    (last, each) => (each.state === 'paid' && (each.occurredOn ?? '') > last ? (each.occurredOn ?? '') : last),
    '',
  );
  if (paidOn > (occurredOn ?? '')) return paidOn > decidedOn ? paidOn : decidedOn;
  return occurredOn ?? decidedOn;
}
