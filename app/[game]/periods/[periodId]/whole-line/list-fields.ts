import { maskEmail } from '#lib/core/roles.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';

/** One field of Invo's answer as it came, in Invo's words; null: absent or null. */
export interface ToldField {
  name: string;
  value: string | null;
}

/**
 * Every field of a period report by its own name, in Invo's order: the line first, then legs, refunds together, the charge, the
 * subscription and its share. The single refunds and the notice stand elsewhere. E-mails come masked for who may not read them.
 */
export function listFields({ report }: Pick<PeriodAnswer, 'report'>, canSeeEmails: boolean): ToldField[] {
  const { period, fee_legs, refunds, charge, subscription, current_revenue_share } = report;
  const { events: _, ...together } = refunds ?? { events: [] };
  return [
    ...fieldsOf('period', period),
    ...fieldsOf('fee_legs', fee_legs),
    ...fieldsOf('refunds', refunds === null ? null : together),
    ...fieldsOf('charge', charge),
    ...fieldsOf('subscription', subscription),
    ...fieldsOf('current_revenue_share', current_revenue_share),
  ].map(({ name, value }) => ({
    name,
    value: value !== null && name.endsWith('.player_email') && !canSeeEmails ? maskEmail(value) : value,
  }));
}

function fieldsOf(name: string, told: unknown): ToldField[] {
  if (told === null || told === undefined) return [{ name, value: null }];
  if (typeof told !== 'object' || Array.isArray(told)) return [{ name, value: typeof told === 'string' ? told : JSON.stringify(told) }];
  return Object.entries(told).flatMap(([key, value]) => fieldsOf(`${name}.${key}`, value));
}
