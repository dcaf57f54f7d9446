/** A mail server that speaks SMTP and keeps what it is given; it can be told to refuse. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface Received {
  /** Of the envelope. */
  readonly recipients: readonly string[]
  readonly email: Email
  /** As it came. */
  readonly raw: string
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number
  /** Everything that was handed over, refused or not. */
  readonly received: Received[]
  /** Asked at each mail, after it was read; what it throws is the answer. */
  judge: (mail: Received) => void | Promise<void>
  /** Asked at each recipient, before the mail is sent. */
  judgeRecipient: (address: string) => void
}

/** @param options beyond a plain server without TLS and sign-in. */
export async function startMailServer(
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<TestMailServer> {
  const { port = 0, ...more } = options
  const received: Received[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...more,
    onRcptTo({ address }, _session, answer) {
      try {
        server.judgeRecipient(address)
        answer()
      } catch (error) {
        answer(error as Error)
      }
    },
    onData(stream, { envelope }, answer) {
      void read()
        .then(() => answer())
        .catch((error: unknown) => answer(error as Error))
      async function read(): Promise<void> {
        const bytes = await buffer(stream)
        const email = await PostalMime.parse(bytes)
        const mail = { email, raw: bytes.toString(), recipients: envelope.rcptTo.map(({ address }) => address) }
        received.push(mail)
        await server.judge(mail)
      }
    },
  })
  // A client that breaks off is no failure of the server.
  smtp.on('error', () => undefined)
  smtp.listen(port, '127.0.0.1')
  await once(smtp.server, 'listening')
  const server: TestMailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    received,
    judge: () => undefined,
    judgeRecipient: () => undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}

/** An answer with that code: 4xx asks to come again, 5xx is final. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
