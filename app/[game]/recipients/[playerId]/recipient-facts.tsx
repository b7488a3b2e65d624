import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { RecipientHistory } from '#db/evidence/reads/recipients.ts';
import { negateMoney } from '#lib/core/money.ts';
import styles from './recipient.module.css';

/** What a recipient earned in all, and who that is. */
export function RecipientFacts({ history }: { history: RecipientHistory }): ReactElement {
  const { total, email, identityId, resolved } = history;
  const missing = resolved === false ? 'not found at Invo' : 'not recorded';
  return (
    <Card>
      <p className={styles.label}>
        Net attributed, {total.monthCount === 1 ? 'one complete month' : `${total.monthCount} complete months`}
      </p>
      <div className={styles.net}>
        <Money amount={total.net} size="answer" />
      </div>
      <Facts
        facts={[
          { label: 'Earned', value: <Money amount={total.earned} size="fact" /> },
          { label: 'Reversed', value: <Money amount={negateMoney(total.reversed)} size="fact" /> },
          { label: 'Renewals', value: formatCount(total.renewalCount) },
        ]}
      />
      <dl className={styles.who}>
        <dt>E-mail, a contact and no key</dt>
        <dd>
          <bdi>{email === null ? missing : showControls(email)}</bdi>
        </dd>
        <dt>Identity across games</dt>
        <dd>
          <bdi>{identityId === null ? missing : showControls(identityId)}</bdi>
        </dd>
      </dl>
    </Card>
  );
}
