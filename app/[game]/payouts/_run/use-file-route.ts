'use client';

import { useRef, useState } from 'react';
import { LOST_SENTENCE } from '#app/_ui/forms/form.tsx';

interface FileRequest {
  /** Of the file, or of pasted lines. */
  bytes: Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  headers?: Record<string, string>;
  /** Whether it only checks the file: then nothing is saved, whatever becomes of the answer. */
  isCheck: boolean;
}

type Refused = { kind: 'refused'; sentence: string };
/** Every kind of answer of a route, checked when one arrives. */
type Kinds<Answer extends { kind: string }> = Readonly<Record<Answer['kind'], true>>;

interface FileRoute<Answer> {
  /** null: a newer file was chosen meanwhile. */
  send: (request: FileRequest) => Promise<Answer | Refused | null>;
  /** Another file, or none, is chosen: the answer that is on its way doesn't count. */
  drop: () => void;
  isSending: boolean;
}

const NOT_CHECKED = 'The file couldn’t be checked. Nothing was saved. Try again.';

/** Sends files to the route that checks and stores them. Only the answer to the newest one counts. */
export function useFileRoute<Answer extends { kind: string }>(href: string, kinds: Kinds<Answer>): FileRoute<Answer> {
  const newest = useRef(0);
  const [isSending, setIsSending] = useState(false);
  return {
    isSending,
    async send(request) {
      const turn = ++newest.current;
      setIsSending(true);
      const sentence = request.isCheck ? NOT_CHECKED : LOST_SENTENCE;
      const answer = await post(href, kinds, request).catch((): Refused => ({ kind: 'refused', sentence }));
      if (turn !== newest.current) return null;
      setIsSending(false);
      return answer;
    },
    drop() {
      newest.current++;
      setIsSending(false);
    },
  };
}

async function post<Answer extends { kind: string }>(
  href: string,
  kinds: Kinds<Answer>,
  { bytes, headers = {} }: FileRequest,
): Promise<Answer> {
  const response = await fetch(href, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: await bytes,
  });
  return toAnswer(await response.json(), kinds);
}

/** Guarantee of the cast: the route sends nothing else of these kinds. Throws for anything else, such as an answer of a proxy. */
function toAnswer<Answer extends { kind: string }>(body: unknown, kinds: Kinds<Answer>): Answer {
  const isKnown = typeof body === 'object' && body !== null && 'kind' in body && Object.hasOwn(kinds, String(body.kind));
  if (!isKnown) throw new Error('This is no answer of the route.');
  return body as Answer;
}
