import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { Tone } from '#lib/core/strings.ts';
import {
  COVERED_ROUTES,
  type CoveredRoute,
  FAMILY_LABELS,
  formatCoverage,
  formatRoute,
  type RouteUse,
  USE_LABELS,
} from '#lib/invo/rules/covered-routes.ts';
import styles from '../settings.module.css';

export const metadata: Metadata = { title: 'Covered routes' };

const USE_TONES: Record<RouteUse, Tone> = { read: 'good', write: 'good', received: 'good', not_used: 'quiet' };

const COLUMNS: SimpleColumn<CoveredRoute>[] = [
  {
    label: 'Route',
    cell: (route) => (
      <>
        <code className={styles.route}>{formatRoute(route)}</code>
        <NarrowNote>{route.note}</NarrowNote>
      </>
    ),
  },
  { label: 'Use', cell: ({ use }) => <Status tone={USE_TONES[use]} word={USE_LABELS[use]} /> },
  { label: 'Document', isFigure: true, isWideOnly: true, cell: (route) => route.document },
  { label: 'Purpose, or why it isn’t used', isWideOnly: true, cell: ({ note }) => <span className={styles.note}>{note}</span> },
];

export default async function CoveredPage(): Promise<ReactElement> {
  await requirePerson('figures.read');
  return (
    <>
      <PageHead title="Covered routes" actions={<LinkButton href="/settings">Settings</LinkButton>}>
        {formatCoverage(COVERED_ROUTES)}
      </PageHead>
      {Object.entries(FAMILY_LABELS).map(([family, label]) => (
        <section key={family} aria-labelledby={family} className={styles.family}>
          <h2 id={family}>{label}</h2>
          <SimpleTable
            label={`Routes: ${label}`}
            columns={COLUMNS}
            rows={COVERED_ROUTES.filter((route) => route.family === family)}
            keyOf={formatRoute}
          />
        </section>
      ))}
    </>
  );
}
