'use client';

import { type KeyboardEvent, type ReactElement, startTransition, useEffect, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { requestSums } from '#app/_ui/data-table/row-source.ts';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Checkbox } from '#app/_ui/forms/choices.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { type FormResult, FormStatus, useFormResult } from '#app/_ui/forms/form-result.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import { HOLD_REASONS } from '#lib/payouts/rules/policy.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import { HOLD_REASON_TEXT, OUTCOME_TEXT } from '#lib/payouts/text.ts';
import styles from '../../_run/run.module.css';
import { excludeAction, findLinesAction, placeHoldAction } from './actions.ts';

/** Characters of a note. */
const NOTE_LENGTH_MAX = 500;

export interface SelectionFormProps {
  game: string;
  run: { runId: number; state: RunState };
  /** The selected lines. */
  chosen: readonly { recipientId: number }[];
  /** The selection has been dealt with. */
  onDone: (sentence: string) => void;
}

/** What the selected lines pay, as the server sums it; null: nothing is selected, or it isn’t known yet. */
export function usePayable(rowsHref: string, ids: (string | number)[]): string | null {
  const [known, setKnown] = useState({ ids: '', usd: '' });
  const wanted = ids.join();
  useEffect(() => {
    if (wanted === '') return;
    let isWanted = true;
    requestSums(rowsHref, 'due_usd', wanted.split(',')).then(
      ({ payable_usd: usd }) => {
        if (isWanted && usd !== undefined) setKnown({ ids: wanted, usd: formatUsd(normalizeMoney(usd)) });
      },
      // The number of selected lines is shown alone.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, rowsHref]);
  return known.ids === wanted && wanted !== '' ? known.usd : null;
}

const idsOf = (chosen: SelectionFormProps['chosen']): string => chosen.map(({ recipientId }) => recipientId).join(',');

/** The result of an action on the selection, which ends with it. */
function useSelectionResult(action: typeof placeHoldAction, onDone: (sentence: string) => void) {
  const [state, send] = useFormResult(async (before: FormResult, form) => {
    const result = await action(before, form);
    // A transition of its own: the sentence appears together with the new amounts, not before them.
    if (result.kind === 'done') startTransition(() => onDone(result.sentence));
    return result;
  });
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return { state, send, errors };
}

/** Holds the payments of the selected recipients; an amount or a period only of one. */
export function HoldForm({ game, run, chosen, onDone }: SelectionFormProps): ReactElement {
  const { state, send, errors } = useSelectionResult(placeHoldAction, onDone);
  return (
    <Form action={send} about={{ game, recipientIds: idsOf(chosen) }} isShort>
      {run.state === 'submitted' && <Hint>A hold returns the run to draft.</Hint>}
      {run.state === 'approved' && <Hint>This run is approved. The hold applies to the next one.</Hint>}
      <Field label="Reason" error={errors['reason']}>
        {(control) => (
          <select {...control} name="reason" defaultValue="dispute">
            {HOLD_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {HOLD_REASON_TEXT[reason]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NoteField error={errors['note']} />
      {chosen.length === 1 && (
        <>
          <Field label="Amount (USD)" hint="Leave empty to hold everything due." error={errors['amount']}>
            {(control) => <input {...control} name="amount" inputMode="decimal" autoComplete="off" maxLength={40} />}
          </Field>
          <Field label="Period ID" hint="Leave empty to hold the whole recipient." error={errors['periodId']}>
            {(control) => <input {...control} name="periodId" inputMode="numeric" autoComplete="off" maxLength={20} />}
          </Field>
        </>
      )}
      <Field label="Ends on" hint="At 00:00 UTC. Leave empty to hold until released." error={errors['expiresAt']}>
        {(control) => <input {...control} name="endsOn" type="date" />}
      </Field>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Placing hold…">
          Place hold
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}

/** Leaves the selected recipients out of the draft. */
export function ExcludeForm({ game, run, chosen, onDone }: SelectionFormProps): ReactElement {
  const { state, send, errors } = useSelectionResult(excludeAction, onDone);
  return (
    <Form action={send} about={{ game, runId: run.runId, recipientIds: idsOf(chosen) }} isShort>
      <NoteField error={errors['note']} label="Note on the exclusion" />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Excluding…">
          Exclude from this run
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}

function NoteField({ label = 'Note', error }: { label?: string; error: string | undefined }): ReactElement {
  return (
    <Field label={label} error={error}>
      {(control) => <textarea {...control} name="note" rows={2} maxLength={NOTE_LENGTH_MAX} />}
    </Field>
  );
}

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
  const sum = usePayable(`/${game}/lists/run-lines/rows?run=${run.runNo}`, [...selected.keys()]);
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
