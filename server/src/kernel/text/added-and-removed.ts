/** Formats the names that were added to a set and removed from it, for the audit log and for people. */

export interface ChangedNames {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** The most names of each kind. */
export const loggedMax = 50
const spoken = 10

/** The first fifty names of each kind and their number, because thousands of links can change at once. */
export function summariseForLog({ added, removed }: ChangedNames): object {
  return {
    added: added.slice(0, loggedMax),
    addedCount: added.length,
    removed: removed.slice(0, loggedMax),
    removedCount: removed.length,
  }
}

/** 'added Kitchen, Bar; removed Attic', or '' if nothing changed. */
export function describeChangedNames({ added, removed }: ChangedNames): string {
  return [listed('added', added), listed('removed', removed)].filter((part) => part !== '').join('; ')
}

function listed(verb: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const rest = names.length - spoken
  return `${verb} ${names.slice(0, spoken).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
