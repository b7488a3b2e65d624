import type { ReactElement } from 'react';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { sayCard } from '#app/[game]/_subscriptions/say-card.ts';
import type { PlayerDetail } from '#lib/players/read-player-detail.ts';

/** The saved cards, newest first; Invo leaves expired ones out. */
export function PlayerCardsCard({ cards }: { cards: Extract<PlayerDetail, { kind: 'player' }>['cards'] }): ReactElement {
  return (
    <section>
      <h2>Saved cards</h2>
      <Cards cards={cards} />
    </section>
  );
}

function Cards({ cards }: { cards: Extract<PlayerDetail, { kind: 'player' }>['cards'] }): ReactElement {
  if (!('value' in cards)) return <p className={detail.quiet}>Not known: Invo could not be asked.</p>;
  const rows = cards.value.cards;
  if (rows.length === 0) return <p className={detail.quiet}>No card that is still good. Expired cards are not shown by Invo.</p>;
  return (
    <TableFrame label="Saved cards">
      <thead>
        <tr>
          <th scope="col">Card</th>
          <th scope="col">Good until</th>
          <th scope="col">Saved</th>
          <th scope="col">Invo’s id</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, brand, last_four, exp_month, exp_year, created_at }) => (
          <tr key={id}>
            <th scope="row">
              <span className={detail.when}>{sayCard({ brand, last_four })}</span>
            </th>
            <td>{exp_month === null || exp_year === null ? 'not recorded' : `${String(exp_month).padStart(2, '0')}/${exp_year}`}</td>
            <td className={detail.when}>{created_at === null ? 'not recorded' : formatUtc(created_at)}</td>
            <td>{id}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
