import { z } from 'zod';
import { digestShape, slugShape, subscriptionIdShape } from '#app/_server/form-shapes.ts';

/** The hidden part of every form of a change, as it comes back. */
export const targetShape = z.object({ game: slugShape, subscriptionId: subscriptionIdShape, baseline: digestShape });
