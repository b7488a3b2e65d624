import net from 'node:net';

/** What the server does where it would accept; null: it accepts. `drop`: it closes the connection without an answer. */
export interface SmtpBehaviour {
  mail?: () => string | null;
  rcpt?: (address: string) => string | null;
  /** After the dot that ends a message. */
  message?: () => string | 'drop' | null;
}

export interface SmtpServer {
  url: string;
  /** Messages that ended with their dot, whether or not the answer was sent; folded headers and soft line breaks are undone. */
  received: { to: string; text: string }[];
  close(): Promise<void>;
}

/** A small mail server on this machine, which answers as the test says. */
export async function startSmtpServer(behaviour: SmtpBehaviour = {}): Promise<SmtpServer> {
  const received: SmtpServer['received'] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    talk(socket, behaviour, received);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function talk(socket: net.Socket, behaviour: SmtpBehaviour, received: SmtpServer['received']): void {
  let [waiting, recipient] = ['', ''];
  let message: string[] | null = null;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const take = (line: string): void => {
    if (message !== null) {
      if (line !== '.') {
        message.push(line);
        return;
      }
      received.push({
        to: recipient,
        text: message
          .join('\n')
          .replace(/=\n/g, '')
          .replace(/\n[ \t]+/g, ' '),
      });
      message = null;
      const answer = behaviour.message?.() ?? '250 accepted';
      if (answer === 'drop') socket.destroy();
      else say(answer);
      return;
    }
    const [command = ''] = line.toUpperCase().split(' ');
    if (command === 'MAIL') say(behaviour.mail?.() ?? '250 ok');
    else if (command === 'RCPT') {
      recipient = /<(.*?)>/.exec(line)?.[1] ?? '';
      say(behaviour.rcpt?.(recipient) ?? '250 ok');
    } else if (command === 'DATA') {
      message = [];
      say('354 go on');
    } else if (command === 'QUIT') socket.end('221 bye\r\n');
    else say('250 ok');
  };
  say('220 test');
  socket.on('data', (bytes) => {
    const lines = (waiting + bytes.toString('utf8')).split('\r\n');
    waiting = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
