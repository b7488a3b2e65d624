'use client';

import { type KeyboardEvent, type ReactElement, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { useSelectedSum } from '#app/_ui/data-table/use-selected-sum.ts';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Checkbox } from '#app/_ui/forms/field.tsx';
import { SubmitButton } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';
import styles from '../../_run/run.module.css';
import { findLinesAction } from './actions.ts';
import { ExcludeForm, HoldForm, PAYABLE } from './selection-forms.tsx';

type Lines = Exclude<Awaited<ReturnType<typeof findLinesAction>>, { kind: 'refused' }>;
type Line = Lines['rows'][number];

interface HoldFormsProps {
  game: string;
  run: { runId: number; runNo: number; state: RunState };
  /** The lines with the most money due. */
  first: Lines;
}

/** The lines with money due, and what a preparer does with those selected. A search doesn't change the selection. */
export function HoldForms({ game, run, first }: HoldFormsProps): ReactElement {
  const [selected, setSelected] = useState<ReadonlyMap<number, Line>>(new Map());
  const [found, setFound] = useState<Lines | null>(null);
  const [done, setDone] = useState('');
  const [isSearching, startSearch] = useTransition();
  const { rows, count } = found ?? first;
  const select = (lines: readonly Line[], isSelected: boolean): void => {
    const next = new Map(selected);
    for (const line of lines) {
      if (isSelected) next.set(line.recipientId, line);
      else next.delete(line.recipientId);
    }
    setSelected(next);
    setDone('');
  };
  const finish = (sentence: string): void => {
    setSelected(new Map());
    setFound(null);
    setDone(sentence);
  };
  const chosen = [...selected.values()];
  const sum = useSelectedSum(`/${game}/lists/run-lines/rows?run=${run.runNo}`, PAYABLE, [...selected.keys()]);
  const payable = chosen.length === 0 ? '$0.00' : sum;
  return (
    <TwoColumns>
      <section aria-label="Lines with money due">
        <div className={styles.bar}>
          <form
            role="search"
            className={styles.search}
            action={(form) => startSearch(async () => setFound(await findLines(game, run.runId, String(form.get('find')))))}
          >
            <input
              className={styles.searchBox}
              name="find"
              type="search"
              aria-label="Search name or player ID"
              placeholder="Search name or player ID"
              maxLength={200}
            />
            <SubmitButton kind="plain" pendingWord="Searching…">
              Search
            </SubmitButton>
          </form>
          <p aria-live="polite" className={styles.selection}>
            <strong>{chosen.length} selected</strong>
            {payable !== null && `, ${payable} payable`}
          </p>
          <Button kind="quiet" isDisabled={rows.length === 0} onPress={() => select(rows, true)}>
            Select all
          </Button>
          <Button kind="quiet" isDisabled={chosen.length === 0} onPress={() => setSelected(new Map())}>
            Clear
          </Button>
        </div>
        <div onKeyDown={moveFocus} aria-busy={isSearching}>
          <SimpleTable
            label="Lines"
            columns={columnsOf(selected, select)}
            rows={[...rows]}
            keyOf={({ recipientId }) => recipientId}
            isLong
          />
        </div>
        <TableNote>{formatShown(rows.length, count)} Amounts in USD. Press j and k to move between lines.</TableNote>
      </section>
      <Column isSticky>
        <Card title={chosen.length === 0 ? 'Holds' : `For ${countNoun(chosen.length, 'recipient')}`}>
          <p role="status" className={styles.hint}>
            {done === '' && chosen.length === 0 ? 'Select recipients to hold or exclude their payments.' : done}
          </p>
          {chosen.length > 0 && (
            <div className={styles.forms}>
              <HoldForm game={game} run={run} chosen={chosen} onDone={finish} />
              {run.state === 'draft' && <ExcludeForm game={game} run={run} chosen={chosen} onDone={finish} />}
            </div>
          )}
        </Card>
      </Column>
    </TwoColumns>
  );
}

function formatShown(shown: number, count: number): string {
  if (count === 0) return 'No lines with money due.';
  return shown < count
    ? `The ${shown} with the most due of ${countNoun(count, 'line')}. Search finds the others.`
    : `${countNoun(count, 'line')}.`;
}

/** Moves the focus between the checkboxes of the lines, by j and k. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'j' && event.key !== 'k') return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  const index = boxes.findIndex((box) => box === document.activeElement);
  boxes[index + (event.key === 'j' ? 1 : -1)]?.focus();
}

async function findLines(game: string, runId: number, text: string): Promise<Lines> {
  const found = await findLinesAction(game, runId, text);
  return 'kind' in found ? { rows: [], count: 0 } : found;
}

function columnsOf(
  selected: ReadonlyMap<number, Line>,
  select: (lines: readonly Line[], isSelected: boolean) => void,
): SimpleColumn<Line>[] {
  return [
    {
      label: 'Recipient',
      cell: (line) => (
        <Checkbox isChecked={selected.has(line.recipientId)} onCheck={(isChecked) => select([line], isChecked)}>
          <span className={styles.name}>
            {line.name === null ? 'Player' : showControls(line.name)} <span className={styles.quiet}>{line.recipientId}</span>
            <NarrowNote>{OUTCOME_TEXT[line.outcome]}</NarrowNote>
          </span>
        </Checkbox>
      ),
    },
    { label: 'Due', isFigure: true, isWideOnly: true, cell: ({ due_usd }) => <Money amount={due_usd} places={4} /> },
    { label: 'Payable', isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    { label: 'Outcome', isWideOnly: true, cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
  ];
}
