/** One answer, whole, before anybody looked inside; `received` is as it came, still gzipped when the encoding says so. */
export interface Answer {
  status: number;
  contentType: string;
  contentEncoding: 'identity' | 'gzip';
  retryAfter: string | null;
  received: Buffer;
}
