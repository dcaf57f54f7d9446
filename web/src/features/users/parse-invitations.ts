/** The lines of a bulk invitation: `First Last <email>`, or an address alone. */
import { type BulkLine, twice } from '../../domain/records/bulk-add-lines.ts'
import { emailRule } from '../../ui/forms/email-rule.ts'

export interface InviteLine extends BulkLine {
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
}

/** Blank lines are none; the same address twice is invited once. */
export function parseInvites(text: string): readonly InviteLine[] {
  const seen = new Set<string>()
  const lines: InviteLine[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const parsed = parseLine(line)
    const address = parsed.emailAddress.toLowerCase()
    lines.push({ ...parsed, flaw: seen.has(address) ? twice : flawOf(parsed) })
    seen.add(address)
  }
  return lines
}

function parseLine(line: string): Omit<InviteLine, 'flaw'> {
  const [, name = '', address] = /^(.*?)<([^<>]*)>$/.exec(line) ?? []
  const emailAddress = (address ?? line).trim()
  const words = (name.trim() === '' ? nameFrom(emailAddress) : name.trim()).split(/\s+/)
  return { line, emailAddress, firstName: words[0] ?? '', lastName: words.slice(1).join(' ') || '-' }
}

/** 'ana.ruiz@…' is probably called Ana Ruiz; she can put it right when she joins. */
function nameFrom(emailAddress: string): string {
  const [local = ''] = emailAddress.split('@')
  return local
    .split(/[._+-]+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

function flawOf({ emailAddress }: Omit<InviteLine, 'flaw'>): string | null {
  return emailRule(emailAddress)
}
