import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { after } from 'next/server';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { listGames, openLookUp } from '#app/_server/game.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Tabs } from '#app/_ui/layout/tabs.tsx';
import { OpenActions, PausedNotice } from '#app/[game]/_actions/start-links.tsx';
import { formatEmail, formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { rememberLookUp } from '#lib/players/read-player.ts';
import { findShownPlayer, openTab, PlayerNotice, type PlayerParams } from './player-tab.tsx';

export async function generateMetadata({ params }: PlayerParams): Promise<Metadata> {
  return { title: `Player ${(await params).playerId}` };
}

/** The head of a player, from what is stored, and the tabs, each of which reads what it shows. */
export default async function PlayerLayout({ children, params }: PlayerParams & { children: ReactNode }): Promise<ReactElement> {
  const tab = await openTab({ params });
  const { game, person, playerId } = tab;
  const otherGames = (await listGames()).filter(({ gameId }) => gameId !== game.gameId);
  const found = await findShownPlayer(tab);
  const href = `/${game.slug}/players/${playerId}`;
  if (found === null)
    return (
      <>
        <PageHead title={`Player ${playerId}`}>{game.name}</PageHead>
        <PlayerNotice tab={tab} player={{ kind: 'unknown' }} />
      </>
    );
  // After the answer, and not for a link that is only prefetched.
  if (!(await headers()).has('next-router-prefetch')) after(() => rememberLookUp(openLookUp(game, person), playerId));
  const { stored, elsewhere, beside: desk } = found;
  const { email, name, identityId } = stored;
  return (
    <>
      <PageHead
        title={formatPlayer(name, playerId)}
        actions={
          <>
            {person.may('actions.request') && desk.isOn.payments && <LinkButton href={`${href}/link`}>Payment link…</LinkButton>}
            {person.may('actions.request') && desk.isOn.items && <LinkButton href={`${href}/item`}>Sell item…</LinkButton>}
            {person.may('actions.request') && desk.isOn.sends && <LinkButton href={`${href}/send`}>Send coins…</LinkButton>}
            {person.may('actions.request') && desk.isOn.transfers && <LinkButton href={`${href}/transfer`}>Move coins…</LinkButton>}
            {stored.isRecipient && <LinkButton href={`/${game.slug}/recipients/${playerId}`}>View recipient</LinkButton>}
          </>
        }
      >
        Player <CopyButton text={String(playerId)} what="player ID" />
        {email !== null && (
          <>
            {' · '}
            <bdi>{formatEmail(email, person.may('emails.read'))}</bdi>
          </>
        )}
        {identityId !== null && (
          <>
            {' · identity '}
            <CopyButton text={identityId} what="identity ID" />
          </>
        )}
        {` · ${game.name}`}
        {otherGames.flatMap((other) =>
          (elsewhere ?? [])
            .filter(({ gameId }) => gameId === other.gameId)
            .map((same) => (
              <Fragment key={`${other.slug} ${same.playerId}`}>
                {' · same identity in '}
                <Link href={`/${other.slug}/players/${same.playerId}`}>
                  {other.name} ({other.environment}): player {same.playerId}
                </Link>
              </Fragment>
            )),
        )}
        {elsewhere === null && ' · other games can’t be read now'}
      </PageHead>
      <Tabs
        label="Parts of this player"
        tabs={[
          { label: 'Overview', href },
          { label: 'Cards', href: `${href}/cards` },
          { label: 'Orders', href: `${href}/orders` },
          { label: 'Subscriptions', href: `${href}/subscriptions` },
          { label: 'Loyalty', href: `${href}/loyalty` },
          { label: 'Transfers', href: `${href}/transfers` },
          ...(game.environment === 'sandbox' && person.may('actions.request') ? [{ label: 'Sandbox tools', href: `${href}/sandbox` }] : []),
        ]}
      />
      {desk.isPaused && person.may('actions.request') && <PausedNotice slug={game.slug} />}
      <OpenActions slug={game.slug} actions={desk.openActions} desk={desk} />
      {children}
    </>
  );
}
