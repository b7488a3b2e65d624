import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { HouseAccount } from '#lib/actions/reads/list-house-accounts.ts';
import styles from '../../settings.module.css';
import { SettingsSection } from '../../settings-index.tsx';
import { confirmHouseAccountAction, removeHouseAccountAction } from './actions.ts';
import { HouseAccountForm } from './house-account-form.tsx';
import { SendFlowForm } from './send-flow-form.tsx';

interface HouseAccountsProps {
  game: Game;
  person: Person;
  accounts: HouseAccount[];
  /** Invo's word for a send that a phone approves. */
  sendFlow: string;
}

/** The player accounts of the studio from which people send coins, and the form that adds one. */
export function HouseAccounts({ game, person, accounts, sendFlow }: HouseAccountsProps): ReactElement {
  const isAlone = game.environment === 'sandbox';
  return (
    <SettingsSection id="house-accounts" title="House accounts">
      <p className={styles.text}>
        Player accounts of the studio, from which people send coins as prizes or goodwill. The account’s own phone approves every send.
        {!isAlone && ' A second person with the role finance confirms a new one.'}
      </p>
      <div className={styles.games}>
        {accounts.map((account) => (
          <AccountCard key={account.houseAccountId} game={game} person={person} account={account} />
        ))}
      </div>
      {accounts.length === 0 && <p className={styles.text}>None yet.</p>}
      {person.may('people.manage') && (
        <div className={styles.account}>
          <div>
            <SideDialog opener="Add house account" title={`Add a house account of ${game.name}`}>
              <HouseAccountForm slug={game.slug} isAlone={isAlone} />
            </SideDialog>
          </div>
          <p className={styles.text}>Sharebook asks a phone about a send with the word “{sendFlow}”. Invo’s documents don’t name it.</p>
          <div>
            <SideDialog opener="Change the word" title={`Word for a send in ${game.name}`}>
              <SendFlowForm slug={game.slug} word={sendFlow} />
            </SideDialog>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

function AccountCard({ game, person, account }: Pick<HouseAccountsProps, 'game' | 'person'> & { account: HouseAccount }): ReactElement {
  const { houseAccountId, playerId, label, phoneEnd, requestedBy, confirmedByName, confirmedAt } = account;
  const isOwn = requestedBy.id === person.id;
  const mayApprove = person.may('actions.approve');
  const about = { game: game.slug, houseAccountId, requestedBy: requestedBy.id };
  const removal = confirmedAt !== null ? 'Remove' : isOwn ? 'Withdraw' : 'Reject';
  return (
    <Card title={label} aside={<Status tone={confirmedAt === null ? 'wait' : 'good'} word={confirmedAt === null ? 'Waiting' : 'In use'} />}>
      <p className={styles.text}>
        {person.may('desk.read') ? <Link href={`/${game.slug}/players/${playerId}`}>Player {playerId}</Link> : `Player ${playerId}`}, phone
        ending in {phoneEnd}.
      </p>
      <p className={styles.text}>
        Requested by {requestedBy.name}
        {confirmedAt === null ? (
          '. A second person must confirm it.'
        ) : (
          <>
            , in use since <Instant at={confirmedAt} timeZone={game.timeZone} />
            {confirmedByName !== null && `, confirmed by ${confirmedByName}`}.
          </>
        )}
      </p>
      <div className={styles.decision}>
        {confirmedAt === null && !isOwn && mayApprove && (
          <SideDialog opener="Confirm" label={`Confirm ${label}`} kind="main" title={`${label}, player ${playerId}`}>
            <p className={styles.text}>
              People will send coins from this account, and its phone ending in {phoneEnd} approves every send. Make sure that a colleague
              you know holds that phone.
            </p>
            <PasswordForm
              action={confirmHouseAccountAction}
              about={about}
              label={`Confirm ${label}`}
              pendingLabel="Confirming…"
              kind="main"
            />
          </SideDialog>
        )}
        {(person.may('people.manage') || mayApprove) && (
          <ActionForm
            action={removeHouseAccountAction}
            about={about}
            label={removal}
            buttonLabel={`${removal} ${label}`}
            pendingLabel="Removing…"
            kind="quiet"
          />
        )}
      </div>
    </Card>
  );
}
