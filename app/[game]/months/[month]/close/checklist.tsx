import { CircleAlert, CircleCheck, CircleDashed, CirclePause, Info } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatInstantsIn, formatSide, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import { PullButton } from '#app/[game]/_pulls/pull.tsx';
import { maskName } from '#lib/core/roles.ts';
import { capitalise } from '#lib/core/strings.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { checkTextOf } from '#lib/evidence/text.ts';
import { METHOD_TEXT } from '#lib/payees/text.ts';
import type { Answer } from '#lib/payouts/reads/close-facts.ts';
import type { Close } from '#lib/payouts/rules/close-checks.ts';
import type { CheckFigure, CheckGroup, CheckItem, CheckRow } from '#lib/payouts/rules/close-input.ts';
import { FIGURE_TEXT, formatCheck, PASSED_TEXT } from '#lib/payouts/text.ts';
import styles from './close.module.css';
import { FindingForm, NoteForm } from './close-forms.tsx';

export interface ChecklistProps {
  slug: string;
  month: string;
  close: Close;
  /** Notes and findings of the run. */
  answers: readonly Answer[];
  /** The draft whose items the person may answer; null: they only read. */
  runId: number | null;
  /** The number of the draft; null: there is no run. */
  runNo: number | null;
  mayPull: boolean;
  canSeeEmails: boolean;
  /** Whether the person may see masked accounts and who confirmed them. */
  mayReadDetails: boolean;
}

/** The items of a close in four groups: work on the left, facts on the right. */
export function Checklist(props: ChecklistProps): ReactElement {
  const { items, passed } = props.close;
  const groups = Object.groupBy(items, ({ group }) => group);
  const draw = (group: CheckGroup): ReactNode => groups[group]?.map((item) => <Item key={item.key} item={item} {...props} />);
  return (
    <TwoColumns isBalanced>
      <Column>
        <Group title="Blocks submission" badge={countOpen(groups.blocks, 'bad')}>
          {draw('blocks')}
          <li className={styles.check}>
            <CircleCheck size={16} aria-hidden="true" className={styles.good} />
            <span className={styles.title}>{countNoun(passed.length, 'check')} passed</span>
            <span className={styles.detail}>{formatPassed(passed)}</span>
          </li>
        </Group>
        {groups.note && (
          <Group title="Needs a note" badge={countOpen(groups.note, 'wait')}>
            {draw('note')}
          </Group>
        )}
      </Column>
      <Column>
        <Group title="Held">
          {draw('held') ?? (
            <li className={styles.check}>
              <CircleCheck size={16} aria-hidden="true" className={styles.quiet} />
              <span className={styles.title}>Nothing on hold</span>
            </li>
          )}
        </Group>
        <Group title="For information">{draw('info')}</Group>
      </Column>
    </TwoColumns>
  );
}

function Group({ title, badge, children }: { title: string; badge?: ReactNode; children: ReactNode }): ReactElement {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.head}>
        {title} {badge}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

function countOpen(items: readonly CheckItem[] | undefined, tone: 'bad' | 'wait'): ReactNode {
  const open = items?.filter(({ isAnswered }) => !isAnswered) ?? [];
  return open.length === 0 ? null : (
    <Flag tone={tone} word={open.length === items?.length ? String(open.length) : `${open.length} of ${items?.length}`} />
  );
}

function formatPassed(passed: readonly string[]): string {
  const words = passed.map((key) => PASSED_TEXT[key] ?? key).join(', ');
  return words === '' ? '' : `${capitalise(words)}.`;
}

/** The button of each item that a re-check resolves. */
const RECHECKED_BY: Readonly<Record<string, string>> = {
  rechecked: 'Re-check now (1 call)',
  recheck_differs: 'Re-check now',
  pull_failed: 'Re-check now',
};

const ICONS = { blocks: CircleAlert, note: CircleDashed, held: CirclePause, info: Info } as const;

