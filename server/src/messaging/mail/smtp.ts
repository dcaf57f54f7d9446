/** A client of the operator's mail server with a small connection pool. */
import { createTransport } from 'nodemailer'

interface MailEnvelope {
  /** The same for each attempt. */
  readonly messageId: string
  /** A single address. */
  readonly recipient: string
  /** ISO 8601. */
  readonly writtenAt: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailServer {
  /**
   * Resolves when the server has accepted the mail. Throws if it refuses, or does not answer within `sendTimeoutMs`.
   */
  send(mail: MailEnvelope): Promise<void>
  /** Connects and signs in without sending a mail. Throws if that fails. */
  check(): Promise<void>
  /** Closes immediately and aborts mails in progress. */
  close(): void
}

/** Shorter than the shortest wait between two attempts, so that attempts at one mail never overlap. */
const sendTimeoutMs = 45_000

/**
 * @param url `smtps://` uses TLS from the first byte. `smtp://` uses STARTTLS if the server offers it, and requires it
 * if the URL has a password.
 */
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
        // An object is one address, whatever it contains; a string could contain several.
        to: { name: '', address: recipient },
        date: new Date(writtenAt),
        subject,
        text,
        html,
        // Suppresses automatic replies such as out-of-office notes.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal: AbortSignal.timeout(sendTimeoutMs),
      })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close({ force: true }),
  }
}
