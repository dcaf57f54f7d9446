/** Begins a load into a table that the user may write at least partly. */
import type { loads } from '@tributary/contract/loads'
import { plainName } from '@tributary/contract/sheet-headings'
import type * as z from 'zod'
import { badField, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findRecord, insertLoad, type LoadRecord, ownsFile, type LoadRow } from './queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { toLoadTable } from './replies.ts'
import { tableNameOf } from './load-table.ts'
import { fileExpiredFault } from './load-faults.ts'

export interface NewLoadRequest {
  readonly userId: string
  readonly input: z.output<(typeof loads)['begin']['body']>
}

/** Throws `loadRefused`, `notFound` or a field error. */
export async function beginLoad(db: Db, organisationId: string, { userId, input }: NewLoadRequest): Promise<LoadRow> {
  const record = await requireWritableRecord(db, organisationId, { table: input, userId })
  requireHeadings(input)
  const {
    source,
    workbook,
    sheet,
    firstRow,
    firstColumn,
    columns,
    entity,
    area,
    subarea,
    milestone,
    fileId = null,
    types = [],
  } = input
  if (fileId !== null && !(await ownsFile(db, organisationId, { id: fileId, userId }))) throw fileExpiredFault()
  const defaults = Object.fromEntries(
    Object.entries({ entity, area, subarea, milestone }).filter(([, name]) => name !== undefined),
  )
  const where = { source, workbook, sheet, firstRow, firstColumn, columns, fileId, chosenTypes: types }
  const tableName = tableNameOf(record)
  return await insertLoad(db, organisationId, { ...where, record, tableName, userId, defaults, undoes: null })
}

/** A type for a column that is not in the sheet would be ignored silently. */
function requireHeadings({ columns, types = [] }: NewLoadRequest['input']): void {
  const headings = new Set(columns.map(plainName))
  const other = types.find(({ column }) => !headings.has(plainName(column)))
  if (other !== undefined) throw badField('types', `names ‘${other.column}’, which is not one of the columns`)
}

export interface TableToWrite {
  readonly table: Pick<NewLoadRequest['input'], 'versionId' | 'helperTableId'>
  readonly userId: string
}

/** Throws `notFound` for an unknown table, and `loadRefused` for a table that the user may not load into. */
export async function requireWritableRecord(
  db: Db,
  organisationId: string,
  { table: named, userId }: TableToWrite,
): Promise<LoadRecord> {
  if ((named.versionId === undefined) === (named.helperTableId === undefined))
    throw badField('versionId', 'must be given, or helperTableId, and not both')
  const record = requireFound(await findRecord(db, organisationId, named))
  const rights = await readRights(db, organisationId, userId)
  const table = toLoadTable(record, rights, [])
  if (table?.mayWrite === true) return record
  throw detailedFault(
    'loadRefused',
    table === undefined
      ? `You may not use ‘${record.name}’. ${rights.advice.access}`
      : `‘${record.name}’ is locked. Choose another table, or ${rights.advice.unlock}.`,
  )
}
