/** Which columns of a stream's tables an erasure can clear, and how the rows of a person are found in them. Pure. */
import type { StoredTable } from '../../access/dictionary/stored-structure.ts'
import type { ErasureSearch } from '../../connections/history/history-erasures.ts'

interface ErasableTable {
  /** As in the target. */
  readonly table: string
  /** The key of the main table; of a child the columns that hold it. */
  readonly key: readonly string[]
  readonly columns: readonly ErasableColumn[]
}

interface ErasableColumn {
  readonly name: string
  /** As the target spells it. */
  readonly type: string
  /** By its name it holds data of a person. */
  readonly isProposed: boolean
}

/** A stream whose rows of the person are found by a column of its main table. */
export interface ErasableStream {
  readonly stream: string
  readonly column: string
  /** The main table first. */
  readonly tables: readonly ErasableTable[]
}

export interface StreamStructure {
  readonly stream: string
  readonly structure: readonly StoredTable[]
}

/**
 * The stream itself, and every other one whose main table has a column that refers to the searched one, or that has its name.
 * Undefined if the structure of a child is from an earlier version, and lacks the key of the main table.
 */
export function planErasure(
  streams: readonly StreamStructure[],
  { stream, column }: { readonly stream: string; readonly column: string },
): readonly ErasableStream[] | undefined {
  const main = streams.find((each) => each.stream === stream)?.structure[0]
  const searched = main?.columns.find(({ name }) => name === column)
  if (main === undefined || searched === undefined) return undefined
  const plans = streams.flatMap(({ stream: name, structure }) => {
    const own =
      name === stream ? column : columnLike(structure[0], { table: main.sourceName, column: searched.sourceName })
    return own === undefined ? [] : [{ stream: name, column: own, tables: structure.map(toErasable) }]
  })
  const complete = plans.flatMap(({ tables, ...plan }) => {
    const described = tables.filter((table) => table !== undefined)
    return described.length === tables.length ? [{ ...plan, tables: described }] : []
  })
  if (complete.length < plans.length) return undefined
  return complete.toSorted((one, other) => Number(other.stream === stream) - Number(one.stream === stream))
}

/** The column of a main table that holds the same value. */
function columnLike(
  table: StoredTable | undefined,
  searched: { readonly table: string; readonly column: string },
): string | undefined {
  const reference = table?.references.find(
    ({ table: to, to: keys }) => to === searched.table && keys.length === 1 && keys[0] === searched.column,
  )
  const sourceName = reference?.columns[0] ?? searched.column
  return table?.columns.find((column) => column.sourceName === sourceName)?.name
}

function toErasable(stored: StoredTable, index: number): ErasableTable | undefined {
  const key = index === 0 ? stored.columns.filter(({ isKey }) => isKey).map(({ name }) => name) : stored.parentKey
  if (key === undefined) return undefined
  const references = new Set(stored.references.flatMap(({ columns }) => columns))
  const columns = stored.columns
    .filter(
      ({ name, sourceName, isKey, type }) =>
        !isKey && !key.includes(name) && !references.has(sourceName) && isText(type),
    )
    .map(({ name, type }) => ({ name, type, isProposed: isOfPerson(name) }))
  return { table: stored.name, key, columns }
}

/** Texts and documents, in each kind of database. */
function isText(type: string): boolean {
  return /char|text|clob|json|xml/iu.test(type)
}

const personalWords =
  /name|mail|phone|mobile|fax|skype|contact|person|address|attention|street|city|region|post|zip|birth|gender|tax_number|bank_account|iban|note|comment|description|reference/iu

function isOfPerson(column: string): boolean {
  return personalWords.test(column)
}

/** Without streams of which no column is cleared, unless the rows are only counted. @param columns to clear, by table */
export function toSearches(
  streams: readonly ErasableStream[],
  columns: ReadonlyMap<string, readonly string[]>,
): readonly ErasureSearch[] {
  return streams
    .map(({ tables, ...search }) => ({
      ...search,
      tables: tables.map(({ table, key }) => ({ table, key, clear: columns.get(table) ?? [] })),
    }))
    .filter(({ tables }) => columns.size === 0 || tables.some(({ clear }) => clear.length > 0))
}
