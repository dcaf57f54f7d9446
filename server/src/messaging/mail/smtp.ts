/** The operator's mail server, spoken to over a few connections that are kept open for a while. */
import { createTransport } from 'nodemailer'

interface MailEnvelope {
  /** The same at each attempt. */
  readonly messageId: string
  /** One address. */
  readonly recipient: string
  /** ISO 8601. */
  readonly writtenAt: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailServer {
  /** Answers when the server has taken the mail over; throws where it refused or did not answer within `sendMs`. */
  send(mail: MailEnvelope): Promise<void>
  /** Connects and signs in, and sends nothing; throws where that cannot be done. */
  check(): Promise<void>
  /** At once, mails under way included. */
  close(): void
}

/** Shorter than the shortest wait between two attempts, so that no second one begins while the first goes on. */
const sendMs = 45_000

/** @param url `smtps://` is TLS from the first byte; `smtp://` becomes TLS where the server offers it, and must where a password is sent. */
export function openMailServer(url: string, from: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replaceAll(/^\[|\]$/gu, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ messageId, recipient, writtenAt, subject, text, html }) {
      await transport.sendMail({
        messageId,
        from,
        // As an object it is one address, whatever stands in it.
        to: { name: '', address: recipient },
        date: new Date(writtenAt),
        subject,
        text,
        html,
        // So that nobody's out-of-office note answers a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal: AbortSignal.timeout(sendMs),
      })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close({ force: true }),
  }
}
