import { WHY_LENGTH_MAX } from '#lib/core/typed-text.ts';
import type { Stopped } from '#lib/refunds/pause-refunds.ts';

type Refusal = Extract<Stopped, { ok: false }>['reason'];

export const STOP_REFUSALS: Record<Refusal, string> = {
  not_allowed: 'Your role may not do this. Nothing was changed.',
  why_missing: 'Say why: whoever lifts the stop has to know what to look at.',
  why_too_long: `Say it in ${WHY_LENGTH_MAX} characters at most. Nothing was changed.`,
  already_stopped: 'Refunds are stopped already.',
  no_stop: 'Refunds are being sent; somebody has lifted the stop.',
  same_person: 'You asked for it to be lifted. A second person has to do it.',
};

export const STOP_DONE: Record<Extract<Stopped, { ok: true }>['is'], string> = {
  stopped: 'Stopped. Nothing more is sent to Invo; what was on its way still ends.',
  asked: 'Asked for. Refunds are sent again once a second person agrees.',
  lifted: 'Lifted. Refunds are sent again.',
};
