/** Checks the mail server: connection, encryption, user and password. Sends no mail. */
import type { Config } from '../../kernel/config/config.ts'
import { openMailServer } from '../../messaging/mail/smtp.ts'
import { errorCodeOf, fail, type DoctorFinding, ok } from './finding.ts'

export async function checkMail({ mode, smtpUrl, mailFrom }: Config): Promise<readonly DoctorFinding[]> {
  if (mode === 'trial') return [ok('Mail', 'No mail leaves a trial; read it at /mailbox')]
  if (smtpUrl === null || !URL.canParse(smtpUrl)) return []
  const { host, username } = new URL(smtpUrl)
  const server = openMailServer(smtpUrl, mailFrom)
  try {
    await server.check()
    return [ok('Mail', `${host} ${username === '' ? 'answers' : 'accepts the user and the password'}`)]
  } catch (error) {
    const code = errorCodeOf(error)
    return [
      fail(
        'Mail',
        `${host} refused the connection or did not answer (${code})`,
        remedies[code] ?? remedies['ESOCKET'] ?? '',
      ),
    ]
  } finally {
    server.close()
  }
}

const remedies: Readonly<Record<string, string>> = {
  EAUTH: 'Correct the user and the password in TRIBUTARY_SMTP_URL; encode special characters such as @ as %40.',
  ETLS: 'The server offers no encryption. Use smtps:// and port 465, or a server that offers STARTTLS.',
  ESOCKET:
    'Check host, port and firewall. smtps:// is for port 465, smtp:// for 587; a private certificate authority goes into NODE_EXTRA_CA_CERTS.',
}
