import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoField } from '#app/[game]/_subscriptions/invo-field.tsx';
import { wordsOfReason } from '#app/[game]/_subscriptions/reason-words.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';
import styles from './money-walk.module.css';
import { partnerSteps, type WalkStep } from './period-walk.ts';
import { recipientSteps } from './recipient-walk.ts';

/** Where the money of one period went: the partner's leg down to what is left after fees, then the recipient's part of it. */
export function MoneyWalk({ report }: { report: PeriodAnswer['report'] }): ReactElement {
  const recipient = recipientSteps(report);
  const { attribution_unavailable_reason: reason, paid_at } = report.period;
  return (
    <Card title="Where the money went" aside={<span className={detail.label}>USD</span>}>
      <Steps
        caption={paid_at === null ? 'The partner’s leg, as Invo tells it without a payment' : 'The partner’s leg'}
        steps={partnerSteps(report)}
      />
      {recipient.length > 0 ? (
        <Steps caption="The recipient’s part, out of the partner’s leg" steps={recipient} />
      ) : (
        <p className={detail.sentence}>
          {paid_at === null ? (
            'Never paid, so nothing could be attributed.'
          ) : (
            <InvoField name="period.attribution_unavailable_reason">
              Paid, and attributed to nobody: {reason === null ? 'Invo gives no reason' : wordsOfReason(reason).title}.{' '}
              {reason === null ? '' : wordsOfReason(reason).playbook}
            </InvoField>
          )}
        </p>
      )}
      <BaseCheck report={report} />
    </Card>
  );
}

function Steps({ caption, steps }: { caption: string; steps: WalkStep[] }): ReactElement {
  return (
    <table className={styles.walk}>
      <caption className={styles.caption}>{caption}</caption>
      <tbody>
        {steps.map(({ label, amount, field, note, noteField, kind }) => (
          <tr key={label} className={clsx(kind === 'end' && styles.end, kind === 'taken' && styles.taken)}>
            <th scope="row" className={styles.label}>
              {label}
              {note !== undefined && (
                <span className={styles.note}> {noteField === undefined ? note : <InvoField name={noteField}>{note}</InvoField>}</span>
              )}
            </th>
            <td className={styles.amount}>
              <InvoField name={field}>
                <Money amount={amount} isStrong={kind !== 'taken'} />
              </InvoField>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the recorded base is the one Invo expects; the figure stays as recorded either way. */
function BaseCheck({ report }: { report: PeriodAnswer['report'] }): ReactElement | null {
  const check = report.period.reconciliation;
  if (typeof check?.base_matches_settled_fee !== 'boolean')
    return <p className={styles.check}>Base check: Invo made none on this period.</p>;
  const { expected_base_usd, recorded_base_usd, base_matches_settled_fee } = check;
  return (
    <p className={clsx(styles.check, !base_matches_settled_fee && styles.differs)}>
      Base check:{' '}
      <InvoField name="reconciliation.base_matches_settled_fee">
        {base_matches_settled_fee ? 'the recorded base is the expected one' : 'the recorded base differs from the expected one'}
      </InvoField>
      , recorded{' '}
      <InvoField name="reconciliation.recorded_base_usd">
        <Money amount={recorded_base_usd} size="fact" />
      </InvoField>
      , expected{' '}
      <InvoField name="reconciliation.expected_base_usd">
        <Money amount={expected_base_usd} size="fact" />
      </InvoField>
      . {!base_matches_settled_fee && 'The attributed amount stays as recorded; ask Invo before paying it.'}
    </p>
  );
}
