import Link from 'next/link';
import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { maskName } from '#lib/core/roles.ts';
import type { AdjustmentWords } from '#lib/payouts/reads/payout-decisions.ts';
import type { PaidDetails } from '#lib/payouts/rules/close-input.ts';
import type { RunContent } from '#lib/payouts/rules/run-content.ts';
import { ADJUSTMENT_KIND_TEXT, CONCLUSION_TEXT, formatCheck, HOLD_REASON_TEXT } from '#lib/payouts/text.ts';
import styles from '../../_run/run.module.css';

interface WordsProps {
  slug: string;
  content: RunContent;
  names: ReadonlyMap<number, string>;
  words: ReadonlyMap<number, AdjustmentWords>;
  /** A text that a person typed, as this reader may see it. */
  shown: (text: string) => string;
}

interface DetailsToCheckProps {
  slug: string;
  details: readonly PaidDetails[];
  canSeeEmails: boolean;
}

/** Payments to new payment details, or to an account that several identities share: masked, with the two people behind each. */
export function DetailsToCheck({ slug, details, canSeeEmails }: DetailsToCheckProps): ReactElement {
  return (
    <Card title="Payment details to check">
      <ul className={styles.list}>
        {details.map(({ recipientId, name, account, payable_usd, proposedBy, confirmedBy, isChanged, isShared }) => (
          <li key={recipientId}>
            <span>
              <Link href={`/${slug}/payouts/payees/${recipientId}`}>
                {name === null ? `Player ${recipientId}` : showControls(maskName(name, canSeeEmails) ?? '')}
              </Link>{' '}
              <strong>{account}</strong>
            </span>
            <Money amount={payable_usd} size="fact" />
            <span className={styles.hint}>
              {[isChanged ? 'Changed since the last payment' : '', isShared ? 'Shared by several identities' : '']
                .filter(Boolean)
                .join('. ')}
              . Proposed by {proposedBy}, confirmed by {confirmedBy}.
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Every note, finding, hold and adjustment that the approval covers. */
export function Words({ slug, content, names, words, shown }: WordsProps): ReactElement {
  const { notes, findings, adjustments, holds, checks } = content;
  return (
    <>
      <Card title="Notes and findings">
        {notes.length + findings.length === 0 ? (
          <p className={styles.hint}>None.</p>
        ) : (
          <ul className={styles.list}>
            {findings.map((finding) => (
              <li key={`${finding.reason} ${finding.foundAt}`}>
                <strong>{formatCheck({ key: finding.reason, count: finding.renewalCount }).title}</strong>
                <span className={styles.quiet}>
                  {CONCLUSION_TEXT[finding.conclusion as keyof typeof CONCLUSION_TEXT] ?? finding.conclusion}
                </span>
                <span className={styles.quote}>
                  “{shown(finding.note)}” {finding.foundBy}
                </span>
              </li>
            ))}
            {notes.map((note) => {
              const check = checks.find(({ key }) => key === note.checkKey);
              return (
                <li key={`${note.checkKey} ${note.facts}`}>
                  <strong>{formatCheck({ key: note.checkKey, count: check?.count ?? 1 }).title}</strong>
                  {check !== undefined && check.amount_usd !== null && <Money amount={check.amount_usd} size="fact" />}
                  <span className={styles.quote}>
                    “{shown(note.note)}” {note.notedBy}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Card>
      {adjustments.length > 0 && (
        <Card title="Adjustments" aside={<span className={styles.unit}>USD</span>}>
          <ul className={styles.list}>
            {adjustments.map(({ adjustmentId, recipientId, amount_usd, kind }) => (
              <li key={adjustmentId}>
                <span>
                  <Recipient slug={slug} recipientId={recipientId} names={names} />{' '}
                  <span className={styles.quiet}>{ADJUSTMENT_KIND_TEXT[kind as keyof typeof ADJUSTMENT_KIND_TEXT] ?? kind}</span>
                </span>
                <Money amount={amount_usd} size="fact" />
                <AdjustmentQuote words={words.get(adjustmentId)} shown={shown} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {holds.length > 0 && (
        <Card title="Holds">
          <ul className={styles.list}>
            {holds.map(({ holdId, recipientId, periodId, amount_usd, reason }) => (
              <li key={holdId}>
                <span>
                  <Recipient slug={slug} recipientId={recipientId} names={names} />
                  {periodId !== null && `, period ${periodId}`}{' '}
                  <span className={styles.quiet}>{HOLD_REASON_TEXT[reason as keyof typeof HOLD_REASON_TEXT] ?? reason}</span>
                </span>
                {amount_usd === null ? <span>Everything due</span> : <Money amount={amount_usd} size="fact" />}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

/** Why an adjustment is made, who proposed it and who confirmed it. */
function AdjustmentQuote({ words, shown }: Pick<WordsProps, 'shown'> & { words: AdjustmentWords | undefined }): ReactElement | null {
  if (words === undefined) return null;
  return (
    <span className={styles.quote}>
      “{shown(words.reason)}” Proposed by {words.proposedBy}, confirmed by {words.confirmedBy}
    </span>
  );
}

/** A recipient by name, with the ID that the approval binds. */
function Recipient({ slug, recipientId, names }: Pick<WordsProps, 'slug' | 'names'> & { recipientId: number }): ReactElement {
  const name = names.get(recipientId);
  const link = (text: string): ReactElement => <Link href={`/${slug}/recipients/${recipientId}`}>{text}</Link>;
  return name === undefined ? (
    link(`Player ${recipientId}`)
  ) : (
    <>
      {link(showControls(name))} <span className={styles.quiet}>{recipientId}</span>
    </>
  );
}
