import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { findGroupNow } from '#lib/actions/reads/action-controls.ts';
import type { OpenAction, PlayerDesk } from '#lib/actions/reads/open-actions.ts';
import type { SwitchedGroup } from '#lib/actions/rules/kinds.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import { endOfSending, formatSending } from '#lib/actions/sending-text.ts';
import { actionStateText } from '#lib/actions/state-text.ts';
import { KIND_TEXT } from '#lib/actions/text.ts';

interface StartLinkProps {
  game: Game;
  person: Person;
  group: SwitchedGroup;
  href: string;
  children: string;
}

/** Leads to the form of a desk action, for those who may request it while its group is on. Says so where all are paused. */
export async function StartLink({ game, person, group, href, children }: StartLinkProps): Promise<ReactElement | null> {
  const { isOn, isSending } = person.may('actions.request')
    ? await findGroupNow(db(), game.gameId, group)
    : { isOn: false, isSending: false };
  if (!isOn) return null;
  return isSending ? <LinkButton href={href}>{children}</LinkButton> : <PausedNotice slug={game.slug} />;
}

/** Instead of what starts desk actions, while all of them are paused. */
export function PausedNotice({ slug }: { slug: string }): ReactElement {
  return (
    <Notice voice="wait" title="Desk actions are paused">
      None can be requested or sent until two people resume them. <Link href={`/${slug}/actions`}>See who paused them, and why</Link>
    </Notice>
  );
}

interface OpenActionsProps {
  slug: string;
  actions: OpenAction[];
  /** What prevents Sharebook from sending actions of a player; left out where it sends none by itself. */
  desk?: Pick<PlayerDesk, 'isPaused' | 'isOn'>;
}

/** What desk actions about a player or an order need, or may have done: shown beside what Invo reports, so that nobody does it twice. */
export function OpenActions({ slug, actions, desk }: OpenActionsProps): ReactElement {
  return (
    <>
      {actions.map((action) => {
        const { actionId, kind, state, waiting, continuesAt, houseLabel } = action;
        const name = houseLabel === null ? KIND_TEXT[kind].label : `${KIND_TEXT[kind].label} of ${houseLabel}`;
        const { label, sentence } = actionStateText(kind, state, waiting);
        return (
          <Notice key={actionId} voice="wait" title={`${name}: ${label.toLowerCase()}`}>
            {sentence} {continuesAt !== null && formatNextStep(action, formatUtc(continuesAt), desk)}{' '}
            <Link href={`/${slug}/actions/${actionId}`}>View action {actionId}</Link>
          </Notice>
        );
      })}
    </>
  );
}

function formatNextStep(action: OpenAction, at: string, desk: OpenActionsProps['desk']): string | null {
  const { kind, state } = action;
  if (state === 'checking') return `Sharebook reads it again at ${at}.`;
  const isOn: Partial<Record<string, boolean>> = desk?.isOn ?? {};
  const blocker = { isPaused: desk?.isPaused === true, isOff: isOn[protocolOf(kind).group] === false };
  const sending = formatSending(kind, state, { next: at, end: formatUtc(endOfSending(action)) }, blocker);
  return sending ?? (state === 'unknown' ? `Sharebook ends it at ${at}.` : null);
}
