/** Literals and names of M, the language of Power Query: https://learn.microsoft.com/powerquery-m/m-spec-lexical-structure */
import type { ReportColumnKind } from './report-model.ts'

/**
 * A text literal. Line breaks, control characters and invisible characters are escaped, so that the text stays on one
 * line and shows what it contains.
 */
export function mText(value: string): string {
  const escaped = value
    .replaceAll('#(', '#(#)(')
    .replaceAll('"', '""')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `#(${hexOf(character)})`)
  return `"${escaped}"`
}

/** Four digits, or eight for characters outside the basic plane. */
function hexOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return hex.padStart(hex.length > 4 ? 8 : 4, '0')
}

/** The name of a query or of a step. */
export function mName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name) && !keywords.has(name) ? name : `#${mText(name)}`
}

const keywords = new Set(
  'and as each else error false if in is let meta not null or otherwise section shared then true try type'.split(' '),
)

export function mList(items: readonly string[]): string {
  return `{${items.join(', ')}}`
}

/** The steps of a `let` expression, each reading the one before; its value is the last one. */
export function mLet(steps: readonly (readonly [name: string, expression: string])[]): string {
  const lines = steps.map(
    ([name, expression], at) => `    ${mName(name)} = ${expression}${at < steps.length - 1 ? ',' : ''}`,
  )
  return ['let', ...lines, 'in', `    ${mName(steps.at(-1)?.[0] ?? '')}`].join('\n')
}

/** The rows of a table, read with the PostgreSQL connector. `server`: host and port. */
export function warehouseRows(
  { server, database }: { readonly server: string; readonly database: string },
  { schema, name }: { readonly schema: string; readonly name: string },
): string {
  const source = `PostgreSQL.Database(${mText(server)}, ${mText(database)}, [CreateNavigationProperties = false])`
  return `${source}{[Schema = ${mText(schema)}, Item = ${mText(name)}]}[Data]`
}

interface FeedColumn {
  /** The name in the feed. */
  readonly property: string
  readonly name: string
  readonly kind: ReportColumnKind
}

/** The rows of a set of the OData feed, with the names of columns in the warehouse, and times in UTC as the warehouse has them. */
export function feedRows(service: string, set: string, columns: readonly FeedColumn[]): string {
  const source = `OData.Feed(${mText(service)}, null, [Implementation = "2.0"])`
  const rows = `${source}{[Name = ${mText(set)}, Signature = "table"]}[Data]`
  const times = columns.filter(({ kind }) => kind === 'instant' || kind === 'dateTime')
  const inZone = times.map(({ property }) => mList([mText(property), inUtc, 'type nullable datetime']))
  const timed = times.length === 0 ? rows : `Table.TransformColumns(${rows}, ${mList(inZone)})`
  const renamed = columns.filter(({ property, name }) => property !== name)
  const pairs = renamed.map(({ property, name }) => mList([mText(property), mText(name)]))
  return renamed.length === 0 ? timed : `Table.RenameColumns(${timed}, ${mList(pairs)})`
}

/** A time may have a zone or be in UTC without one: connectors and their versions differ. */
export const inUtc = '(at) => if at is datetimezone then DateTimeZone.RemoveZone(DateTimeZone.ToUtc(at)) else at'
