import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';

export type Share = 'somebody' | 'nobody' | 'unknown';

/** Whether anybody has a share in a period; `unknown` where Invo attributes nothing for any reason but that nobody has one (trap A1). */
export function shareOf({ attribution, attribution_unavailable_reason: reason }: PeriodShare): Share {
  if (attribution !== null) return 'somebody';
  return reason === BENIGN_REASON ? 'nobody' : 'unknown';
}

type PeriodShare = { attribution: object | null; attribution_unavailable_reason: string | null };
