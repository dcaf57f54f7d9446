/** That a stream with a call for each month has nothing that only lists of records have. */
import type { DescriptionPath, Report } from './check-hosts.ts'
import type { EntitySetDescription } from './schema-odata.ts'
import type { StreamDescription } from './schema.ts'
import { balanceColumn, linesEnding, monthColumn } from '../months/monthly-columns.ts'

const reason = 'is not for a report by months, whose figures of a month replace those before'

export function checkMonths(path: DescriptionPath, stream: StreamDescription, report: Report): void {
  const { changes, children, detail, rest, deletes, columns } = stream
  if (changes?.kind !== 'months') return
  for (const [part, value] of Object.entries({ children, detail, rest, deletes }))
    if (value !== undefined) report([...path, part], reason)
  for (const name of [monthColumn, balanceColumn])
    if (columns[name] !== undefined)
      report([...path, 'columns', name], 'is a column that a report by months has itself')
}

/** The names of the tables of a stream, in addition to its children. */
export function monthlyTables(name: string, { changes }: StreamDescription): readonly string[] {
  return changes?.kind === 'months' ? [`${name}${linesEnding}`] : []
}

export function checkMonthlySet(path: DescriptionPath, set: EntitySetDescription, report: Report): void {
  const { changes, expand, rest, deletes, key } = set
  if (changes?.kind !== 'months') return
  for (const [part, value] of Object.entries({ expand, rest, deletes, key }))
    if (value !== undefined) report([...path, part], reason)
}
