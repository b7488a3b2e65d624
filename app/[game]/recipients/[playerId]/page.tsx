import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { TrendChart } from '#app/_ui/charts/trend-chart.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { findRecipientHistory } from '#db/evidence/reads/recipients.ts';
import styles from './recipient.module.css';
import { RecipientFacts } from './recipient-facts.tsx';
import { RecipientLines } from './recipient-lines.tsx';
import { RecipientMonths } from './recipient-months.tsx';
import { trendOf } from './recipient-trend.ts';

interface RecipientPageProps {
  params: Promise<{ game: string; playerId: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipient' };

export default async function RecipientPage({ params, searchParams }: RecipientPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, playerId } = await params;
  const game = await requireGame(slug);
  if (!/^\d{1,15}$/.test(playerId)) notFound();
  const history = (await findRecipientHistory(db(), game, Number(playerId), person.may('emails.read'))) ?? notFound();
  const search = await searchParams;
  const month = history.months.find((each) => each.month === search.month) ?? history.months[0];
  const name = history.name === null || history.name.trim() === '' ? `Player ${playerId}` : showControls(history.name);
  return (
    <div className={styles.page}>
      <PageHead title={name} beside={history.resolved === false && <Status tone="bad" word="Not found at Invo" />}>
        {`Player ${playerId} of ${game.name}. Totals are of complete months only.`}
      </PageHead>
      <div className={styles.top}>
        <RecipientFacts history={history} />
        <Card title="Attributed month by month">
          <TrendChart months={trendOf(slug, history)} timeZone={game.timeZone} />
        </Card>
      </div>
      <RecipientMonths slug={slug} history={history} chosen={month?.month} />
      {month && (
        <RecipientLines
          game={game}
          playerId={Number(playerId)}
          month={month.month}
          searchParams={searchParams}
          mayExport={person.may('files.export')}
        />
      )}
    </div>
  );
}
