import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';
import { listFields } from './list-fields.ts';

/** Every field Invo gave of the period, as it came, folded away: what nobody needs daily is still to be had. */
export function WholeLine({ answer, canSeeEmails }: { answer: PeriodAnswer; canSeeEmails: boolean }): ReactElement {
  const fields = listFields(answer, canSeeEmails);
  return (
    <section>
      <h2>The whole line</h2>
      <details className={detail.folded}>
        <summary>{fields.length} fields, each as Invo gave it</summary>
        <TableFrame label="The whole line">
          <thead>
            <tr>
              <th scope="col">Invo’s field</th>
              <th scope="col">As it came</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{value === null ? <span className={detail.missing}>not recorded</span> : <bdi>{showControls(value)}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </details>
    </section>
  );
}
