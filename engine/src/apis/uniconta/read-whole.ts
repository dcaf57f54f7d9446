/** Reads a full table, company by company. */
import { encodeDocuments, encodeKeys } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { UnicontaApi } from './api.ts'
import { Occurrences } from './duplicate-keys.ts'
import { numberRows, describeDuplicateKey, type RowNumbering } from './rows.ts'
import { companySet, type UnicontaTable } from './tables.ts'

export async function* readWhole(
  api: UnicontaApi,
  table: UnicontaTable,
  tell: ReadRequest['log'],
): AsyncGenerator<RowBatch> {
  for (const company of table.setNames.keys()) {
    const occurrences = new Occurrences()
    for await (const numberedRows of readNumberedRows(api, { table, company, occurrences }))
      yield* await encodeDocuments(table.shape, numberedRows)
    if (occurrences.repeated !== null) tell(describeDuplicateKey(table, company, occurrences.repeated))
  }
}

export async function* readWholeKeys(
  api: UnicontaApi,
  table: UnicontaTable,
  columns: readonly string[] = [],
): AsyncGenerator<RowBatch> {
  for (const company of table.setNames.keys())
    for await (const numberedRows of readNumberedRows(api, { table, company, occurrences: new Occurrences() }))
      yield encodeKeys(table.shape, numberedRows, columns)
}

export async function* readNumberedRows(
  api: UnicontaApi,
  numbering: RowNumbering,
): AsyncGenerator<readonly JsonObject[]> {
  const { table, company, occurrences } = numbering
  for await (const rows of api.pages({ company, set: table.setNames.get(company) ?? table.name })) {
    // Uniconta may return all companies of the login, whatever the requested one.
    const own =
      table.name === companySet ? rows.filter((row) => String(readMember(row, 'PrimaryKeyId')) === company) : rows
    yield numberRows(numbering, own)
    occurrences.keep()
  }
}
