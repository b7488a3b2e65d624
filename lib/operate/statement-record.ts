import { instruments } from './instruments.ts';
import { currentRequest } from './request-context.ts';

/** What happens around each statement of this process: it is counted with its request and timed. */
export const STATEMENT_RECORD: { begun: () => void; ended: (duration_ms: number) => void } = {
  begun: () => {
    const request = currentRequest();
    if (request !== null) request.statements += 1;
  },
  ended: (duration_ms) => instruments().statementSeconds.observe(duration_ms / 1_000),
};
