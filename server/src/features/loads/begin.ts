/** Begins a load: the table is there, and whoever loads may write something of it. */
import type { loads } from '@tributary/contract/loads'
import type * as z from 'zod'
import { ApiFault, badField } from '../../platform/fault.ts'
import type { Db } from '../../platform/store.ts'
import { findRecord, insertLoad, type LoadRecord, ownsFile } from './queries.ts'
import { readRights } from './read-rights.ts'
import { shownTable } from './show.ts'
import { tableNameOf } from './tables.ts'

export interface Beginning {
  readonly userId: string
  readonly input: z.output<(typeof loads)['begin']['body']>
}

/** Answers the id of the load. */
export async function beginLoad(db: Db, organisationId: string, { userId, input }: Beginning): Promise<string> {
  if ((input.versionId === undefined) === (input.helperTableId === undefined))
    throw badField('versionId', 'must be given, or helperTableId, and not both')
  const record = await findRecord(db, organisationId, input)
  if (record === undefined) throw new ApiFault('notFound')
  await requireWritable(db, organisationId, { record, userId })
  const { source, workbook, sheet, firstRow, firstColumn, columns, entity, area, subarea, milestone, fileId = null } = input
  if (fileId !== null && !(await ownsFile(db, organisationId, { id: fileId, userId }))) {
    const detail = 'The file is not here any more: files are kept for an hour. Choose it again.'
    throw new ApiFault('loadRefused', { values: { detail } })
  }
  const defaults = Object.fromEntries(Object.entries({ entity, area, subarea, milestone }).filter(([, name]) => name !== undefined))
  const where = { source, workbook, sheet, firstRow, firstColumn, columns, fileId }
  return await insertLoad(db, organisationId, { ...where, record, tableName: tableNameOf(record), userId, defaults, undoes: null })
}

async function requireWritable(
  db: Db,
  organisationId: string,
  { record, userId }: { readonly record: LoadRecord; readonly userId: string },
): Promise<void> {
  const rights = await readRights(db, organisationId, userId)
  const table = shownTable(record, rights)
  if (table?.mayWrite === true) return
  const detail =
    table === undefined
      ? `You may not use ‘${record.name}’. ${rights.advice.access}`
      : `‘${record.name}’ is locked. Choose another table, or ${rights.advice.unlock}.`
  throw new ApiFault('loadRefused', { values: { detail } })
}
