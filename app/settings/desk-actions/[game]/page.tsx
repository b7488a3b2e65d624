import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { ActionPauseNotice, PauseActionsDialog } from '#app/_pauses/action-pauses.tsx';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { type ActionSwitch, findActionControls, type MilestoneName } from '#lib/actions/reads/action-controls.ts';
import { listHouseAccounts } from '#lib/actions/reads/list-house-accounts.ts';
import { GROUP_TEXT, MILESTONE_EVENT_TEXT } from '#lib/actions/text.ts';
import { LIMITED_KEYS } from '#lib/approvals/rules/approval.ts';
import { LIMITED_TEXT } from '#lib/approvals/text.ts';
import { LimitCard } from '../../_limits/limit-card.tsx';
import styles from '../../settings.module.css';
import { formatGameName, SettingsSection } from '../../settings-index.tsx';
import { confirmSwitchAction, declineSwitchAction, removeMilestoneAction, turnOffGroupAction, turnOnGroupAction } from './actions.ts';
import { HouseAccounts } from './house-account-cards.tsx';
import { MilestoneForm } from './milestone-form.tsx';

export const metadata: Metadata = { title: 'Desk actions' };

export default async function DeskActionsPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const [{ switches, pause, limits, milestones, sendFlow }, accounts] = await Promise.all([
    findActionControls(db(), game),
    listHouseAccounts(db(), game.gameId),
  ]);
  const mayManage = person.may('people.manage');
  const limited = LIMITED_KEYS.filter((what) => what !== 'refunds');
  return (
    <>
      <PageHead
        title={`Desk actions of ${formatGameName(game)}`}
        actions={
          <>
            {pause === null && person.may('actions.request') && <PauseActionsDialog game={game} />}
            <LinkButton href="/settings">Settings</LinkButton>
          </>
        }
      >
        What people may do at Invo for a player, beyond refunds and subscriptions.
      </PageHead>
      <ActionPauseNotice game={game} person={person} pause={pause} />
      <SettingsSection id="groups" title="Groups">
        <p className={styles.text}>
          An admin turns a group off at once.{' '}
          {game.environment === 'sandbox'
            ? 'In the sandbox an admin also turns it on at once.'
            : 'Turning it on needs a second person with the role finance.'}
        </p>
        <div className={styles.account}>
          <SimpleTable
            label="Groups of desk actions"
            columns={switchColumns(game, person, switches)}
            rows={switches}
            keyOf={({ group }) => group}
          />
        </div>
      </SettingsSection>
      <SettingsSection id="limits" title="Auto-approval limits">
        <p className={styles.text}>
          {game.environment === 'sandbox'
            ? 'A sandbox game has no limits: no real money moves.'
            : 'An action within the requester’s limits needs no second person: one action, and all of theirs in the group within 24 hours. A lower limit applies at once; a higher one when a second person approves it in Settings. Milestones and rewards always need a second person.'}
        </p>
        {game.environment !== 'sandbox' && (
          <div className={styles.games}>
            {limited.map((what) => (
              <LimitCard
                key={what}
                game={game}
                what={what}
                title={`Limits of ${LIMITED_TEXT[what]}`}
                name={LIMITED_TEXT[what]}
                limits={limits[what]}
                mayChange={mayManage}
              />
            ))}
          </div>
        )}
      </SettingsSection>
      <SettingsSection id="milestones" title="Milestone names">
        <p className={styles.text}>
          The milestones and custom events that people may report. Each name must be registered with Invo first.
          {game.environment !== 'sandbox' && ' A second person approves each report.'}
        </p>
        <div className={styles.account}>
          {milestones.length > 0 && (
            <SimpleTable
              label="Milestones that people may report"
              columns={milestoneColumns(game.slug, mayManage)}
              rows={milestones}
              keyOf={({ eventType, name }) => `${eventType} ${name}`}
            />
          )}
          {milestones.length === 0 && <p className={styles.text}>None yet.</p>}
          {mayManage && (
            <div>
              <SideDialog opener="Add milestone" title={`Add a milestone of ${game.name}`}>
                <MilestoneForm slug={game.slug} />
              </SideDialog>
            </div>
          )}
        </div>
      </SettingsSection>
      <HouseAccounts game={game} person={person} accounts={accounts} sendFlow={sendFlow} />
    </>
  );
}

