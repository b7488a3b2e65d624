import type { ReactElement } from 'react';

export type About = Readonly<Record<string, string | number>>;

/** What a form is about, by name: sent with it and not shown. */
export function SentAlong({ about }: { about: About }): ReactElement {
  return (
    <>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
