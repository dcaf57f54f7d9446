/** Reads a full table, company by company. */
import { eachRow } from '../../../encoding/copy-text.ts'
import type { RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { encodeDocuments, encodeKeys, keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember } from '../../http/fields.ts'
import type { Query } from '../calls.ts'
import type { ODataApi } from './api.ts'
import { selectionOf, setIn, whereOf } from './conditions.ts'
import { deletionTestOf } from './deletions.ts'
import { Occurrences } from './duplicate-keys.ts'
import { describeDuplicateKey, numberRows, type RowNumbering } from './rows.ts'
import { findSelection } from './select.ts'
import type { ODataTable } from './metadata/tables.ts'

export async function* readWhole(api: ODataApi, table: ODataTable, log: ReadRequest['log']): AsyncGenerator<RowBatch> {
  for (const company of table.setNames.keys()) {
    const occurrences = new Occurrences()
    const numbering = { described: api.described, table, company, occurrences }
    for await (const { rows } of readNumberedRows(api, numbering, selectionOf(table))) {
      yield* await encodeDocuments(table.shape, rows)
    }
    if (occurrences.repeated !== null) log(describeDuplicateKey(table, company, occurrences.repeated))
  }
}

/** @param columns that follow the key */
export async function* readWholeKeys(
  api: ODataApi,
  table: ODataTable,
  columns: readonly string[] = [],
): AsyncGenerator<RowBatch> {
  // Without changes, keys are not compared, and a trial of $select would be a wasted call.
  const isWhole = columns.length > 0 || table.description.changes === undefined
  const selection = isWhole ? selectionOf(table) : await findSelection(api, table)
  for (const company of table.setNames.keys()) {
    const numbering = { described: api.described, table, company, occurrences: new Occurrences() }
    for await (const { rows } of readNumberedRows(api, numbering, selection))
      if (rows.length > 0) yield encodeKeys(table.shape, rows, columns)
  }
}

/** Reads the rows of these keys, among all others: a set of rows has no other way that every service offers. */
export async function* readWholeByKey(api: ODataApi, table: ODataTable, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const wanted = new Set(eachRow(keys))
  for (const company of table.setNames.keys()) {
    const numbering = { described: api.described, table, company, occurrences: new Occurrences() }
    for await (const { rows } of readNumberedRows(api, numbering, selectionOf(table)))
      yield* await encodeDocuments(
        table.shape,
        rows.filter((row) => wanted.has(keyOf(table.shape, row))),
      )
  }
}

interface NumberedPage {
  readonly rows: readonly JsonObject[]
  /** Rows that were returned are returned again. */
  readonly isRestart: boolean
}

export async function* readNumberedRows(
  api: ODataApi,
  numbering: RowNumbering,
  selection: Query,
): AsyncGenerator<NumberedPage> {
  const { table, company, occurrences } = numbering
  const { companies } = api.description
  const isDeleted = deletionTestOf(table.description)
  const query = { ...whereOf(table), ...selection }
  for await (const { rows, isRestart } of api.pages({ company, set: setIn(table, company), query, key: table.key })) {
    if (isRestart) occurrences.clear()
    // A service may return all companies of the login, whatever the requested one.
    const own =
      table.name === companies?.set ? rows.filter((row) => String(readMember(row, companies.id)) === company) : rows
    yield {
      rows: numberRows(
        numbering,
        own.filter((row) => !isDeleted(row)),
      ),
      isRestart,
    }
    occurrences.keep()
  }
}
