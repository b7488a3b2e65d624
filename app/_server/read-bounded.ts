import 'server-only';

/** The bytes of a request's body; null when it is larger than `bytesMax`, or when the server cut it, which it does with large ones without an error. */
export async function readBounded(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > bytesMax) return null;
    pieces.push(piece);
  }
  const announced = request.headers.get('content-length');
  return announced !== null && Number(announced) !== length ? null : Buffer.concat(pieces, length);
}
