import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { type AuditRow, listAudit } from '#lib/audit/reads.ts';
import { formatActor } from '#lib/audit/rules/format-facts.ts';
import { type AuditText, formatAuditEntry } from '#lib/audit/text.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { isFiltered, parseAuditFilter } from '#lib/people/rules/audit-filter.ts';
import { listGames } from '../_server/game.ts';
import { db } from '../_server/server-context.ts';
import { requirePerson } from '../_server/session.ts';
import { Button, LinkButton } from '../_ui/controls/button.tsx';
import { formatInstantsIn, showControls } from '../_ui/figures/format.ts';
import { Instant } from '../_ui/figures/instant.tsx';
import { Field } from '../_ui/forms/field.tsx';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '../_ui/layout/simple-table.tsx';
import { EmptyState } from '../_ui/words/empty-state.tsx';
import styles from './audit.module.css';

export const metadata: Metadata = { title: 'Audit' };

const ROWS_PER_PAGE = 100;

/** The filter as the address has it, and the number below which the page begins. */
type Given = Readonly<Record<string, string | string[] | undefined>>;

export default async function AuditPage({ searchParams }: { searchParams: Promise<Given> }): Promise<ReactElement> {
  const person = await requirePerson('audit.read');
  const [given, games] = await Promise.all([searchParams, listGames()]);
  const filter = parseAuditFilter(given, games);
  const before = typeof given['before'] === 'string' ? parseNumericId(given['before']) : null;
  const page = await listAudit(db(), filter, { before, limit: ROWS_PER_PAGE });
  const address = (changed: Record<string, string>): string => {
    const params = Object.entries(given).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '' && entry[0] !== 'before',
    );
    return new URLSearchParams([...params, ...Object.entries(changed)]).toString();
  };
  return (
    <>
      <PageHead
        title="Audit"
        actions={
          person.may('files.export') && (
            <LinkButton href={`/audit/export?${address({})}`} isFile>
              Export these entries
            </LinkButton>
          )
        }
      >
        Who did what, newest first. Entries are never changed or removed.
      </PageHead>
      <Filters given={given} games={games} isActive={isFiltered(filter)} />
      {page.rows.length === 0 ? (
        <EmptyState title={isFiltered(filter) || before !== null ? 'No matching entries' : 'No entries yet'}>
          {isFiltered(filter) && 'Change or clear the filter.'}
        </EmptyState>
      ) : (
        <SimpleTable label="Audit entries" rows={page.rows.map(showRow)} keyOf={({ auditId }) => auditId} columns={COLUMNS} isLong />
      )}
      <div className={styles.pages}>
        {before !== null && <LinkButton href={`/audit?${address({})}`}>Newest entries</LinkButton>}
        {page.before !== null && <LinkButton href={`/audit?${address({ before: String(page.before) })}`}>Older entries</LinkButton>}
      </div>
    </>
  );
}

interface FiltersProps {
  given: Given;
  games: { slug: string; name: string; environment: string }[];
  isActive: boolean;
}

/** The filter, as a form whose address is the view. */
function Filters({ given, games, isActive }: FiltersProps): ReactElement {
  const valueOf = (name: string): string => (typeof given[name] === 'string' ? given[name] : '');
  return (
    <form action="/audit" role="search" aria-label="Filter entries" className={styles.filters} data-print="no">
      <Field label="Person">{(control) => <input {...control} name="actor" defaultValue={valueOf('actor')} maxLength={200} />}</Field>
      <Field label="Action">{(control) => <input {...control} name="act" defaultValue={valueOf('act')} maxLength={200} />}</Field>
      <Field label="Subject">{(control) => <input {...control} name="subject" defaultValue={valueOf('subject')} maxLength={200} />}</Field>
      {games.length > 1 && (
        <Field label="Game">
          {(control) => (
            <select {...control} name="game" defaultValue={valueOf('game')}>
              <option value="">All</option>
              {games.map(({ slug, name, environment }) => (
                <option key={slug} value={slug}>
                  {environment === 'sandbox' ? `${name}, sandbox` : name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="From (UTC)">{(control) => <input {...control} type="date" name="from" defaultValue={valueOf('from')} />}</Field>
      <Field label="To (UTC)">{(control) => <input {...control} type="date" name="to" defaultValue={valueOf('to')} />}</Field>
      <div className={styles.buttons}>
        <Button kind="main" type="submit">
          Filter
        </Button>
        {isActive && <LinkButton href="/audit">Clear</LinkButton>}
      </div>
    </form>
  );
}

const COLUMNS: SimpleColumn<ShownRow>[] = [
  { label: 'Time', width: 170, isWideOnly: true, cell: ({ at }) => <Instant at={at} /> },
  {
    label: 'Person',
    width: 200,
    cell: ({ at, actor, act, about, facts }) => (
      <>
        <span className={styles.words}>{actor}</span>
        <NarrowNote>
          <Instant at={at} />
        </NarrowNote>
        <NarrowNote>
          {act}: {about}
        </NarrowNote>
        <NarrowNote>
          <Facts facts={facts} />
        </NarrowNote>
      </>
    ),
  },
  { label: 'Action', width: 210, isWideOnly: true, cell: ({ act }) => <span className={styles.words}>{act}</span> },
  { label: 'Subject', width: 210, isWideOnly: true, cell: ({ about }) => <span className={styles.words}>{about}</span> },
  { label: 'Detail', isWideOnly: true, cell: ({ facts }) => <Facts facts={facts} /> },
];

interface ShownRow extends Pick<AuditRow, 'auditId' | 'at' | 'actor'>, Pick<AuditText, 'act' | 'facts'> {
  /** What it was done to, and its game. */
  about: string;
}

/** An entry in words. Texts of people can have control characters in them. */
function showRow({ auditId, at, actor, game, ...entry }: AuditRow): ShownRow {
  const { act, subject, facts } = formatAuditEntry(entry);
  const where = game === null ? '' : ` (${game.slug}${game.environment === 'sandbox' ? ', sandbox' : ''})`;
  return {
    auditId,
    at,
    actor: showControls(formatActor(actor)),
    act: showControls(act),
    // A window by its days; midnight goes without saying.
    about: `${showControls(subject).replaceAll('T00:00:00Z', '')}${where}`,
    facts: facts.map((fact) => formatInstantsIn(showControls(fact))),
  };
}

function Facts({ facts }: Pick<ShownRow, 'facts'>): ReactElement {
  return (
    <span className={styles.detail}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  );
}
