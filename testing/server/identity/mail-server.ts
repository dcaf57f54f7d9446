/** An SMTP server that records all mail and can refuse it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface ReceivedEmail {
  /** Recipients of the envelope. */
  readonly recipients: readonly string[]
  readonly email: Email
  /** The unparsed message. */
  readonly raw: string
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number
  /** All messages, refused or not. */
  readonly received: ReceivedEmail[]
  /** Called for each message after it was read; an exception is sent as the response. */
  checkMail: (mail: ReceivedEmail) => void | Promise<void>
  /** Called for each recipient before the message is sent; an exception is sent as the response. */
  checkRecipient: (address: string) => void
}

/** @param options additional options; the default is a server without TLS and authentication */
export async function startMailServer(
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<TestMailServer> {
  const { port = 0, ...more } = options
  const received: ReceivedEmail[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...more,
    onRcptTo({ address }, _session, answer) {
      try {
        server.checkRecipient(address)
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
        await server.checkMail(mail)
      }
    },
  })
  // A client that disconnects is not an error of the server.
  smtp.on('error', () => undefined)
  smtp.listen(port, '127.0.0.1')
  await once(smtp.server, 'listening')
  const server: TestMailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    received,
    checkMail: () => undefined,
    checkRecipient: () => undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}

/** An SMTP error with this code: 4xx is temporary, 5xx is permanent. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
