/** Reads a table whole, company after company. */
import type { JsonObject } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { UnicontaApi } from './api.ts'
import { Occurrences } from './occurrences.ts'
import { encodeKeys, encodeRows, markRows, notUnique } from './rows.ts'
import type { Marking } from './rows.ts'
import { companySet } from './tables.ts'
import type { UnicontaTable } from './tables.ts'

export async function* readWhole(
  api: UnicontaApi,
  table: UnicontaTable,
  tell: ReadRequest['log'],
): AsyncGenerator<RowBatch> {
  for (const company of table.places.keys()) {
    const occurrences = new Occurrences()
    for await (const marked of markedRows(api, { table, company, occurrences })) yield* await encodeRows(table, marked)
    if (occurrences.repeated !== null) tell(notUnique(table, company, occurrences.repeated))
  }
}

export async function* readWholeKeys(api: UnicontaApi, table: UnicontaTable): AsyncGenerator<RowBatch> {
  for (const company of table.places.keys())
    for await (const marked of markedRows(api, { table, company, occurrences: new Occurrences() }))
      yield encodeKeys(table, marked)
}

async function* markedRows(api: UnicontaApi, marking: Marking): AsyncGenerator<readonly JsonObject[]> {
  const { table, company, occurrences } = marking
  for await (const rows of api.pages({ company, set: table.places.get(company) ?? table.name })) {
    // Whatever company is asked, a login may be shown all of its companies.
    const own = table.name === companySet ? rows.filter((row) => String(member(row, 'PrimaryKeyId')) === company) : rows
    yield markRows(marking, own)
    occurrences.keep()
  }
}