function switchColumns(game: Game, person: Person, switches: ActionSwitch[]): SimpleColumn<ActionSwitch>[] {
  const isAsked = person.may('actions.approve') && switches.some(({ request }) => request !== null);
  return [
    {
      label: 'Group',
      cell: ({ group, isOn, set, request }) => (
        <>
          {GROUP_TEXT[group].label}
          <NarrowNote>
            <Status tone={isOn ? 'good' : 'quiet'} word={isOn ? 'On' : 'Off'} />
          </NarrowNote>
          <p className={styles.under}>{GROUP_TEXT[group].sentence}</p>
          {set !== null && (
            <p className={styles.under}>
              Set by {set.byName} on <Instant at={set.at} timeZone={game.timeZone} />.
            </p>
          )}
          {request !== null && (
            <p className={styles.under}>
              {request.byName} asked on <Instant at={request.at} timeZone={game.timeZone} /> to turn it on.
            </p>
          )}
        </>
      ),
    },
    { label: 'State', isWideOnly: true, cell: ({ isOn }) => <Status tone={isOn ? 'good' : 'quiet'} word={isOn ? 'On' : 'Off'} /> },
    ...(person.may('people.manage') || isAsked
      ? [{ label: 'Action', cell: (setting: ActionSwitch) => <SwitchForms game={game} person={person} setting={setting} /> }]
      : []),
  ];
}

function SwitchForms({ game, person, setting }: { game: Game; person: Person; setting: ActionSwitch }): ReactElement {
  const { group, isOn, request } = setting;
  const { label, sentence } = GROUP_TEXT[group];
  const about = { game: game.slug, group };
  const mayManage = person.may('people.manage');
  const isOwn = request?.by === person.id;
  const shown = { ...about, requestedBy: request?.by ?? '' };
  const asking = game.environment === 'sandbox' ? 'Turn on' : 'Ask to turn on';
  return (
    <div className={styles.inRow}>
      {isOn && mayManage && (
        <ActionForm
          action={turnOffGroupAction}
          about={about}
          label="Turn off"
          buttonLabel={`Turn off ${label}`}
          pendingLabel="Turning off…"
        />
      )}
      {!isOn && request === null && mayManage && (
        <SideDialog opener={asking} label={`${asking} ${label}`} title={`${label} for ${game.name}`}>
          <p className={styles.text}>{sentence}</p>
          <PasswordForm action={turnOnGroupAction} about={about} label={`${asking} ${label}`} pendingLabel="Saving…" kind="main" />
        </SideDialog>
      )}
      {request !== null && !isOwn && person.may('actions.approve') && (
        <SideDialog opener="Turn on" label={`Turn on ${label}`} kind="main" title={`${label} for ${game.name}`}>
          <p className={styles.text}>{sentence}</p>
          <PasswordForm action={confirmSwitchAction} about={shown} label={`Turn on ${label}`} pendingLabel="Turning on…" kind="main" />
        </SideDialog>
      )}
      {request !== null && (isOwn || person.may('actions.approve')) && (
        <ActionForm
          action={declineSwitchAction}
          about={shown}
          label={isOwn ? 'Withdraw request' : 'Reject request'}
          buttonLabel={`${isOwn ? 'Withdraw' : 'Reject'} the request to turn on ${label}`}
          pendingLabel="Saving…"
          kind="quiet"
        />
      )}
    </div>
  );
}

function milestoneColumns(slug: string, mayManage: boolean): SimpleColumn<MilestoneName>[] {
  return [
    {
      label: 'Label',
      cell: ({ label, name }) => (
        <>
          {label}
          <NarrowNote>{name}</NarrowNote>
        </>
      ),
    },
    { label: 'Name at Invo', isWideOnly: true, cell: ({ name }) => name },
    { label: 'Event', cell: ({ eventType }) => MILESTONE_EVENT_TEXT[eventType] },
    { label: 'Added by', isWideOnly: true, cell: ({ addedByName }) => addedByName },
    ...(mayManage
      ? [
          {
            label: 'Action',
            cell: ({ eventType, name, label }: MilestoneName) => (
              <ActionForm
                action={removeMilestoneAction}
                about={{ game: slug, eventType, name }}
                label="Remove"
                buttonLabel={`Remove ${label}`}
                pendingLabel="Removing…"
                kind="quiet"
              />
            ),
          },
        ]
      : []),
  ];
}
