/** Parses the lines of a bulk invitation: `First Last <email>`, or only an address. */
import { type BulkLine, duplicateError } from '../../domain/records/bulk-add-lines.ts'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'

export interface InvitationLine extends BulkLine {
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
}

/** Skips blank lines. A repeated address gets an error. */
export function parseInvitations(text: string): readonly InvitationLine[] {
  const seen = new Set<string>()
  const lines: InvitationLine[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const parsed = parseLine(line)
    const address = parsed.emailAddress.toLowerCase()
    lines.push({ ...parsed, error: seen.has(address) ? duplicateError : validateEmailAddress(parsed.emailAddress) })
    seen.add(address)
  }
  return lines
}

function parseLine(line: string): Omit<InvitationLine, 'error'> {
  const [, name = '', address] = /^(.*?)<([^<>]*)>$/.exec(line) ?? []
  const emailAddress = (address ?? line).trim()
  const words = (name.trim() === '' ? guessName(emailAddress) : name.trim()).split(/\s+/)
  return { line, emailAddress, firstName: words[0] ?? '', lastName: words.slice(1).join(' ') || '-' }
}

/** Guesses the name from the address: 'ana.ruiz@…' becomes Ana Ruiz. Users can correct it when they join. */
function guessName(emailAddress: string): string {
  const [local = ''] = emailAddress.split('@')
  return local
    .split(/[._+-]+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}