function Item({
  item,
  slug,
  month,
  runId,
  runNo,
  mayPull,
  answers,
  canSeeEmails,
  mayReadDetails,
}: ChecklistProps & { item: CheckItem }): ReactElement {
  const { key, group, count, amount_usd, held_usd, isAnswered, rows } = item;
  const { title, advice } = formatCheck(item);
  const Icon = isAnswered ? CircleCheck : ICONS[group];
  const isOpen = runId !== null && !isAnswered;
  const isHeldToo = group === 'note' && held_usd !== null && /[1-9]/.test(held_usd);
  return (
    <li className={styles.check} id={key}>
      <Icon size={16} aria-hidden="true" className={isAnswered ? styles.good : group === 'note' ? styles.noteIcon : styles[group]} />
      <span className={styles.title}>{title}</span>
      {amount_usd !== null && (
        <span className={styles.amount}>
          <Money amount={amount_usd} size="fact" />
        </span>
      )}
      {(advice !== '' || isHeldToo) && (
        <span className={styles.detail}>
          {advice}
          {isHeldToo && (
            <>
              {' '}
              Held: <Money amount={held_usd} size="fact" />.
            </>
          )}
        </span>
      )}
      {rows.length > 0 && (
        <Rows
          slug={slug}
          rows={rows.map((row) => visibleRow(row, { canSeeEmails, mayReadDetails }))}
          count={count}
          isOpen={isOpen && rows.length <= 3}
          canAdjust={key === 'drift' && isOpen}
        />
      )}
      {answers
        .filter((answer) => answer.key === key && (answer.facts === null || answer.facts === item.facts))
        .map((answer) => (
          <blockquote key={`${answer.by} ${answer.at}`} className={styles.quote}>
            “{showControls(canSeeEmails ? answer.text : maskEmailsIn(answer.text))}”{' '}
            <span className={styles.by}>
              {answer.by}, {formatUtc(answer.at)}
            </span>
          </blockquote>
        ))}
      {RECHECKED_BY[key] !== undefined && mayPull && (
        <div className={styles.act}>
          <PullButton game={slug} month={month} kind="plain" label={RECHECKED_BY[key]} />
        </div>
      )}
      {key === 'adjustments_stranded' && isOpen && (
        <div className={styles.act}>
          <LinkButton href={`/${slug}/payouts/adjustments`}>Open adjustments</LinkButton>
        </div>
      )}
      {key === 'eur_rate' && isOpen && runNo !== null && (
        <div className={styles.act}>
          <LinkButton href={`/${slug}/payouts/${runNo}#eur-rate`}>Enter the rate</LinkButton>
        </div>
      )}
      {mayReadDetails && (key === 'no_details' || key === 'changed_details' || key === 'shared_account') && (
        <div className={styles.act}>
          <LinkButton href={`/${slug}/payouts/payees`}>Open payment details</LinkButton>
        </div>
      )}
      {mayReadDetails && key === 'no_sender' && (
        <div className={styles.act}>
          <LinkButton href={`/${slug}/payouts/senders`}>Open sender accounts</LinkButton>
        </div>
      )}
      {isOpen && item.answer === 'note' && <NoteForm game={slug} runId={runId} checkKey={key} facts={item.facts} />}
      {isOpen && item.answer === 'finding' && <FindingForm game={slug} runId={runId} reason={key} count={count} />}
    </li>
  );
}

/** What a person may see of a row: a name can be an email, and not every role sees masked accounts. */
function visibleRow({ details, people, ...row }: CheckRow, may: Pick<ChecklistProps, 'canSeeEmails' | 'mayReadDetails'>): CheckRow {
  const named = row.name === undefined ? row : { ...row, name: maskName(row.name, may.canSeeEmails) };
  return may.mayReadDetails && details !== undefined ? { ...named, details, ...(people !== undefined && { people }) } : named;
}

interface RowsProps {
  slug: string;
  rows: readonly CheckRow[];
  count: number;
  isOpen: boolean;
  /** Each row leads to the adjustment that would settle it. */
  canAdjust: boolean;
}

function Rows({ slug, rows, count, isOpen, canAdjust }: RowsProps): ReactElement {
  return (
    <details className={styles.rows} open={isOpen}>
      <summary>{rows.length < count ? `First ${rows.length} of ${count}` : countNoun(rows.length, 'row')}</summary>
      <ul>
        {rows.map((row) => (
          <li key={JSON.stringify(row)} className={styles.row}>
            <span className={styles.subject}>{subjectOf(slug, row)}</span>
            <dl className={styles.sides}>
              {Object.entries(row.figures).map(([figure, amount]) => (
                <div key={figure}>
                  <dt>{FIGURE_TEXT[figure as CheckFigure]}</dt>
                  <dd>{figure === 'expected' || figure === 'actual' ? formatSide(amount) : <Money amount={amount} size="fact" />}</dd>
                </div>
              ))}
            </dl>
            {canAdjust && <Link href={adjustmentPath(slug, row)}>Propose an adjustment</Link>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The form of an adjustment with the amount that a changed period comes to. An amount finer than a cent is left to the person. */
function adjustmentPath(slug: string, { recipientId, periodId, runNo, figures }: CheckRow): string {
  const entries = { kind: 'drift', recipientId, periodId, runNo, amount: figures.net_change };
  const given = Object.entries(entries).flatMap(([name, entry]) => (entry === undefined ? [] : [[name, String(entry)]]));
  return `/${slug}/payouts/adjustments?${new URLSearchParams(given)}`;
}

function subjectOf(slug: string, { recipientId, name, periodId, runNo, method, about, details, people }: CheckRow): ReactNode {
  return (
    <>
      {recipientId !== undefined && (
        <Link href={`/${slug}/recipients/${recipientId}`}>
          {name === null || name === undefined ? `Player ${recipientId}` : showControls(name)}
        </Link>
      )}
      {periodId !== undefined && (
        <>
          {' '}
          <Link href={`/${slug}/periods/${periodId}`}>period {periodId}</Link>
        </>
      )}
      {runNo !== undefined && (
        <>
          {' '}
          <Link href={`/${slug}/payouts/${runNo}`}>run {runNo}</Link>
        </>
      )}
      {method !== undefined && METHOD_TEXT[method]}
      {details !== undefined && `: ${details.account}, ${people ?? ''}`}
      {about !== undefined && formatInstantsIn(checkTextOf(about).title)}
    </>
  );
}
