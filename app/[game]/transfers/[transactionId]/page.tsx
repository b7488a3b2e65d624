import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { FormButtons } from '#app/_ui/forms/form.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { OpenActions, PausedNotice } from '#app/[game]/_actions/start-links.tsx';
import { Events } from '#app/[game]/_desk/events.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames, LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { NotInGame, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { findTransferDesk } from '#lib/actions/reads/open-actions.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';
import type { TransferReading } from '#lib/invo/routes/transfers.ts';
import { listPlayersOfIdentity } from '#lib/players/reads.ts';
import { readApproval, readTransferDetail } from '#lib/transfers/read-transfer.ts';
import { findEventsAbout } from '#lib/webhooks/find-deliveries.ts';
import { TransferCard } from './transfer-card.tsx';

interface TransferPageProps {
  params: Promise<{ game: string; transactionId: string }>;
}

export async function generateMetadata({ params }: TransferPageProps): Promise<Metadata> {
  return { title: `Transfer ${decodeURIComponent((await params).transactionId)}` };
}

export default async function TransferPage({ params }: TransferPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, transactionId: text } = await params;
  const game = await requireGame(slug);
  const transactionId = parseRecordId(decodeURIComponent(text)) ?? notFound();
  return (
    <>
      <PageHead title={`Transfer ${transactionId}`}>{game.name}</PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <Transfer game={game} person={person} transactionId={transactionId} />
      </Suspense>
    </>
  );
}

/** One transfer as this game sees it, the guardian's answer, and the webhooks about it. */
async function Transfer({ game, person, transactionId }: { game: Game; person: Person; transactionId: string }): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const [transfer, approval, events] = await Promise.all([
    readTransferDetail(context, transactionId),
    readApproval(context, transactionId),
    findEventsAbout({ db: db(), gameId: game.gameId }, [{ kind: 'transfer', idText: transactionId }]),
  ]);
  const identityId = 'value' in transfer ? transfer.value.toIdentityId : null;
  const receivers = identityId === null ? [] : await listPlayersOfIdentity(db(), game.gameId, identityId);
  const here = `/${game.slug}/transfers/${encodeURIComponent(transactionId)}`;
  // People collect transfers into this game: about the others there is nothing to find.
  const isInto = 'value' in transfer && transfer.value.isDestination;
  const desk = isInto ? await findTransferDesk(db(), game.gameId, transactionId) : null;
  return (
    <div className={detail.page}>
      <OpenActions slug={game.slug} actions={desk?.openActions ?? []} />
      <ReadNotices
        together="this transfer"
        reads={[
          { detail: transfer, what: 'the transfer' },
          ...(transfer.kind === 'not_found' ? [] : [{ detail: approval, what: 'the guardian’s answer' }]),
        ]}
      />
      {transfer.kind === 'not_found' && events.length === 0 && (
        <NotInGame game={game} what={`Transfer ${transactionId}`} path={`transfers/${encodeURIComponent(transactionId)}`} />
      )}
      {transfer.kind === 'not_found' && events.length > 0 && (
        <p className={detail.quiet}>Invo doesn’t report a status for this ID. It may be a send: Invo reports no status for sends.</p>
      )}
      {'value' in transfer && (
        <FieldNames>
          <TransferCard read={transfer} approval={approval} events={events} receivers={receivers} game={game} />
        </FieldNames>
      )}
      {desk?.isSend === true && 'value' in transfer && isCollectable(transfer.value) && (
        <p className={detail.quiet}>This is a send: the receiver collects it in the game. It can’t be collected from here.</p>
      )}
      {desk?.isOn === true &&
        !desk.isSend &&
        desk.openActions.length === 0 &&
        person.may('actions.request') &&
        'value' in transfer &&
        isCollectable(transfer.value) &&
        receivers.length === 1 &&
        (desk.isPaused ? (
          <PausedNotice slug={game.slug} />
        ) : (
          <FormButtons>
            <LinkButton href={`${here}/receive`}>Ask the receiver’s phone…</LinkButton>
            <LinkButton href={`${here}/claim`}>Collect with a code…</LinkButton>
          </FormButtons>
        ))}
      <Events slug={game.slug} events={events} timeZone={game.timeZone} mayOpen={person.may('deliveries.read')} />
    </div>
  );
}

/** Whether a transfer waits to be collected in this game. */
function isCollectable({ isDestination, transaction_status }: TransferReading): boolean {
  return isDestination && transaction_status === 'pending_claim';
}
