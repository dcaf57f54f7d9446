/** Parses the text of an email into codes, buttons and paragraphs. */

export type MailPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string; readonly address: string }

export function parseMail(mail: string): readonly MailPart[] {
  const parts = mail.trimEnd().split('\n\n')
  return parts.filter((part) => !part.startsWith('-- ')).map(parsePart)
}

function parsePart(part: string): MailPart {
  const code = /^ {4}(\S+)$/.exec(part)?.[1]
  if (code !== undefined) return { kind: 'code', text: code }
  const [, text, address] = /^(.+):\n(https?:\/\/\S+)$/.exec(part) ?? []
  return text === undefined || address === undefined ? { kind: 'text', text: part } : { kind: 'action', text, address }
}

/**
 * Splits a text into words and URLs. Only URLs of this portal count: user input must not become a link to another
 * site.
 */
export function splitAtUrls(text: string, origin: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isAddress: URL.parse(piece)?.origin === origin }))
}
