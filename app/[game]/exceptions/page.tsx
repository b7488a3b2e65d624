import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { Button } from '#app/_ui/controls/button.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatAge, formatCount } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { addMonths, listMonths, monthOf } from '#lib/core/month.ts';
import { type ChainState, findChainState } from '#lib/exceptions/reads.ts';
import { listPeriods, parsePeriod } from '#lib/exceptions/rules/exceptions.ts';
import { formatPeriod, formatVerified } from '#lib/exceptions/text.ts';
import type { SearchParams } from '../_rows/define-list.ts';
import { exceptionsList } from './exception-table.ts';
import styles from './exceptions.module.css';

interface ExceptionsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Exceptions' };

/** Months that the choice of a period goes back. */
const MONTHS_BACK = 24;

export default async function ExceptionsPage({ params, searchParams }: ExceptionsPageProps): Promise<ReactElement> {
  const person = await requirePerson('audit.read');
  const game = await requireGame((await params).game);
  const period = parsePeriod((await searchParams)['period'], game.timeZone);
  const [chains, { spec, first }] = await Promise.all([
    findChainState(db(), game.gameId),
    exceptionsList.loadFirst({ game, period, mayExport: person.may('files.export') }, searchParams),
  ]);
  return (
    <>
      <PageHead title="Exceptions" actions={<PeriodForm game={game} period={period.text} />}>
        What happened outside the normal path: overrides, voids, pauses, erasures, incomplete exports, changed keys, refused approvals and
        failed sign-ins.
      </PageHead>
      <div className={styles.proof}>
        <Card title="Proof">
          <Facts facts={factsOf(chains)} columns={4} />
        </Card>
      </div>
      <DataTable key={period.text} spec={spec} first={first} />
      <TableNote>
        {period.text === '' ? 'Entries since Sharebook was installed.' : `Entries of ${formatPeriod(period.text)}, ${game.timeZone}.`} Acts
        on people and sign-ins belong to no game and are listed in each. Notes on checks are part of most closes: choose All or Notes on
        checks to list them too.
      </TableNote>
    </>
  );
}

/** The period as a form whose address is the view. */
function PeriodForm({ game: { slug, timeZone }, period }: { game: Game; period: string }): ReactElement {
  const current = monthOf(now(), timeZone);
  const { years, months } = listPeriods(listMonths(addMonths(current, 1 - MONTHS_BACK), current));
  return (
    <form action={`/${slug}/exceptions`} className={styles.period} data-print="no">
      <Field label="Period">
        {(control) => (
          <select {...control} name="period" defaultValue={period}>
            <option value="">{formatPeriod('')}</option>
            {[...years, ...months].map((each) => (
              <option key={each} value={each}>
                {formatPeriod(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit">Show period</Button>
    </form>
  );
}

function factsOf({ snapshotPosition, auditPosition, unlinkedCount, verification, readAt }: ChainState): Fact[] {
  const link = (position: number | null): string => (position === null ? 'no link yet' : `link ${formatCount(position)}`);
  return [
    { label: 'Chain of snapshots', value: link(snapshotPosition), note: 'each binds the one before' },
    {
      label: 'Chain of the audit',
      value: link(auditPosition),
      note: unlinkedCount === 0 ? 'every entry is linked' : `${countNoun(unlinkedCount, 'entry', 'entries')} not linked yet`,
    },
    {
      label: 'Last verify',
      value:
        verification === null ? (
          <Status tone="wait" word="Not run yet" />
        ) : (
          <Status tone={verification.violationCount === 0 ? 'good' : 'bad'} word={formatVerified(verification.violationCount)} />
        ),
      note:
        verification === null
          ? 'run the command verify'
          : `${formatAge(verification.endedAt, readAt)}, ${countNoun(verification.snapshotCount, 'snapshot')} and ${countNoun(verification.auditCount, 'audit entry', 'audit entries')}`,
    },
    {
      label: 'Links stored elsewhere',
      value: verification?.hasHeads ? 'compared' : 'not compared',
      note: verification?.hasHeads ? 'with verify --head' : 'run verify --head with an exported link',
    },
  ];
}
