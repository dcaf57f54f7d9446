/** Says how changed and deleted rows of a table are found, for people. */
import type { ODataApi } from './api.ts'
import type { ODataTable } from './metadata/tables.ts'

/** Null if every run reads all rows. */
export function readingNoteOf({ described: { title } }: ODataApi, table: ODataTable): string | null {
  const changes = changeWords(title, table)
  return changes === null ? null : `Changes: ${changes} Deletions: ${deletionWords(title, table)}`
}

function changeWords(title: string, { description: { changes }, dated }: ODataTable): string | null {
  if (changes?.kind === 'feed') return `${title} reports them.`
  if (changes?.kind === 'cursor')
    return `rows whose ${changes.property} is not older than ${changes.overlapSeconds} seconds before the last read.`
  if (changes?.kind === 'months') return 'every run reads this month and the last one again, once a day all months.'
  if (dated === null) return null
  const recent = `every run reads the rows again whose ${dated.date.name} is in the last ${dated.againDays} days`
  return dated.growing === null
    ? `${recent}.`
    : `${recent}, and older rows whose ${dated.growing.property} is higher than at the last read.`
}

function deletionWords(title: string, { description: { changes, deletes } }: ODataTable): string {
  if (changes?.kind === 'months') return 'the figures of a month replace those before.'
  const compared = 'all keys are compared once a day.'
  if (deletes?.kind === 'never') return `none. ${deletes.why}`
  if (changes?.kind === 'feed') return `${title} reports them, and ${compared}`
  if (deletes?.kind !== 'status') return compared
  const isCertain = changes?.kind === 'cursor' && changes.maxAgeDays === undefined
  return isCertain ? `${title} marks them.` : `${title} marks them, and ${compared}`
}
