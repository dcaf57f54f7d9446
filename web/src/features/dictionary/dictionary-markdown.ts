/** The dictionary as a Markdown document. */
import type { DictionaryColumn, DictionaryTable } from '@tributary/contract/dictionary'

export function toMarkdown(organisation: string, tables: readonly DictionaryTable[]): string {
  return `${[`# Dictionary of ${inline(organisation)}`, ...tables.map(section)].join('\n\n')}\n`
}

function section(table: DictionaryTable): string {
  const { ConnectorName, Schema, Name, SourceName, AdministratorDescription, Description, Columns, Relations } = table
  const place = Schema === '' ? Name : `${Schema}.${Name}`
  const relations = Relations.map(
    ({ Columns: from, Table, To }) =>
      `- ${from.map(inline).join(', ')} → ${inline(Table)} (${To.map(inline).join(', ')})`,
  )
  return [
    `## ${inline(Name)}`,
    `${inline(ConnectorName)}, stream ${inline(SourceName)}, table ${inline(place)}`,
    ...[AdministratorDescription, Description].flatMap((text) => (text === null ? [] : [inline(text)])),
    [
      '| Column | Type | Key | May be empty | Field of the source | Description |',
      '|---|---|---|---|---|---|',
      ...Columns.map(row),
    ].join('\n'),
    ...(relations.length === 0 ? [] : [relations.join('\n')]),
  ].join('\n\n')
}

function row({
  Name,
  Type,
  IsKey,
  IsNullable,
  SourceField,
  AdministratorDescription,
  Description,
}: DictionaryColumn): string {
  const words = [AdministratorDescription, Description].filter((text) => text !== null).join(' ')
  const cells = [Name, Type, IsKey ? 'yes' : '', IsNullable ? 'yes' : 'no', SourceField, words]
  return `| ${cells.map(inline).join(' | ')} |`
}

/** On one line, with every character escaped that has a meaning in Markdown or HTML, and without marks that change the direction of the text. */
function inline(text: string): string {
  return text
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]()#+!|~-]/gu, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
