import { Fragment, type ReactElement } from 'react';

/** One of Invo's field names, which breaks between its words only. */
export function FieldName({ name }: { name: string }): ReactElement {
  return (
    <>
      {name.split(/(?<=[_.])/).map((word, at) => (
        <Fragment key={`${at} ${word}`}>
          {at > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
