import type { Instrumentation } from 'next';
import { logEvent } from '#lib/observability/log.ts';

/** Logs a request that failed in a page, an action or a route, with the reference that the error page shows. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  const { message, stack, digest } = error as Partial<Error> & { digest?: string };
  const requestId = request.headers['x-request-id'];
  logEvent('web', 'error', {
    requestId: Array.isArray(requestId) ? requestId[0] : requestId,
    route: context.routePath,
    kind: context.routeType,
    reference: digest,
    message: message ?? String(error),
    stack,
  });
};
