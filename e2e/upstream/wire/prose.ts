/** How the figures come about, in the report's own prose. */
export const DERIVATION = {
  window: 'A renewal belongs to the window its money settled in; a reversal to the window of its refund.',
  base: 'The amount after the service fee.',
  attributed: 'The percentage in force at the renewal, of the base, recorded at settlement and never recomputed.',
  net: 'Gross attributed less what refunds dated in this window reversed.',
};

/** Where the report stops, in its own prose. */
export const KNOWN_LIMITS = {
  inline_lines_per_recipient: 500,
  renewals_per_report: 20_000,
  refunded_renewals_per_report: 20_000,
  window_days: 400,
  coarse_reversals:
    'A reversal without a refund receipt is reported whole in the window of the latest refund, without partner-revenue clawback.',
};
