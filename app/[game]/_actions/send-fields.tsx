'use client';

import { type ReactElement, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldError, FormButtons } from '#app/_ui/forms/form.tsx';
import { parsePhone } from '#lib/actions/rules/typed-entries.ts';
import { formatMoney } from '#lib/core/money.ts';
import { Line } from './entry-line.tsx';
import { type HouseChoice, PHONE_HINT, phoneError, type Typed } from './entry-text.ts';
import { listDestinationsAction } from './phone-actions.ts';

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

/** From which account, to which number, and into which game: Invo lists the games of an email and a number together. */
export function SendFields({ slug, playerId, houses, typed, errors, onType }: SendFieldsProps): ReactElement {
  const whose = houses === null ? 'Player’s' : 'Receiver’s';
  const phone = parsePhone(typed['entered'] ?? '');
  const [found, setFound] = useState<{ phone: string; games: { id: string; label: string }[]; sentence: string | null } | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [isPending, startTransition] = useTransition();
  // What was found is of that number: another number has other games.
  const current = found?.phone === phone ? found : null;
  const games = current?.games ?? [];
  const choose = (game: { id: string; label: string } | undefined): void => {
    onType('gameId', game?.id ?? '');
    onType('gameName', game?.label ?? '');
  };
  const lookUp = (): void => {
    setAsked(true);
    if (phone === null) return;
    startTransition(async () => {
      const answer = await listDestinationsAction(slug, playerId, phone, houses === null ? 'transfer_start' : 'send_start');
      const isFound = answer.kind === 'games';
      setFound({ phone, games: isFound ? answer.games : [], sentence: isFound ? null : answer.sentence });
      choose(isFound ? answer.games[0] : undefined);
    });
  };
  return (
    <>
      {houses !== null && (
        <Field label="From" hint={hintOf(houses, typed)} error={errors['house']}>
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
      <Line
        name="entered"
        type="tel"
        label={`${whose} phone`}
        hint={PHONE_HINT}
        typed={typed}
        errors={isAsked ? { ...errors, ...withoutNull(phoneError(typed)) } : errors}
        onType={(name, text) => {
          onType(name, text);
          if (parsePhone(text) !== phone) choose(undefined);
        }}
      />
      <Line
        name="phoneAgain"
        type="tel"
        label={`${whose} phone again`}
        hint={
          houses === null
            ? 'This phone approves and collects. Only its end is stored, and the whole number encrypted while the phone’s owner decides.'
            : 'Only this number can collect. Only its end is stored, and the whole number encrypted while the phone’s owner decides.'
        }
        typed={typed}
        errors={errors}
        onType={onType}
      />
      <FormButtons>
        <Button onPress={lookUp} isDisabled={isPending}>
          {isPending ? 'Looking up at Invo…' : 'Look up games'}
        </Button>
      </FormButtons>
      <FieldError>{current?.sentence ?? null}</FieldError>
      <Field label="Game" hint="Where this email and this number play. A wrong number finds none." error={errors['gameId']}>
        {(control) => (
          <select
            {...control}
            name="gameId"
            value={typed['gameId'] ?? ''}
            onChange={(event) => choose(games.find(({ id }) => id === event.target.value))}
          >
            <option value="">{current === null ? 'Look up games first' : games.length === 0 ? 'None found' : 'Choose…'}</option>
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

function withoutNull(entered: string | null): Record<string, string> {
  return entered === null ? {} : { entered };
}

/** What is left to the chosen account of a day, where it isn’t whole. */
function hintOf(houses: readonly HouseChoice[], typed: Typed): string {
  const left = houses.find(({ playerId }) => String(playerId) === typed['house'])?.coinsLeft ?? null;
  const phone = 'The account’s own phone approves.';
  return left === null ? phone : `${phone} It can send ${formatMoney(left)} more within 24 hours.`;
}
