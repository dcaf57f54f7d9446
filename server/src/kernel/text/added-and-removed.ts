/** What was added to a set of named things and what was taken from it, for the audit log and for people. */

export interface ChangedNames {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Of each kind. */
export const loggedMax = 50
const spoken = 10

/** With the first fifty of each, and how many there are: thousands of links can change at once. */
export function logged({ added, removed }: ChangedNames): object {
  return {
    added: added.slice(0, loggedMax),
    addedCount: added.length,
    removed: removed.slice(0, loggedMax),
    removedCount: removed.length,
  }
}

/** 'added Kitchen, Bar; removed Attic', or '' where nothing was. */
export function spokenChange({ added, removed }: ChangedNames): string {
  return [listed('added', added), listed('removed', removed)].filter((part) => part !== '').join('; ')
}

function listed(verb: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const rest = names.length - spoken
  return `${verb} ${names.slice(0, spoken).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
