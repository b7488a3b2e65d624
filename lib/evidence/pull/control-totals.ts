import { compareInstants, earlierOf } from '#lib/core/instant.ts';
import { WINDOW_DAYS_MAX, windowLength } from '#lib/core/window.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import type { StoredSlice } from '../reads/slices.ts';
import { REPORT_LINES_MAX } from '../rules/slice-plan.ts';
import { type JoinedTotals, joinTotals, listDifferences } from '../rules/totals.ts';
import { PullStopped } from './pull-session.ts';
import { pullGap, type RunningPull } from './pull-slice.ts';

export interface Control {
  /** Invo's totals of the whole window, from one answer or from the fewest adjoining windows it answers. */
  totals: JoinedTotals;
  generated_at: string;
  window_count: number;
  /** The slices the totals were compared with. */
  slices: StoredSlice[];
}

/**
 * Reads Invo's own totals of the window that the slices tile, in as few answers as possible, in order of time. Pulls nothing.
 * For a single slice that this pull read, its own totals are the control totals: requesting them again would check nothing.
 */
export async function readControls(work: RunningPull, slices: StoredSlice[]): Promise<Control[]> {
  const parts: Control[] = [];
  for (const group of groupByCaps(slices)) parts.push(...(await readGroup(work, group)));
  return parts;
}

/** Pulls again the slices whose sums differ from Invo's totals of them. Returns all slices, in order of time. */
export async function pullChanged(work: RunningPull, controls: Control[]): Promise<StoredSlice[]> {
  const slices: StoredSlice[] = [];
  for (const { totals, slices: group } of controls) {
    if (!agrees(totals, group)) work.session.setActivity('the totals of the window differ from its slices; finding the slice');
    slices.push(...(await pullMoved(work, group, totals)));
  }
  return slices;
}

async function readGroup(work: RunningPull, group: StoredSlice[]): Promise<Control[]> {
  const [only] = group;
  if (group.length === 1 && only?.pullId === work.lease.pullId) {
    return [{ totals: only.totals, generated_at: only.generated_at, window_count: 1, slices: group }];
  }
  const control = await askTotals(work, group);
  if (control === null) {
    const middle = Math.ceil(group.length / 2);
    return [...(await readGroup(work, group.slice(0, middle))), ...(await readGroup(work, group.slice(middle)))];
  }
  // One more call before many: a passing error must not cost a pull.
  const answer = agrees(control.totals, group) ? control : ((await askTotals(work, group)) ?? control);
  return [{ ...answer, window_count: 1, slices: group }];
}

/** Finds the slices that no longer match by halving, and pulls them again. */
async function pullMoved(work: RunningPull, group: StoredSlice[], control: JoinedTotals): Promise<StoredSlice[]> {
  const [only] = group;
  if (agrees(control, group)) return group;
  // A changed slice may have grown beyond a cap, so it is pulled like any gap.
  if (group.length === 1 && only) return pullGap(work, { start: only.start, end: only.end });
  const middle = Math.ceil(group.length / 2);
  const slices: StoredSlice[] = [];
  for (const half of [group.slice(0, middle), group.slice(middle)]) {
    const fresh = half.length === 0 ? null : await askTotals(work, half);
    slices.push(...(fresh === null ? half : await pullMoved(work, half, fresh.totals)));
  }
  return slices;
}

function agrees(control: JoinedTotals, group: StoredSlice[]): boolean {
  return listDifferences(control, joinTotals(group.map((slice) => slice.totals))).length === 0;
}

/** One call, two if Invo's clock is before the window's end: totals are complete on every page, so the smallest page is enough. null when the window is above a cap. */
async function askTotals(
  work: RunningPull,
  group: StoredSlice[],
  isLastTry = false,
): Promise<{ totals: JoinedTotals; generated_at: string } | null> {
  const window = { start: group[0]?.start ?? '', end: group.at(-1)?.end ?? '' };
  work.session.setActivity('reading the totals of the window');
  work.session.expect({ calls: 1 });
  try {
    const { totals, generated_at } = await work.session.ask(window, { limit: 1 }, 'control');
    if (compareInstants(generated_at, window.end) >= 0) return { totals, generated_at };
    if (isLastTry) throw clocksDisagree(generated_at, window.end);
  } catch (error) {
    if (error instanceof InvoError && error.code === 'window_too_large' && group.length > 1) return null;
    throw error;
  }
  return askTotals(work, group, true);
}

function clocksDisagree(generated_at: string, end: string): PullStopped {
  return new PullStopped(
    'clocks_disagree',
    `The clocks disagree: Invo generated its report at ${generated_at}, before the window ended at ${end}, so it may be incomplete. Earlier figures are unchanged. Check the clock of this machine, then pull again.`,
  );
}

/** Groups of adjoining slices that stay within Invo's caps, as few as possible. Refund events bound the refunded renewals from above. */
function groupByCaps(slices: StoredSlice[]): StoredSlice[][] {
  const groups: StoredSlice[][] = [];
  let [renewals, refunds, length] = [0, 0, 0n];
  for (const slice of slices) {
    const more = {
      renewals: slice.totals.renewals_settled,
      refunds: slice.totals.refund_events_in_window + slice.totals.reversals_without_receipts,
      length: windowLength(slice),
    };
    const fits =
      renewals + more.renewals <= REPORT_LINES_MAX &&
      refunds + more.refunds <= REPORT_LINES_MAX &&
      length + more.length <= BigInt(WINDOW_DAYS_MAX) * 86_400_000_000n;
    const group = groups.at(-1);
    if (group && fits) group.push(slice);
    else groups.push([slice]);
    [renewals, refunds, length] =
      group && fits ? [renewals + more.renewals, refunds + more.refunds, length + more.length] : [more.renewals, more.refunds, more.length];
  }
  return groups;
}

/** Adjoining controls as one of the window they tile. */
export function joinControls(parts: Control[]): Control {
  return {
    totals: joinTotals(parts.map((part) => part.totals)),
    generated_at: parts.map((part) => part.generated_at).reduce(earlierOf),
    window_count: parts.reduce((sum, part) => sum + part.window_count, 0),
    slices: parts.flatMap((part) => part.slices),
  };
}
