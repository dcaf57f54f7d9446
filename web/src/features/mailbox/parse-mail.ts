/** The text of a mail, taken apart again: what is a code, what a button, what is merely said. */

export type MailPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string; readonly address: string }

export function partsOf(mail: string): readonly MailPart[] {
  const parts = mail.trimEnd().split('\n\n')
  return parts.filter((part) => !part.startsWith('-- ')).map(partOf)
}

function partOf(part: string): MailPart {
  const code = /^ {4}(\S+)$/.exec(part)?.[1]
  if (code !== undefined) return { kind: 'code', text: code }
  const [, text, address] = /^(.+):\n(https?:\/\/\S+)$/.exec(part) ?? []
  return text === undefined || address === undefined ? { kind: 'text', text: part } : { kind: 'action', text, address }
}

/** Words and addresses in turn; an address is one of this portal, for what somebody typed must not become a link to elsewhere. */
export function wordsAndAddresses(
  text: string,
  origin: string,
): readonly { readonly text: string; readonly isAddress: boolean }[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isAddress: URL.parse(piece)?.origin === origin }))
}
