/** What a form action answers, for every form: the form says it in a sentence beside its button. */
export type ActionState =
  | { kind: 'idle' }
  | { kind: 'done'; sentence: string /** A one-time link to hand over, shown once. */; link?: string }
  | { kind: 'refused'; sentence: string }
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; sentence: string /** Reference to quote. */; errorId?: string };

/** Before anything was sent. */
export const IDLE: ActionState = { kind: 'idle' };
