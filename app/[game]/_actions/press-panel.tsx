'use client';

import type { ReactElement } from 'react';
import { TextField } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import type { Entering } from '#lib/actions/rules/protocol.ts';
import { pressActionAction } from './actions.ts';
import { OneTimeBox } from './one-time-box.tsx';

/** What goes to Invo and nowhere else. */
type Secret = Exclude<Entering, 'phone' | 'held_phone'>;

/** What is entered at a press. */
const ENTERED_TEXT: Readonly<Record<Secret, string>> = {
  card_token: 'Card token',
  card_token_or_none: 'Card token, if one was entered',
  claim_code: 'Claim code',
};

const UNSTORED = 'It goes to Invo and is stored nowhere.';
/** The hint of each. */
const HINTS: Readonly<Record<Secret, string>> = {
  card_token: `Exactly as before. ${UNSTORED}`,
  card_token_or_none: `Exactly as before. ${UNSTORED}`,
  claim_code: `The code that the sender was shown. ${UNSTORED}`,
};

/** What to enter in a field: of a phone whose it is, and how it ends. */
function fieldOf(enters: Entering, { label, end }: { label: string; end: string | null }): { label: string; hint: string } {
  if (enters !== 'phone' && enters !== 'held_phone') return { label: ENTERED_TEXT[enters], hint: HINTS[enters] };
  const number = end === null ? 'The number as it was requested' : `The number that ends in ${end}, as it was requested`;
  return { label, hint: `${number}: Sharebook stores only its end.` };
}

interface PressPanelProps {
  slug: string;
  actionId: number;
  /** null: there is nothing to press. */
  button: {
    label: string;
    pending: string;
    isAgain: boolean;
    enters: Entering | null;
    phone: { label: string; end: string | null };
  } | null;
}

/** The one button that sends an action, and what its answer passes. It stays where it is while the page is drawn again, so that nothing passed is lost. */
export function PressPanel({ slug, actionId, button }: PressPanelProps): ReactElement {
  const [result, send] = useFormResult(pressActionAction);
  return (
    <>
      {result.kind === 'passed' && <OneTimeBox passed={result.passed} />}
      {button !== null && result.kind !== 'passed' && (
        <Form action={send} about={{ game: slug, actionId }} isShort isEmptied={button.enters !== 'phone'}>
          {button.enters !== null && (
            <TextField
              autoComplete="off"
              isOptional={button.enters === 'card_token_or_none'}
              name="entered"
              {...fieldOf(button.enters, button.phone)}
              lengthMax={255}
            />
          )}
          {button.enters === 'claim_code' && button.phone.end !== null && (
            <>
              <TextField autoComplete="off" name="phone" {...fieldOf('phone', button.phone)} lengthMax={40} />
              <TextField autoComplete="off" name="phoneAgain" label={`${button.phone.label} again`} lengthMax={40} />
            </>
          )}
          <FormButtons>
            <SubmitButton kind={button.isAgain ? 'plain' : 'main'} pendingWord={button.pending}>
              {button.label}
            </SubmitButton>
          </FormButtons>
          <FormStatus result={result} />
        </Form>
      )}
    </>
  );
}
