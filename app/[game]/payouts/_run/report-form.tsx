'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, Form, FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { PreviewedRow, ReportAnswer } from '#lib/payments/rules/report-answer.ts';
import { DATE_ORDERS } from '#lib/payments/rules/report-row.ts';
import { formatListed, REPORT_KIND_TEXT } from '#lib/payments/text.ts';
import styles from './run.module.css';
import { useFileRoute } from './use-file-route.ts';

/** A report as it was chosen or pasted. */
interface Given {
  bytes: Promise<Uint8Array<ArrayBuffer>>;
  /** Empty: pasted. */
  fileName: string;
}

/** Records a report of a bank or a provider: a file or pasted lines, checked first, with the rows that confirm nothing. */
export function ReportForm({ game }: { game: string }): ReactElement {
  const router = useRouter();
  const [given, setGiven] = useState<Given | null>(null);
  const [pasted, setPasted] = useState('');
  const [dateOrder, setDateOrder] = useState('');
  const [answer, setAnswer] = useState<ReportAnswer | null>(null);
  const { send, isSending } = useFileRoute<ReportAnswer>(`/${game}/payouts/reports/import`, ANSWERS);

  async function post({ bytes, fileName }: Given, order: string, act: 'check' | 'record'): Promise<ReportAnswer | null> {
    const headers = { 'sharebook-act': act, 'sharebook-file-name': encodeURIComponent(fileName), 'sharebook-date-order': order };
    return await send({ bytes, headers, isCheck: act === 'check' });
  }
  async function check(next: Given, order = ''): Promise<void> {
    setGiven(next);
    setDateOrder(order);
    setAnswer(null);
    const checked = await post(next, order, 'check');
    if (checked !== null) setAnswer(checked);
  }
  async function record(): Promise<void> {
    if (given === null) return;
    const recorded = await post(given, dateOrder, 'record');
    if (recorded !== null) setAnswer(recorded);
    if (recorded?.kind === 'recorded') router.refresh();
  }
  const isRecording = isSending && answer !== null;
  const preview = answer?.kind === 'checked' ? answer : null;
  return (
    <Form onContinue={() => void record()}>
      <div className={styles.reportFields}>
        <Field
          label="Report"
          hint="Choose it or drop it here: PayPal activity (CSV) or batch details (JSON), a Wise statement, camt.053, camt.054, pain.002, NACHA returns, or a CSV with payment references."
        >
          {(control) => (
            <input
              {...control}
              type="file"
              disabled={isRecording}
              onChange={({ target }) => {
                const file = target.files?.[0];
                if (file === undefined) return;
                void check({ bytes: file.arrayBuffer().then((read) => new Uint8Array(read)), fileName: file.name });
              }}
            />
          )}
        </Field>
        <Field label="Or paste lines" hint="Lines of a statement that have payment references, statuses, amounts and dates.">
          {(control) => (
            <textarea {...control} rows={4} value={pasted} spellCheck={false} onChange={({ target }) => setPasted(target.value)} />
          )}
        </Field>
      </div>
      {pasted.trim() !== '' && (
        <FormButtons>
          <Button
            isDisabled={isRecording}
            onPress={() => void check({ bytes: Promise.resolve(new TextEncoder().encode(pasted)), fileName: '' })}
          >
            Check pasted lines
          </Button>
        </FormButtons>
      )}
      {(answer?.kind === 'date_order' || dateOrder !== '') && given !== null && (
        <Field label="Which number of its dates is the day?">
          {(control) => (
            <select {...control} value={dateOrder} disabled={isRecording} onChange={({ target }) => void check(given, target.value)}>
              <option value="">Choose</option>
              {DATE_ORDERS.map((order) => (
                <option key={order} value={order}>
                  {order === 'day_first' ? 'The first: 5/11 is 5 November' : 'The second: 5/11 is 11 May'}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <FieldError>{answer?.kind === 'refused' || answer?.kind === 'date_order' ? answer.sentence : null}</FieldError>
      {isSending && preview === null && <Hint>Reading the report…</Hint>}
      {answer?.kind === 'recorded' && (
        <p role="status">
          Recorded as <Link href={`/${game}/payouts/reports/${answer.reportNo}`}>report {answer.reportNo}</Link>. {answer.sentence}
          {answer.openCount > 0 && ` ${countNoun(answer.openCount, 'row')} left to decide.`}
        </p>
      )}
      {preview !== null && (
        <>
          <p role="status">
            <strong>{preview.result}</strong> {REPORT_KIND_TEXT[preview.layout]}.
            {preview.recordedAs !== null && ` Recorded already as report ${preview.recordedAs}: recording it again changes nothing.`}
          </p>
          {preview.listed.length > 0 && (
            <>
              <Hint>
                These rows confirm nothing until you decide them.
                {preview.listed.length < preview.listedCount && ` The first ${preview.listed.length} of ${preview.listedCount}:`}
              </Hint>
              <SimpleTable
                label="Rows that confirm nothing"
                columns={COLUMNS}
                rows={preview.listed}
                keyOf={({ rowNo, problem }) => `${rowNo} ${problem}`}
                isLong
              />
            </>
          )}
          <FormButtons>
            <Button kind="main" type="submit" isDisabled={isSending}>
              {isSending ? 'Recording…' : 'Record report'}
            </Button>
          </FormButtons>
        </>
      )}
    </Form>
  );
}

const ANSWERS = { checked: true, recorded: true, date_order: true, refused: true } as const;

const COLUMNS: SimpleColumn<PreviewedRow>[] = [
  {
    label: 'Row',
    cell: (row) => (
      <span title={row.text}>
        {row.rowNo}: {formatListed(row)}
      </span>
    ),
  },
  { label: 'Payment', isWideOnly: true, cell: ({ reference }) => reference ?? 'None' },
  {
    label: 'Amount',
    isFigure: true,
    cell: ({ amount, currency }) => (amount === null ? '' : `${formatMoney(amount)} ${currency ?? ''}`),
  },
];
