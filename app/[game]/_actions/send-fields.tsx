'use client';

import { type ReactElement, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, FormButtons } from '#app/_ui/forms/form.tsx';
import { parsePhone } from '#lib/actions/rules/phone.ts';
import { listDestinationsAction } from './phone-actions.ts';

/** What was typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>;

/** A house account that coins are sent from. */
export interface HouseChoice {
  playerId: number;
  label: string;
}

interface SendFieldsProps {
  slug: string;
  /** Who receives, or moves their own coins. */
  playerId: number;
  /** What coins are sent from; null: the player moves their own. */
  houses: readonly HouseChoice[] | null;
  typed: Typed;
  errors: Readonly<Record<string, string>>;
  onType: (name: string, text: string) => void;
}

/** What is wrong with what was typed for a send, or for a transfer, which has no house account. */
export function findSendErrors(typed: Typed, isTransfer: boolean): Record<string, string> {
  const phone = parsePhone(typed['entered'] ?? '');
  return {
    ...(!isTransfer && (typed['house'] ?? '') === '' ? { house: 'Choose a house account.' } : {}),
    ...(phone === null ? { entered: 'Enter the number with its country code: a plus, then 10 to 15 digits.' } : {}),
    ...(phone !== null && parsePhone(typed['phoneAgain'] ?? '') !== phone ? { phoneAgain: 'This isn’t the same number as above.' } : {}),
    ...((typed['gameId'] ?? '') === '' ? { gameId: 'Look up the games, then choose one.' } : {}),
  };
}

/** From which account, to which number, and into which game: Invo lists the games of an email and a number together. */
export function SendFields({ slug, playerId, houses, typed, errors, onType }: SendFieldsProps): ReactElement {
  const whose = houses === null ? 'Player’s' : 'Receiver’s';
  const [games, setGames] = useState<{ id: string; label: string }[]>([]);
  const [sentence, setSentence] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const lookUp = (): void =>
    startTransition(async () => {
      const found = await listDestinationsAction(slug, playerId, typed['entered'] ?? '', houses === null ? 'transfer_start' : 'send_start');
      setGames(found.kind === 'games' ? found.games : []);
      setSentence(found.kind === 'games' ? null : found.sentence);
      onType('gameId', found.kind === 'games' ? (found.games[0]?.id ?? '') : '');
    });
  return (
    <>
      {houses !== null && (
        <Field label="From" hint="The account’s own phone approves." error={errors['house']}>
          {(control) => (
            <select {...control} name="house" value={typed['house'] ?? ''} onChange={(event) => onType('house', event.target.value)}>
              <option value="">Choose…</option>
              {houses.map((house) => (
                <option key={house.playerId} value={house.playerId}>
                  {house.label} (player {house.playerId})
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <PhoneLine
        name="entered"
        label={`${whose} phone`}
        hint="With country code, such as +49 151 12345678."
        typed={typed}
        errors={errors}
        onType={onType}
      />
      <PhoneLine
        name="phoneAgain"
        label={`${whose} phone again`}
        hint={
          houses === null
            ? 'This phone approves and collects. Its last two digits are stored; all of it, sealed, while an owner of the phone decides.'
            : 'Only this number can collect. Its last two digits are stored; all of it, sealed, while an owner of the phone decides.'
        }
        typed={typed}
        errors={errors}
        onType={onType}
      />
      <FormButtons>
        <Button onPress={lookUp} isDisabled={isPending || parsePhone(typed['entered'] ?? '') === null}>
          {isPending ? 'Looking up at Invo…' : 'Look up games'}
        </Button>
      </FormButtons>
      <FieldError>{sentence}</FieldError>
      <Field label="Game" hint="Where this email and this number play. A wrong number finds none." error={errors['gameId']}>
        {(control) => (
          <select {...control} name="gameId" value={typed['gameId'] ?? ''} onChange={(event) => onType('gameId', event.target.value)}>
            <option value="">{games.length === 0 ? 'Look up games first' : 'Choose…'}</option>
            {games.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

function PhoneLine({
  name,
  label,
  hint,
  typed,
  errors,
  onType,
}: Pick<SendFieldsProps, 'typed' | 'errors' | 'onType'> & { name: string; label: string; hint: string }): ReactElement {
  return (
    <Field label={label} hint={hint} error={errors[name]}>
      {(control) => (
        <input
          {...control}
          name={name}
          type="tel"
          autoComplete="off"
          maxLength={40}
          value={typed[name] ?? ''}
          onChange={(event) => onType(name, event.target.value)}
        />
      )}
    </Field>
  );
}
