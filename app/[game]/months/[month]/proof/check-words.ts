export interface CheckWords {
  /** The statement that holds or does not. */
  title: string;
  /** What stands on the side of `expected`. */
  expected: string;
  /** What stands on the side of `actual`. */
  actual: string;
}

/** Each check of the proof in words a finance person reads. */
const CHECK_WORDS: Record<string, CheckWords> = {
  notice_fixed: say('Every answer carries Invo’s notice that nobody was paid', 'answers', 'answers with the notice'),
  net_is_gross_less_reversed: say('Net is what was earned less what was reversed', 'net as stated', 'earned less reversed'),
  partner_revenue_is_settled_less_reversed: say('Your revenue is what settled less what was reversed', 'revenue as stated', 'settled less reversed'),
  line_partner_revenue_is_settled_less_reversed: say('The same holds on every line', 'revenue on the lines', 'settled less reversed'),
  renewals_split_by_attribution: say('Every settled renewal is either attributed or not', 'renewals settled', 'with plus without attribution'),
  reasons_sum_to_unattributed: say('Every renewal without attribution has a reason', 'renewals without attribution', 'sum over the reasons'),
  recipients_sum_to_gross: say('Recipients add up to what was earned', 'earned, as Invo totals it', 'sum over recipients'),
  recipients_sum_to_reversed: say('Recipients add up to what was reversed', 'reversed, as Invo totals it', 'sum over recipients'),
  recipients_sum_to_net: say('Recipients add up to the net', 'net, as Invo totals it', 'sum over recipients'),
  recipients_are_counted: say('Every recipient is here', 'recipients Invo counts', 'recipients found'),
  renewal_lines_are_counted: say('Every attributed renewal has its line', 'renewals Invo counts', 'lines found'),
  lines_sum_to_gross: say('The lines of each recipient add up to what they earned', 'earned, per recipient', 'sum of their lines'),
  reversals_are_counted: say('Every reversal is here', 'reversals Invo counts', 'reversals found'),
  reversals_sum_to_reversed: say('The reversals of each recipient add up to what was reversed', 'reversed, per recipient', 'sum of their reversals'),
  subscriptions_are_counted: say('Every subscription is here', 'subscriptions Invo counts', 'subscriptions found'),
  refund_events_sum_to_reversal: say('The refunds of a period add up to its reversal', 'reversal', 'sum of its refunds'),
  refund_events_chain: say('Each refund begins where the one before it ended', 'refunded before it', 'refunded up to the one before'),
  refund_events_within_total: say('No more refunds are listed than Invo counts', 'refunds Invo counts', 'refunds listed'),
  full_refund_comes_last: say('A period is refunded no further once it is refunded in full', 'nothing after it', 'found'),
  nets_to_zero_is_whole: say('A period settled and refunded in the window pays nothing', 'originally attributed', 'reversed'),
  slices_sum_to_control: say('The parts add up to Invo’s totals of the whole window', 'whole window', 'sum of the parts'),
  report_made_after_window: say('The report was made after the window had ended', 'window ended', 'report made'),
  lines_within_settled: say('Attributed lines stay within what settled', 'at most', 'sum of the lines'),
  lines_within_reversed: say('Reversed lines stay within what was reversed', 'at most', 'sum of the lines'),
  coarse_reversals_counted: say('Invo counts the reversals that have no receipts', 'Invo counts, at most', 'found'),
  attributed_within_base: say('Nobody is attributed more than the base of the share', 'at most', 'attributed'),
  reversed_within_attributed: say('No period is reversed by more than was attributed', 'at most', 'reversed'),
  gross_is_fee_plus_partner: say('Settled gross is Invo’s fee plus your revenue', 'settled gross', 'fee plus revenue'),
  lines_within_gross: say('The lines stay within the settled gross', 'at most', 'sum of the lines'),
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
  refund_events_in_window: 'refunds in the window',
  reversals_without_receipts: 'reversals without receipts',
};

/** The words of a check by its stored name; a name without words speaks for itself. */
export function wordsOfCheck(name: string): CheckWords {
  const total = name.startsWith('control_') ? name.slice('control_'.length) : null;
  if (total !== null) return say(`Parts add up to the whole: ${TOTAL_WORDS[total] ?? total}`, 'whole window, asked at once', 'sum of the parts');
  return CHECK_WORDS[name] ?? say(name, 'expected', 'found');
}

function say(title: string, expected: string, actual: string): CheckWords {
  return { title, expected, actual };
}
