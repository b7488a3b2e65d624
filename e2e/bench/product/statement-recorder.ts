import net from 'node:net';

/** A statement as it was sent, with its parameters in the order of their numbers. */
export interface SentQuery {
  text: string;
  values: (string | Buffer | null)[];
}

export interface StatementRecorder {
  /** The address of the database through the recorder. */
  url: string;
  /** Runs `work` and returns the statements that reached the database meanwhile, from whichever process, in order. */
  record(work: () => Promise<unknown>): Promise<SentQuery[]>;
  close(): Promise<void>;
}

/** Listens in front of a database and notes every statement that passes: what any process of Sharebook sends, without its help. */
export async function startRecorder(databaseUrl: string): Promise<StatementRecorder> {
  const target = new URL(databaseUrl);
  const recordings = new Set<SentQuery[]>();
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const database = net.connect(Number(target.port), target.hostname);
    const parser = createParser((query) => {
      for (const recording of recordings) recording.push(query);
    });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', parser);
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    record: async (work) => {
      const recording: SentQuery[] = [];
      recordings.add(recording);
      try {
        await work();
      } finally {
        recordings.delete(recording);
      }
      return recording;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a statement reads or changes rows, rather than opens a transaction, sets something or listens. */
export function isAboutRows({ text }: SentQuery): boolean {
  return /^\s*(--[^\n]*\n\s*)*(select|with|insert|update|delete|copy|values|declare)\b/i.test(text);
}

/** Reads the messages a client sends (PostgreSQL's frontend protocol 3): the first has no type, and statements come in Query, Parse and Bind. */
function createParser(onQuery: (query: SentQuery) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      const [type, body] = [isStarted ? rest.toString('latin1', 0, 1) : '', rest.subarray(typeBytes + 4, end)];
      rest = rest.subarray(end);
      isStarted = true;
      if (type === 'Q') onQuery({ text: readText(body, 0).text, values: [] });
      if (type === 'P') {
        const name = readText(body, 0);
        prepared.set(name.text, readText(body, name.next).text);
      }
      if (type === 'B') onQuery(readBind(body, prepared));
    }
  };
}

function readBind(body: Buffer, prepared: Map<string, string>): SentQuery {
  const statement = readText(body, readText(body, 0).next);
  const formatCount = body.readInt16BE(statement.next);
  const formats = Array.from({ length: formatCount }, (_, position) => body.readInt16BE(statement.next + 2 + position * 2));
  let position = statement.next + 2 + formatCount * 2;
  const valueCount = body.readInt16BE(position);
  position += 2;
  const values = Array.from({ length: valueCount }, (_, index) => {
    const length = body.readInt32BE(position);
    position += 4 + Math.max(0, length);
    if (length < 0) return null;
    const bytes = body.subarray(position - length, position);
    return (formats[index] ?? formats[0] ?? 0) === 1 ? Buffer.from(bytes) : bytes.toString();
  });
  return { text: prepared.get(statement.text) ?? '', values };
}

function readText(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), next: end + 1 };
}
