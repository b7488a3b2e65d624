'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useMemo, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { useCode } from '#app/_ui/controls/use-code.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, Form, FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { FILE_BYTES_MAX } from '#lib/balances/rules/address-list.ts';
import { formatAddressError, formatAddressList } from '#lib/balances/text.ts';

/** A list of addresses: chosen or pasted, checked in the browser, and sent only when the button that names their number is pressed. */
export function ListForm({ game }: { game: string }): ReactElement {
  const router = useRouter();
  const [text, setText] = useState('');
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);

  const { code, hasFailed } = useCode(() => import('#lib/balances/rules/parse-addresses.ts'), bytes !== null);
  const read = useMemo(() => (code === null || bytes === null ? null : code.parseAddresses(bytes)), [code, bytes]);
  const list = read?.ok === true ? read.list : null;
  const refusal = read?.ok === false ? formatAddressError(read.error) : hasFailed && bytes !== null ? NOT_LOADED : null;

  async function choose(file: File | undefined): Promise<void> {
    setText('');
    setBytes(null);
    setError(null);
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX) setError(formatAddressError({ kind: 'too_large' }));
    else setBytes(new Uint8Array(await file.arrayBuffer()));
  }
  async function send(): Promise<void> {
    if (bytes === null) return;
    setIsSending(true);
    const answer = await sendList(game, bytes);
    if ('job' in answer) return router.push(`/${game}/balances/${answer.job}`);
    setIsSending(false);
    setError(answer.error);
  }

  return (
    <Form onContinue={() => (list === null ? setBytes(new TextEncoder().encode(text)) : void send())}>
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
              setBytes(null);
              setError(null);
            }}
          />
        )}
      </Field>
      <FieldError>{error ?? refusal}</FieldError>
      {list !== null && <Hint>{formatAddressList(list)} No request was sent to Invo yet.</Hint>}
      <FormButtons>
        {list === null ? (
          <Button kind="main" type="submit" isDisabled={text.trim() === ''}>
            Check the list
          </Button>
        ) : (
          <Button kind="main" type="submit" isDisabled={isSending}>
            {isSending ? 'Starting…' : `Read ${countNoun(list.addresses.length, 'balance')}`}
          </Button>
        )}
      </FormButtons>
    </Form>
  );
}

const NOT_LOADED = 'The list couldn’t be checked. Reload the page and try again. No request was sent to Invo.';

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
