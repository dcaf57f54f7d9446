/** How users appear in lists, whichever endpoint returned them. For guests the server returns names only. */

interface NamedUser {
  readonly Id: string
  readonly FirstName: string
  readonly LastName: string
  readonly EmailAddress?: string | undefined
  readonly Status?: { readonly Name: string } | undefined
}

export function fullName({ FirstName, LastName }: Pick<NamedUser, 'FirstName' | 'LastName'>): string {
  return `${FirstName} ${LastName}`
}

/** 'Archived' or 'Locked'; null for a user who can sign in. */
export function accountStatus({ Status }: Pick<NamedUser, 'Status'>): string | null {
  if (Status?.Name === 'archived') return 'Archived'
  return Status?.Name === 'locked' ? 'Locked' : null
}

/** The entry of a user in a list of choices. */
export function toUserItem(user: NamedUser) {
  const status = accountStatus(user)
  const details = [status, user.EmailAddress].filter((detail) => detail !== null && detail !== undefined)
  return { id: user.Id, name: fullName(user), detail: details.join(' · '), isInactive: status !== null }
}
