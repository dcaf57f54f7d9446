/** The SMTP server and the sender of emails. */
import { optionalText, readSetting, type SettingInput } from './setting.ts'

export const mailSettings = {
  smtpUrl: optionalText('TRIBUTARY_SMTP_URL', {
    isRequired: true,
    secret: 'password',
    example: 'smtps://user:password@mail.example.com:465',
    defaultText: 'a trial sends nothing',
    meaning:
      'The mail server. `smtps://` uses TLS from the first byte. `smtp://host:587` switches to TLS if the server offers it, and must if the address has a user, so that no password is sent unencrypted. Name a private certificate authority in `NODE_EXTRA_CA_CERTS`.',
  }),
}

export const mailFromSetting = optionalText('TRIBUTARY_MAIL_FROM', {
  example: 'Tributary <no-reply@example.com>',
  defaultText: 'no-reply at the host of TRIBUTARY_PUBLIC_URL',
  meaning: 'The sender of mail: an address, with or without a name before it.',
})

/** @param publicUrl an absolute URL; its host is the default host of the sender */
export function readMailFrom(given: SettingInput, publicUrl: string): string {
  const from = readSetting(mailFromSetting, given)
  if (from === null) return `Tributary <no-reply@${URL.parse(publicUrl)?.hostname ?? 'localhost'}>`
  if (!isSender(from))
    given.problems.push(
      'TRIBUTARY_MAIL_FROM must be an address, with or without a name before it, such as Tributary <no-reply@example.com>.',
    )
  return from
}

function isSender(text: string): boolean {
  const [, named, bare] = /^(?:[^\p{Cc}<>",;:@]+ <([^<>]+)>|([^<>]+))$/u.exec(text) ?? []
  return /^[^\s\p{Cc}<>()",;:@]+@[^\s\p{Cc}<>()",;:@]+$/u.test(named ?? bare ?? '')
}
