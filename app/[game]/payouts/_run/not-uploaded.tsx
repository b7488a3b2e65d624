import type { ReactElement } from 'react';
import { Checkbox } from '#app/_ui/forms/field.tsx';

/**
 * What a person states before payment files are cancelled or their run is voided, as `notUploaded` of the form: a file that was uploaded is paid, whatever is recorded, and
 * its payments would be paid again. `what`: “this file”.
 */
export function NotUploaded({ what }: { what: string }): ReactElement {
  return (
    <Checkbox name="notUploaded" value="yes" isRequired>
      I asked everyone who prepares payouts: nobody uploaded {what}.
    </Checkbox>
  );
}
