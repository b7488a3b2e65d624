/** What a form action answers, for every form: the form says it in a sentence beside its button. */
export type ActionState =
  | { kind: 'idle' }
  | { kind: 'done'; sentence: string /** A one-time link to hand over, shown once. */; link?: string }
  | { kind: 'refused'; sentence: string }
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; sentence: string /** Reference to quote. */; errorId?: string };

/** Where Sharebook's own answer was lost. */
export const LOST: ActionState = {
  kind: 'failed',
  sentence: 'Sharebook did not answer, so whether this was done is not known. Draw the page anew and look before you do it again.',
};

/** Before anything was sent. */
export const IDLE: ActionState = { kind: 'idle' };
