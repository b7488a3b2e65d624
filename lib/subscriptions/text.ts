export interface ReasonText {
  title: string;
  /** What it means and what to do. */
  playbook: string;
  /** Whether paying must wait for an answer. */
  isUrgent: boolean;
}

/** Why renewals have no attribution, and what to do (document 2, unattributed_reasons). */
const REASON_WORDS: Record<string, ReasonText> = {
  no_revenue_share_configured: {
    title: 'No revenue share was configured',
    playbook: 'Nobody earned anything on these renewals. Nothing to do.',
    isUrgent: false,
  },
  spend_order_not_found: {
    title: 'Settlement record unreachable',
    playbook:
      'Investigate before paying: Invo could not reach the settlement record, so somebody may have earned on these renewals. Ask Invo, then pull the month again.',
    isUrgent: true,
  },
  attribution_not_recorded: {
    title: 'Attribution was not recorded',
    playbook: 'A share was in force and Invo holds no attribution. Ask Invo which renewals these are and whether somebody is owed.',
    isUrgent: false,
  },
  attribution_malformed: {
    title: 'Attribution record is malformed',
    playbook: 'Invo holds an attribution that it cannot read. Ask Invo to mend the record, then pull the month again.',
    isUrgent: false,
  },
};

/** The words of a reason; one this book does not know is shown as Invo wrote it. */
export function reasonText(reason: string): ReasonText {
  return (
    (Object.hasOwn(REASON_WORDS, reason) ? REASON_WORDS[reason] : undefined) ?? {
      title: reason,
      playbook: 'Sharebook does not know this reason of Invo. Ask Invo what it means before paying.',
      isUrgent: false,
    }
  );
}
