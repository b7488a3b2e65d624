'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, Form, FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { type AddressList, FILE_BYTES_MAX, parseAddresses } from '#lib/balances/rules/parse-addresses.ts';
import { formatAddressError, formatAddressList } from '#lib/balances/text.ts';

interface Checked {
  bytes: Uint8Array<ArrayBuffer>;
  list: AddressList;
}

/** A list of addresses: chosen or pasted, checked in the browser, and sent only when the button that names their number is pressed. */
export function ListForm({ game }: { game: string }): ReactElement {
  const router = useRouter();
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);

  function check(bytes: Uint8Array<ArrayBuffer>): void {
    const read = parseAddresses(bytes);
    setChecked(read.ok ? { bytes, list: read.list } : null);
    setError(read.ok ? null : formatAddressError(read.error));
  }
  async function choose(file: File | undefined): Promise<void> {
    setText('');
    setChecked(null);
    setError(null);
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX) setError(formatAddressError({ kind: 'too_large' }));
    else check(new Uint8Array(await file.arrayBuffer()));
  }
  async function send({ bytes }: Checked): Promise<void> {
    setIsSending(true);
    const answer = await sendList(game, bytes);
    if ('job' in answer) return router.push(`/${game}/balances/${answer.job}`);
    setIsSending(false);
    setError(answer.error);
  }

  return (
    <Form onContinue={() => (checked === null ? check(new TextEncoder().encode(text)) : void send(checked))}>
      <Field
        label="CSV file"
        hint="UTF-8, at most 100,000 emails, one per line. In the column player_email or email, or else the first one; other columns need a heading when they hold emails."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      <Field label="Or paste emails" hint="One per line.">
        {(control) => (
          <textarea
            {...control}
            rows={4}
            value={text}
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value);
              setChecked(null);
              setError(null);
            }}
          />
        )}
      </Field>
      <FieldError>{error}</FieldError>
      {checked !== null && <Hint>{formatAddressList(checked.list)} No request was sent to Invo yet.</Hint>}
      <FormButtons>
        {checked === null ? (
          <Button kind="main" type="submit" isDisabled={text.trim() === ''}>
            Check the list
          </Button>
        ) : (
          <Button kind="main" type="submit" isDisabled={isSending}>
            {isSending ? 'Starting…' : `Read ${countNoun(checked.list.addresses.length, 'balance')}`}
          </Button>
        )}
      </FormButtons>
    </Form>
  );
}

async function sendList(game: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ job: number } | { error: string }> {
  try {
    const response = await fetch(`/${game}/balances/list`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: bytes });
    const answer: unknown = await response.json();
    if (typeof answer === 'object' && answer !== null) {
      if ('job' in answer && typeof answer.job === 'number') return { job: answer.job };
      if ('error' in answer && typeof answer.error === 'string') return { error: answer.error };
    }
  } catch {
    // Said below.
  }
  return { error: 'We couldn’t confirm whether this was started. Reload the page and check before you try again.' };
}
