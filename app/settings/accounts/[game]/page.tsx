import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { findAccountMap } from '#lib/accounting/reads.ts';
import { type AccountMap, fieldName, MAPPING_FIELDS } from '#lib/accounting/rules/account-map.ts';
import { ACCOUNT_LABELS, ACCOUNTS, type Account, type JournalLine, SAMPLE_LINES } from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type Layout, NEEDED_FIELDS } from '#lib/accounting/rules/layouts.ts';
import { LAYOUT_LABELS, MAPPING_LABELS } from '#lib/accounting/text.ts';
import { sumMoney } from '#lib/core/money.ts';
import styles from '../../settings.module.css';
import { AccountsForm } from './accounts-form.tsx';

export const metadata: Metadata = { title: 'Accounts' };

export default async function AccountsPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const map = await findAccountMap(db(), game.gameId);
  const mayChange = person.may('payouts.prepare');
  return (
    <>
      <PageHead title={`Accounts of ${game.name}`} actions={<LinkButton href="/settings">Settings</LinkButton>}>
        {map.setAt === null ? (
          'No accounts are set yet. Journals can be exported once they are.'
        ) : (
          <>
            Account map {map.mapNo}, set by {map.setBy} at <Instant at={map.setAt} timeZone={game.timeZone} />.
          </>
        )}
      </PageHead>
      {mayChange && (
        <Card title="Names in your books">
          <p className={styles.bookText}>
            Fill in what your accounting program needs: a Xero code with the exact name of its tax rate, a QuickBooks name with its parents
            (Parent:Account), or a code and a name for others. In QuickBooks, liability accounts must not be of the type accounts payable.
            Each save creates a new map. The file name of an exported journal says which map it used.
          </p>
          <AccountsForm
            slug={game.slug}
            mapNo={map.mapNo}
            layouts={LAYOUTS.map((layout) => ({ layout, label: LAYOUT_LABELS[layout] }))}
            shown={mostUsedLayout(map)}
            accounts={fieldsOf(map)}
          />
        </Card>
      )}
      <div className={styles.sample}>
        <Card title="Sample journal">
          <p className={styles.bookText}>
            An example month as it would be posted with {map.mapNo === 0 ? 'these accounts' : `account map ${map.mapNo}`}. The figures are
            made up.
          </p>
          <SimpleTable
            label="Lines of the sample journal"
            isInset
            columns={sampleColumns(map)}
            rows={SAMPLE_LINES}
            keyOf={({ account }) => account}
          />
        </Card>
      </div>
    </>
  );
}

function fieldsOf({ accounts }: AccountMap): Parameters<typeof AccountsForm>[0]['accounts'] {
  return ACCOUNTS.map((key) => ({
    key,
    label: ACCOUNT_LABELS[key],
    fieldsByLayout: LAYOUTS.map((layout) => ({
      layout,
      fields: NEEDED_FIELDS[layout].map((field) => ({
        name: fieldName(key, field),
        label: MAPPING_LABELS[field],
        value: accounts[key]?.[field] ?? '',
      })),
    })),
  }));
}

/** The layout with the most entries; the first one while there are none. */
function mostUsedLayout({ accounts }: AccountMap): Layout {
  const countOf = (wanted: Layout): number => {
    return Object.values(accounts).filter((entry) => NEEDED_FIELDS[wanted].some((field) => entry[field] !== '')).length;
  };
  return LAYOUTS.reduce((most, layout) => (countOf(layout) > countOf(most) ? layout : most));
}

function sampleColumns({ mapNo, accounts }: AccountMap): SimpleColumn<JournalLine>[] {
  const joined = (account: Account, fields: readonly (keyof typeof MAPPING_LABELS)[]): string =>
    fields
      .map((field) => accounts[account]?.[field] ?? '')
      .filter((text) => text !== '')
      .join(' · ') || 'not set';
  return [
    {
      label: 'Account',
      total: 'Balance',
      cell: ({ account }) => (
        <>
          {ACCOUNT_LABELS[account]}
          {mapNo > 0 && <NarrowNote>{joined(account, MAPPING_FIELDS)}</NarrowNote>}
        </>
      ),
    },
    ...(mapNo === 0 ? [] : LAYOUTS).map((layout) => ({
      label: layout === 'generic' ? 'Code and name' : LAYOUT_LABELS[layout],
      isWideOnly: true,
      cell: ({ account }: JournalLine) => joined(account, NEEDED_FIELDS[layout]),
    })),
    {
      label: 'Debit USD',
      isFigure: true,
      cell: ({ debit_usd }) => debit_usd !== null && <Money amount={debit_usd} />,
      total: <Money amount={sumMoney(SAMPLE_LINES.map(({ debit_usd }) => debit_usd ?? '0.00'))} isStrong />,
    },
    {
      label: 'Credit USD',
      isFigure: true,
      cell: ({ credit_usd }) => credit_usd !== null && <Money amount={credit_usd} />,
      total: <Money amount={sumMoney(SAMPLE_LINES.map(({ credit_usd }) => credit_usd ?? '0.00'))} isStrong />,
    },
  ];
}
