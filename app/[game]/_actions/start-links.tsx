import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { findGroupNow } from '#lib/actions/reads/action-controls.ts';
import type { OpenAction } from '#lib/actions/reads/open-actions.ts';
import type { ActionState } from '#lib/actions/rules/action-state.ts';
import type { ActionKind, SwitchedGroup } from '#lib/actions/rules/kinds.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
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

/** What desk actions about a player or an order need, or may have done: shown beside what Invo reports, so that nobody does it twice. */
export function OpenActions({ slug, actions }: { slug: string; actions: OpenAction[] }): ReactElement {
  return (
    <>
      {actions.map(({ actionId, kind, state, waiting, continuesAt }) => (
        <Notice
          key={actionId}
          voice="wait"
          title={`${KIND_TEXT[kind].label}: ${actionStateText(kind, state, waiting).label.toLowerCase()}`}
        >
          {actionStateText(kind, state, waiting).sentence}
          {continuesAt !== null && formatNextStep(kind, state, formatUtc(continuesAt))}{' '}
          <Link href={`/${slug}/actions/${actionId}`}>View action {actionId}</Link>
        </Notice>
      ))}
    </>
  );
}

function formatNextStep(kind: ActionKind, state: ActionState, at: string): string | null {
  const isRepeated = protocolOf(kind).repeats === 'worker';
  if (state === 'checking') return ` Sharebook looks again at ${at}.`;
  if (state === 'waiting' || (state === 'unknown' && isRepeated)) return ` Sharebook sends it again at ${at}.`;
  return state === 'unknown' ? ` Sharebook ends it at ${at}.` : null;
}
