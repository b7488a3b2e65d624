import { compareMoney, multiplyMoney, signOfMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import type { GapContext } from './gap-context.ts';
import { type Answer, type ListSelection, PAGE_RECIPIENTS_MAX } from './pull-session.ts';
import type { ReportEntry } from './read-pages.ts';

/**
 * Reads recipients again in a shorter part and adds their lines: one alone by the filter, several together by their positions in the list,
 * because a whole page can carry megabytes of other recipients' lines. Those who moved are searched at other positions, then by the filter.
 * Returns the recipients seen, without those who have no lines in the part.
 */
export async function rereadPart(context: GapContext, part: Window, group: ReportEntry[]): Promise<ReportEntry[]> {
  const wanted = new Map(group.map((entry) => [entry.report.recipient_player_id, entry]));
  const seen: ReportEntry[] = [];
  const first = likelySpan(context.nets, group);
  let span: ListSpan | null = first;
  for (let tries = 1; span !== null && wanted.size > 1 && tries < group.length; tries += 1) {
    const answer = await requestCounted(context, part, span);
    for (const [index, report] of answer.recipients.entries()) {
      context.lines.add(part, report);
      const entry = wanted.get(report.recipient_player_id);
      if (entry) seen.push({ ...entry, rank: span.offset + index, listLength: answer.total_count, report });
      wanted.delete(report.recipient_player_id);
    }
    if (span.offset === 0 && !answer.has_more) wanted.clear();
    span = otherSpans(first, group, answer.total_count)[tries - 1] ?? null;
  }
  for (const [recipientPlayerId, entry] of wanted) {
    const answer = await requestCounted(context, part, { recipientPlayerId });
    for (const report of answer.recipients) {
      context.lines.add(part, report);
      if (report.recipient_player_id === recipientPlayerId) seen.push({ ...entry, report });
    }
  }
  return seen;
}

async function requestCounted(context: GapContext, part: Window, selection: ListSelection): Promise<Answer> {
  context.callsLeft -= 1;
  return context.session.ask(part, selection, 'fill');
}

interface ListSpan {
  offset: number;
  limit: number;
}

/** The likely positions of recipients in the list of a shorter part: their previous ones, and those of others with similar amounts. */
function likelySpan(nets: readonly string[], group: ReportEntry[]): ListSpan {
  const [ranks, homes] = [group.map((entry) => entry.rank), group.map((entry) => entry.home)];
  const [first, last] = [Math.min(...ranks), Math.max(...ranks)];
  const above = countSimilar(nets, Math.min(...homes), -1);
  const below = countSimilar(nets, Math.max(...homes), 1);
  const offset = Math.max(0, first - above);
  return { offset, limit: Math.min(PAGE_RECIPIENTS_MAX, last + below + 1 - offset) };
}

/**
 * Other positions to try, the likelier first. The list is ranked by net, so recipients with only reversals are last. A shorter part has fewer
 * recipients, so their positions from the end stay the same. Those with many reversals may be below zero in this part. The others are searched in a
 * full page around them.
 */
function otherSpans({ offset, limit }: ListSpan, group: ReportEntry[], listLength: number): ListSpan[] {
  const length = group[0]?.listLength ?? listLength;
  const isAtEnd = offset + limit > length / 2;
  if (isAtEnd && listLength !== length) return [{ offset: Math.max(0, listLength - (length - offset)), limit }];
  const around =
    limit < PAGE_RECIPIENTS_MAX
      ? [{ offset: Math.max(0, offset - Math.floor((PAGE_RECIPIENTS_MAX - limit) / 2)), limit: PAGE_RECIPIENTS_MAX }]
      : [];
  const mayOweBack = sumOf(group, 'reversal_count') * 5 > sumOf(group, 'renewal_count') * 2;
  const last = { offset: Math.max(0, listLength - PAGE_RECIPIENTS_MAX), limit: PAGE_RECIPIENTS_MAX };
  return mayOweBack && listLength > offset + PAGE_RECIPIENTS_MAX ? [last, ...around] : around;
}

function sumOf(group: ReportEntry[], count: 'renewal_count' | 'reversal_count'): number {
  return group.reduce((sum, { report }) => sum + report[count], 0);
}

/** How many recipients next to a position, at least two, have a net within a quarter of the net there. */
function countSimilar(nets: readonly string[], home: number, step: 1 | -1): number {
  const net = nets[home] ?? '0';
  const isFarther = signOfMoney(net) === step ? 3 : 5;
  const bound = multiplyMoney(net, isFarther);
  let count = 2;
  while (count < PAGE_RECIPIENTS_MAX) {
    const other = nets[home + step * (count + 1)];
    if (other === undefined || compareMoney(multiplyMoney(other, 4), bound) === -step) return count;
    count += 1;
  }
  return count;
}
