/** Names the people whom a user can ask for access. */

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
  return disjunction.format(names)
}

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' })
