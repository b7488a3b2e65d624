export interface CheckWords {
  /** The statement that holds or does not. */
  title: string;
  /** What stands on the side of `expected`. */
  expected: string;
  /** What stands on the side of `actual`. */
  actual: string;
  /** Whether the actual side may stay below the expected one. */
  isBound?: true;
}

/** Each check of the proof in words a finance person reads. */
export const CHECK_WORDS: Record<string, CheckWords> = {
  notice_fixed: say('Every answer carries Invo’s notice that nobody was paid', 'answers', 'with the notice'),
  report_made_after_window: cases('Every report was made after its window had ended', 'reports'),
  net_is_gross_less_reversed: say('Net is what was earned less what was reversed', 'net', 'earned less reversed'),
  recipient_net_is_gross_less_reversed: say('The same holds for every recipient', 'net', 'earned less reversed'),
  partner_revenue_is_settled_less_reversed: say('Your revenue is what settled less what was reversed', 'revenue', 'settled less reversed'),
  line_partner_revenue_is_settled_less_reversed: say(
    'Your revenue on every line is settled less reversed',
    'revenue on lines',
    'settled less reversed',
  ),
  renewals_split_by_attribution: say('Every settled renewal is either attributed or not', 'renewals settled', 'with plus without'),
  reasons_sum_to_unattributed: say('Every renewal without attribution has a reason', 'without attribution', 'sum over reasons'),
  recipients_sum_to_gross: say('Recipients add up to what was earned', 'earned', 'sum over recipients'),
  recipients_sum_to_reversed: say('Recipients add up to what was reversed', 'reversed', 'sum over recipients'),
  recipients_sum_to_net: say('Recipients add up to the net', 'net', 'sum over recipients'),
  recipients_are_counted: say('Every recipient is here', 'counted by Invo', 'found'),
  renewal_lines_are_counted: say('Every attributed renewal of every recipient has its line', 'counted by Invo', 'lines found'),
  lines_sum_to_attributed_renewals: say('Every attributed renewal of the month has its line', 'counted by Invo', 'lines found'),
  lines_sum_to_gross: say('The lines of every recipient add up to what they earned', 'earned', 'sum of lines'),
  reversals_are_counted: say('Every reversal is here', 'counted by Invo', 'found'),
  reversals_sum_to_reversed: say('The reversals of every recipient add up to what was reversed', 'reversed', 'sum of reversals'),
  subscriptions_are_counted: say('Every subscription is here', 'counted by Invo', 'found'),
  refund_events_sum_to_reversal: say('The refunds of every period add up to its reversal', 'reversals', 'sum of refunds'),
  refund_events_chain: cases('Each refund begins where the one before it ended', 'periods'),
  refund_events_within_total: within('No more refunds are listed than Invo counts', 'counted by Invo', 'listed'),
  full_refund_comes_last: cases('A period is refunded no further once refunded in full', 'periods'),
  nets_to_zero_is_whole: cases('What settled and was refunded whole here is marked so', 'statements on reversals'),
  renewals_settled_in_window: cases('Every line settled inside the window', 'lines'),
  refunds_in_window: cases('Every refund listed happened inside the window', 'refunds'),
  lines_within_settled: within('Lines stay within Invo’s fee and your revenue settled', 'settled', 'sum of lines'),
  lines_within_reversed: within('Lines stay within your revenue reversed', 'reversed', 'sum of lines'),
  coarse_reversals_counted: within('Invo counts the reversals that have no receipts', 'counted by Invo', 'found'),
  attributed_within_base: cases('Nobody is attributed more than the base of the share', 'lines'),
  reversed_within_attributed: cases('No period is reversed by more than was attributed', 'reversals'),
  gross_is_fee_plus_partner: say('Settled gross is Invo’s fee plus your revenue', 'settled gross', 'fee plus revenue'),
  lines_within_gross: within('Lines stay within the settled gross', 'settled gross', 'sum of lines'),
};

/** What Invo's totals are called in a sentence. */
const TOTAL_WORDS: Record<string, string> = {
  renewals_settled: 'renewals settled',
  settled_gross_usd: 'settled gross',
  invo_fee_usd: 'Invo fee',
  partner_revenue_settled_usd: 'partner revenue settled',
  partner_revenue_reversed_usd: 'partner revenue reversed',
  partner_revenue_usd: 'partner revenue',
  renewals_with_attribution: 'renewals with attribution',
  renewals_without_attribution: 'renewals without attribution',
  unattributed_reasons: 'reasons without attribution',
  gross_attributed_usd: 'earned',
  reversed_attributed_usd: 'reversed',
  net_attributed_usd: 'net',
  refund_events_in_window: 'refunds',
  reversals_without_receipts: 'reversals without receipts',
  recipient_count: 'recipients',
};

/** What one of Invo's totals is called in a sentence; a name without words speaks for itself. */
export function totalWord(name: string): string {
  return TOTAL_WORDS[name] ?? name;
}

/** The words of a check by its stored name; a name without words speaks for itself. */
export function wordsOfCheck(name: string): CheckWords {
  const total = name.startsWith('control_') ? name.slice('control_'.length) : null;
  if (total !== null) return say(`The parts add up to the whole month: ${totalWord(total)}`, 'whole month', 'sum of the parts');
  return CHECK_WORDS[name] ?? say(name, 'expected', 'found');
}

function say(title: string, expected: string, actual: string): CheckWords {
  return { title, expected, actual };
}

function cases(title: string, what: string): CheckWords {
  return { title, expected: what, actual: 'of which it is true' };
}

function within(title: string, expected: string, actual: string): CheckWords {
  return { title, expected: `${expected}, at most`, actual, isBound: true };
}
