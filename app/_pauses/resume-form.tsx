import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { ActionForm, type ActionFormProps } from '#app/_ui/forms/form.tsx';
import { PAUSABLES, type Pausable } from '#lib/approvals/rules/approval.ts';
import { formatResume } from '#lib/approvals/text.ts';

interface ResumeProps {
  what: Pausable;
  person: Pick<Person, 'id' | 'may'>;
  pause: { version: string; resumeRequestedBy: { id: string; name: string } | null };
}

interface ResumeFormProps extends Omit<ResumeProps, 'pause'> {
  slug: string;
  /** null: nothing is paused. */
  pause: ResumeProps['pause'] | null;
  action: ActionFormProps['action'];
}

/** Requests that what is paused resumes, or confirms it as the second person; nothing for those who can do neither. */
export function ResumeForm({ slug, what, person, pause, action }: ResumeFormProps): ReactElement | null {
  if (pause === null) return null;
  const { version, resumeRequestedBy } = pause;
  if (!person.may(PAUSABLES[what].capability) || resumeRequestedBy?.id === person.id) return null;
  const label = resumeRequestedBy === null ? `Ask to resume ${what}` : `Resume ${what}`;
  return <ActionForm action={action} about={{ game: slug, version }} label={label} pendingLabel="Saving…" />;
}

/** How what is paused resumes, as this person reads it. */
export function formatResumeFor({ what, person, pause }: ResumeProps): string {
  return formatResume(what, pause.resumeRequestedBy, { id: person.id, mayApprove: person.may(PAUSABLES[what].capability) });
}
