'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, Form, FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { FILE_BYTES_MAX, type ImportAnswer, type ImportPreviewRow } from '#lib/payees/rules/import-file.ts';
import { CHANGE_TEXT, formatFileError } from '#lib/payees/text.ts';
import { useFileRoute } from '../_run/use-file-route.ts';

/** Imports payment details from a CSV file: checked first, with what each row changes, then proposed as one set for a second person. */
export function ImportForm({ game }: { game: string }): ReactElement {
  const router = useRouter();
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const [reason, setReason] = useState('');
  const { send, drop, isSending } = useFileRoute<ImportAnswer>(`/${game}/payouts/payees/import`, ANSWERS);
  const [error, setError] = useState<string | null>(null);
  const preview = answer?.kind === 'checked' ? answer : null;
  const count = preview === null ? 0 : preview.counts.new + preview.counts.changed + preview.counts.identity;

  async function choose(file: File | undefined): Promise<void> {
    drop();
    setBytes(null);
    setAnswer(null);
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX) return setAnswer({ kind: 'refused', sentence: formatFileError({ kind: 'too_large' }) });
    const read = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
    const checked = await send({ bytes: read, isCheck: true });
    if (checked === null) return;
    setBytes(checked.kind === 'checked' ? await read : null);
    setAnswer(checked);
  }
  async function propose(): Promise<void> {
    if (bytes === null || preview === null) return;
    const headers = { 'sharebook-shown': preview.shown, 'sharebook-reason': encodeURIComponent(reason) };
    const proposed = await send({ bytes, headers, isCheck: false });
    if (proposed === null) return;
    // What was checked stays, so that a missing reason can be entered; what has changed since is shown.
    const isRefused = proposed.kind === 'refused' || proposed.kind === 'changed';
    setError(isRefused ? proposed.sentence : null);
    if (proposed.kind === 'changed') setAnswer(await send({ bytes, isCheck: true }));
    else setAnswer(isRefused ? { ...preview } : proposed);
    if (proposed.kind === 'proposed') router.refresh();
  }

  return (
    <Form onContinue={() => void propose()}>
      <Field
        label="CSV file"
        hint="UTF-8 with a header: recipient_player_id, method, and the columns that your methods need, such as email, iban or holder_name. At most 100,000 rows, one per recipient."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            disabled={isSending && preview !== null}
            accept=".csv,.txt,text/csv,text/plain"
            onChange={(event) => {
              setError(null);
              void choose(event.target.files?.[0]);
            }}
          />
        )}
      </Field>
      <FieldError>{error ?? (answer?.kind === 'refused' ? answer.sentence : null)}</FieldError>
      {answer?.kind === 'rows' && (
        <div role="alert">
          <Hint>
            {countNoun(answer.count, 'row')} can’t be imported. Nothing was saved.
            {answer.sentences.length < answer.count && ` The first ${answer.sentences.length}:`}
          </Hint>
          <ul>
            {answer.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {answer?.kind === 'proposed' && (
        <p role="status">{countNoun(answer.count, 'recipient')} proposed. They change nothing until a second person confirms them.</p>
      )}
      {preview !== null && (
        <>
          <Hint>
            {countNoun(count, 'change')}, {countNoun(preview.counts.unchanged, 'row')} without a change.
            {preview.rows.length < count && ` The first ${preview.rows.length}:`}
          </Hint>
          {preview.rows.length > 0 && (
            <SimpleTable
              label="What the file changes"
              columns={COLUMNS}
              rows={preview.rows}
              keyOf={({ recipientId }) => recipientId}
              isLong
            />
          )}
          {count > 0 && (
            <Field label="Reason" hint="How you know them, for the person who confirms.">
              {(control) => (
                <textarea {...control} rows={2} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
              )}
            </Field>
          )}
        </>
      )}
      {count > 0 && (
        <FormButtons>
          <Button kind="main" type="submit" isDisabled={isSending}>
            {isSending ? 'Proposing…' : `Propose ${countNoun(count, 'change')}`}
          </Button>
        </FormButtons>
      )}
      {isSending && preview === null && <Hint>Checking the file…</Hint>}
    </Form>
  );
}

const ANSWERS = { checked: true, proposed: true, rows: true, refused: true, changed: true } as const;

const COLUMNS: SimpleColumn<ImportPreviewRow>[] = [
  { label: 'Player', width: 84, cell: ({ recipientId }) => recipientId },
  { label: 'Change', width: 84, cell: ({ change }) => CHANGE_TEXT[change] },
  { label: 'In force', isWideOnly: true, cell: ({ before }) => before ?? 'None' },
  { label: 'Proposed', cell: ({ after }) => after },
];
