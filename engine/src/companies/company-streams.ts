/** The streams of several companies as one: their tables with the column of the company, which is the first of every key. */
import { createHash } from 'node:crypto'
import { Fault } from '../ports/faults.ts'
import type { Column, Reference, Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import { columnPlaces, type ColumnPlaces } from './company-rows.ts'

/** The longest id of a company. A key must fit the indexes of every target. */
export const companyIdMax = 100

export interface CompanyNames {
  /** The column with the company of a row. */
  readonly column: string
  /** The table of the companies. */
  readonly table: string
}

/** The usual names, or others if a table or column of the source has one of them. */
export function companyNames(streams: readonly Stream[]): CompanyNames {
  const tables = streams.flatMap(({ table, children }) => [table, ...children])
  const columns = new Set(tables.flatMap((table) => table.columns.map(({ name }) => name.toLowerCase())))
  const names = new Set(tables.map(({ name }) => name.toLowerCase()))
  return {
    column: columns.has('company_id') ? 'connector_company_id' : 'company_id',
    table: names.has('company') ? 'connector_company' : 'company',
  }
}

export interface SharedStream {
  readonly stream: Stream
  /** As the companies that have it describe it, by company. */
  readonly originals: ReadonlyMap<string, Stream>
  /** Where the columns of a company's tables are, by company and table. */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, ColumnPlaces>>
}

/** @param byCompany the streams of each company; at least one */
export function shareStreams(
  names: CompanyNames,
  byCompany: ReadonlyMap<string, readonly Stream[]>,
): ReadonlyMap<string, SharedStream> {
  const shared = new Map<string, SharedStream>()
  for (const name of new Set([...byCompany.values()].flatMap((streams) => streams.map((stream) => stream.name)))) {
    const originals = new Map<string, Stream>()
    for (const [company, streams] of byCompany) {
      const found = streams.find((stream) => stream.name === name)
      if (found !== undefined) originals.set(company, found)
    }
    shared.set(name, shareStream(names, originals))
  }
  return shared
}

function shareStream(names: CompanyNames, originals: ReadonlyMap<string, Stream>): SharedStream {
  const all = [...originals.values()]
  const [first] = all
  if (first === undefined) throw new Error('A stream belongs to at least one company.')
  const {
    binaryFingerprint: _binary,
    offersPlain: _plain,
    rowsEstimate: _rows,
    definition: _definition,
    ...rest
  } = first
  const main = mergeTables(all.map(({ table }) => table))
  const children = mergeChildren(all)
  const estimates = all.map(({ rowsEstimate }) => rowsEstimate)
  const definitions = new Set(all.flatMap(({ definition }) => definition ?? []))
  const clash = findClash(all)
  return {
    originals,
    places: new Map(
      [...originals].map(([company, { table, children: own }]) => [
        company,
        new Map(
          [table, ...own].map((each) => [
            each.name,
            columnPlaces(
              ([main, ...children].find(({ name }) => name === each.name) ?? each).columns.map(({ name }) => name),
              each,
            ),
          ]),
        ),
      ]),
    ),
    stream: {
      ...rest,
      table: withCompany(names, main),
      children: children.map((table) => withCompany(names, table)),
      isByCompany: true,
      ...(estimates.every((rows) => rows !== undefined) && {
        rowsEstimate: estimates.reduce((sum, rows) => sum + rows, 0),
      }),
      ...(definitions.size > 0 && {
        definition: createHash('sha256')
          .update(JSON.stringify([...definitions].toSorted()))
          .digest('hex')
          .slice(0, 32),
      }),
      ...(clash !== null && { fault: clash }),
    },
  }
}

/** The columns of every company: one that a company lacks is null in its rows. */
function mergeTables(tables: readonly Table[]): Table {
  const [first] = tables
  if (first === undefined) throw new Error('A table belongs to at least one company.')
  const columns = new Map<string, Column>()
  for (const table of tables)
    for (const column of table.columns) if (!columns.has(column.name)) columns.set(column.name, column)
  const isInAll = (name: string): boolean =>
    tables.every((table) => table.columns.some((column) => column.name === name))
  return {
    ...first,
    columns: [...columns.values()].map((column) => (isInAll(column.name) ? column : { ...column, nullable: true })),
  }
}

function mergeChildren(streams: readonly Stream[]): readonly Table[] {
  const byName = Map.groupBy(
    streams.flatMap(({ children }) => children),
    ({ name }) => name,
  )
  return [...byName.values()].map(mergeTables)
}

/** Companies of one kind of source have the same tables, so a difference needs a person. */
function findClash(streams: readonly Stream[]): Fault | null {
  const [first, ...others] = streams
  if (first === undefined || others.length === 0) return first?.fault ?? null
  const hasOther = others.some(
    ({ table }) => table.name !== first.table.name || table.key.join() !== first.table.key.join(),
  )
  if (!hasOther) return streams.every(({ fault }) => fault !== undefined) ? (first.fault ?? null) : null
  return new Fault('settings', {
    code: 'companies.other_tables',
    notice: `The companies have different tables or keys of ‘${first.name}’, so they cannot share one. Connect them with a schema each.`,
  })
}

function companyColumn({ column }: CompanyNames): Column {
  return {
    name: column,
    type: { kind: 'text', maxLength: companyIdMax },
    nullable: false,
    description:
      'Company that the row belongs to, as the source identifies it. Ids and numbers are unique only within a company.',
  }
}

function withCompany(names: CompanyNames, table: Table): Table {
  const { column } = names
  const { references = [] } = table
  const isOf = (reference: Reference): Reference => ({
    ...reference,
    columns: [column, ...reference.columns],
    to: [column, ...reference.to],
  })
  return {
    ...table,
    columns: [companyColumn(names), ...table.columns],
    // A table without a key stays one: it is replaced as a whole.
    key: table.key.length === 0 ? [] : [column, ...table.key],
    ...(table.parentKey !== undefined && { parentKey: [column, ...table.parentKey] }),
    references: [...references.map(isOf), { columns: [column], table: names.table, to: [column] }],
  }
}

/** The stream of the table of the companies themselves. */
export function companiesStream(names: CompanyNames): Stream {
  const text = (name: string, maxLength: number, description: string): Column => ({
    name,
    type: { kind: 'text', maxLength },
    nullable: true,
    description,
  })
  return {
    name: companiesStreamName,
    table: {
      name: names.table,
      key: [names.column],
      description: 'The companies of the connector. Every other table refers to them.',
      columns: [
        { ...companyColumn(names), description: 'The company, as the source identifies it.' },
        text('name', 255, 'Name of the company.'),
        text('country', 10, 'Country as its two-letter code, where the source reports it.'),
        text('currency', 10, 'Base currency as its three-letter code, where the source reports it.'),
        text('state', 10, '`current`: it is read. `former`: it was taken off the connector, and its rows stay.'),
      ],
    },
    children: [],
    reads: 'whole',
    wholeReason: 'The list is short.',
    hasDistinctKeys: true,
    keyComparison: 'never',
  }
}

const companiesStreamName = 'Tributary/Companies'
