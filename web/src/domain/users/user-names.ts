/** How people appear in lists, whichever call they come from. A guest is told their names alone. */

interface Listed {
  readonly Id: string
  readonly FirstName: string
  readonly LastName: string
  readonly EmailAddress?: string | undefined
  readonly Status?: { readonly Name: string } | undefined
}

export function nameOf({ FirstName, LastName }: Pick<Listed, 'FirstName' | 'LastName'>): string {
  return `${FirstName} ${LastName}`
}

/** 'Archived' or 'Locked', for somebody who cannot sign in. */
export function standingOf({ Status }: Pick<Listed, 'Status'>): string | null {
  if (Status?.Name === 'archived') return 'Archived'
  return Status?.Name === 'locked' ? 'Locked' : null
}

/** For a list to choose from. */
export function personItem(user: Listed): { readonly id: string; readonly name: string; readonly detail: string } {
  const details = [standingOf(user), user.EmailAddress].filter((detail) => detail !== null && detail !== undefined)
  return { id: user.Id, name: nameOf(user), detail: details.join(' · ') }
}
