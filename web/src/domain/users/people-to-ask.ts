/** Names the people whom a user can ask for access. */
import { formatList } from '../../ui/formats.ts'

interface PersonToAsk {
  readonly FirstName: string
  readonly LastName: string
  /** Null or absent if the user may not see it. */
  readonly EmailAddress?: string | null | undefined
}

const maxNames = 4

/** Formats 'Ana One (ana@harbour.example) or Ben Two (ben@harbour.example)', of at most four people. */
export function formatPeopleToAsk(people: readonly PersonToAsk[]): string {
  const names = people
    .slice(0, maxNames)
    .map(({ FirstName, LastName, EmailAddress }) =>
      EmailAddress == null ? `${FirstName} ${LastName}` : `${FirstName} ${LastName} (${EmailAddress})`,
    )
  return formatList(names, 'disjunction')
}
