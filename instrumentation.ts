import type { Instrumentation } from 'next';

/** Logs a request that failed in a page, an action or a route, with the reference that the error page shows. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // Next compiles this file for its Edge runtime too, where nothing of Sharebook runs and the log can't.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { logEvent } = await import('#lib/observability/log.ts');
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
