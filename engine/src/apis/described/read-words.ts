/** Says how changed and deleted rows of a stream are found, for people. */
import type { Changes, Deletes } from './description/schema-changes.ts'
import type { StreamDescription } from './description/schema.ts'

/** Two sentences, or one if every run reads everything. */
export function readingWords(title: string, { changes, deletes }: StreamDescription): string {
  if (changes === undefined)
    return `${title} does not report which of these rows have changed, so every run reads all of them. Rows that are no longer there are deleted.`
  return `${changeWords(title, changes)} ${deletionWords(title, changes, deletes)}`
}

function changeWords(title: string, changes: Changes): string {
  switch (changes.kind) {
    case 'cursor':
      return `Changes: rows whose ${changes.column} is not older than ${spanWords(changes.overlapSeconds)} before the last read.`
    case 'windows':
      return `Changes: every run reads the rows again whose ${changes.column} is in the last ${changes.againDays} days.`
    case 'feed':
      return `Changes: ${title} reports them.`
    case 'events':
      return `Changes: rows that events of ${title} name, which it keeps for ${changes.maxAgeDays} days. After a longer pause, everything is read.`
    case 'months':
      return 'Changes: every run reads this month and the last one again, once a day all months.'
  }
}

function deletionWords(title: string, changes: Changes, deletes: Deletes | undefined): string {
  if (changes.kind === 'months') return 'Deletions: the figures of a month replace those before.'
  switch (deletes?.kind) {
    case 'never':
      return `Deletions: none. ${deletes.why}`
    case 'status':
    case 'events':
      return `Deletions: ${title} reports them${mayHide(changes) ? ', and all keys are compared once a day' : ''}.`
    case 'keys':
    case undefined:
      return 'Deletions: all keys are compared once a day.'
  }
}

/** Reads that skip records may skip deleted ones. */
function mayHide(changes: Changes): boolean {
  return changes.kind !== 'cursor' || changes.maxAgeDays !== undefined || changes.rowsMax !== undefined
}

function spanWords(seconds: number): string {
  if (seconds === 0) return 'the moment'
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`
}
