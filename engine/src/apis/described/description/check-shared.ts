/** That maps, texts for several tables, events and continued lists fit to the columns. */
import type { DescriptionPath, Report } from './check-hosts.ts'
import { placeholdersIn } from './placeholders.ts'
import type { ColumnDescription, RestDescription, StreamDescription } from './schema.ts'

type Columns = StreamDescription['columns']

export function checkShared(description: RestDescription, report: Report): void {
  const tables = Object.entries(description.streams).flatMap(([name, stream]) => tablesOf(name, stream))
  const used = new Set(tables.flatMap(({ columns }) => Object.keys(columns)))
  for (const name of Object.keys(description.common ?? {}))
    if (!used.has(name)) report(['common', name], 'describes no column')
  for (const { path, columns } of tables)
    for (const [name, column] of Object.entries(columns)) {
      const { map } = column as Partial<ColumnDescription>
      if (map !== undefined && description.maps?.[map] === undefined)
        report([...path, 'columns', name, 'map'], `there is no map ${map}`)
    }
  for (const [name, stream] of Object.entries(description.streams)) {
    checkEvents(['streams', name, 'changes'], stream, report)
    checkContinued(['streams', name], description, stream, report)
  }
}

function tablesOf(
  name: string,
  { columns, children = {} }: StreamDescription,
): readonly { readonly path: DescriptionPath; readonly columns: Columns }[] {
  const path = ['streams', name]
  const ofChildren = Object.entries(children).map(([child, table]) => ({
    path: [...path, 'children', child],
    columns: table.columns,
  }))
  return [{ path, columns }, ...ofChildren]
}

function checkEvents(
  path: DescriptionPath,
  { changes, key, deletes, detail }: StreamDescription,
  report: Report,
): void {
  if (changes?.kind !== 'events') return
  const [only, ...others] = key
  if (only === undefined || others.length > 0) report(path, 'needs a key of one column, which events name')
  if (!placeholdersIn(changes.record.path).includes(only ?? ''))
    report([...path, 'record', 'path'], `must name the key, {${only ?? 'id'}}`)
  if (detail !== undefined) report(path, 'already reads records one by one: leave detail out')
  if (deletes?.kind === 'keys') report(path, 'needs deletes of another kind: events report deletions')
}

function checkContinued(
  path: DescriptionPath,
  { settings }: RestDescription,
  { columns, children = {} }: StreamDescription,
  report: Report,
): void {
  for (const [child, { continued }] of Object.entries(children)) {
    if (continued === undefined) continue
    const texts = [continued.path, ...Object.values(continued.query ?? {}).map(String)]
    for (const part of texts.flatMap(placeholdersIn))
      if (columns[part] === undefined && settings[part] === undefined)
        report([...path, 'children', child, 'continued'], `there is no column or setting ${part}`)
  }
}
