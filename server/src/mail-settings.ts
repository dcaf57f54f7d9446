/** Whom our mail comes from, from the environment. */

/** Adds to `problems` what is wrong. @param publicUrl a whole address; its host is the sender's by default. */
export function readMailFrom(env: Readonly<Record<string, string | undefined>>, publicUrl: string, problems: string[]): string {
  const given = env['TRIBUTARY_MAIL_FROM']
  if (given === undefined) return `Tributary <no-reply@${URL.parse(publicUrl)?.hostname ?? 'localhost'}>`
  if (!isSender(given))
    problems.push('TRIBUTARY_MAIL_FROM must be an address, with or without a name before it, such as Tributary <no-reply@example.com>.')
  return given
}

function isSender(text: string): boolean {
  const [, named, bare] = /^(?:[^\p{Cc}<>",;:@]+ <([^<>]+)>|([^<>]+))$/u.exec(text) ?? []
  return /^[^\s\p{Cc}<>()",;:@]+@[^\s\p{Cc}<>()",;:@]+$/u.test(named ?? bare ?? '')
}
