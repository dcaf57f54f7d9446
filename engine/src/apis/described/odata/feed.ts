/**
 * Changes as OData services report them: rows that were deleted have only an id, and rows that were changed may have only the properties that
 * changed. Such rows are read again, because the others would become empty.
 */
import { Fault } from '../../../ports/faults.ts'
import { asText } from '../../http/canonical-text.ts'
import { keyOf } from '../../http/documents.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { readMember } from '../../http/fields.ts'
import { valueWords } from '../calls.ts'
import type { CompanyTable } from './company-table.ts'
import { selectionOf, setIn } from './conditions.ts'
import { keyOfEntityId } from './entity-id.ts'
import { literalOf } from './metadata/literals.ts'
import { mappingOf } from './metadata/properties.ts'

/** Set in rows that were deleted. */
export const removedMember = '@removed'
const readAtOnce = 15

export async function completeFeedPage(of: CompanyTable, rows: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const changes = rows.filter((row) => !isLink(row)).map((row) => (isRemoved(row) ? removedRow(of, row) : row))
  const partial = changes.filter((row) => row[removedMember] === undefined && isPartial(of, row))
  if (partial.length === 0) return changes
  const complete = await readRows(of, partial)
  const { shape } = of.table
  return changes.map((row) => {
    if (!partial.includes(row)) return row
    return complete.get(keyOf(shape, row)) ?? { ...keyPart(of, row), [removedMember]: true }
  })
}

/** An added or deleted relation of two rows. */
function isLink(row: JsonObject): boolean {
  return /\/?\$(?:deletedLink|link)$/u.test(contextOf(row))
}

function contextOf(row: JsonObject): string {
  return asText(readMember(row, '@odata.context') ?? readMember(row, '@context')) ?? ''
}

function isRemoved(row: JsonObject): boolean {
  return row[removedMember] !== undefined || row['@odata.removed'] !== undefined || isDeletedEntity(row)
}

/** As version 4.0 writes a deleted row. */
function isDeletedEntity(row: JsonObject): boolean {
  return contextOf(row).endsWith('$deletedEntity')
}

function removedRow(of: CompanyTable, row: JsonObject): JsonObject {
  const { key } = of.table
  const hasKey = key.every(({ name }) => readMember(row, name) !== null)
  if (hasKey && !isDeletedEntity(row)) return { ...keyPart(of, row), [removedMember]: true }
  const id = asText(readMember(row, '@id') ?? readMember(row, '@odata.id') ?? readMember(row, 'id')) ?? ''
  const values = keyOfEntityId(id, key)
  if (values === null) throw unknownRow(of, id)
  return { ...values, [removedMember]: true }
}

function keyPart({ table }: CompanyTable, row: JsonObject): JsonObject {
  return Object.fromEntries(table.key.map(({ name }) => [name, readMember(row, name)]))
}

function unknownRow({ api: { described }, table }: CompanyTable, id: string): Fault {
  return new Fault('data', {
    code: `${described.code}.misfit`,
    notice: `${table.name}: ${described.title} reports a deleted row by ${valueWords(id)}, which does not name its key. The rows that the target has of it stay as they are.`,
  })
}

function isPartial({ api, table }: CompanyTable, row: JsonObject): boolean {
  const members = new Set(Object.keys(row).map((member) => member.toLowerCase()))
  const { types } = api.description
  return table.properties.some(
    (property) => mappingOf(property, types) !== null && !members.has(property.name.toLowerCase()),
  )
}

/** By key. Rows that are gone by now are missing. */
async function readRows(of: CompanyTable, rows: readonly JsonObject[]): Promise<ReadonlyMap<string, JsonObject>> {
  const { api, table, company } = of
  const found = new Map<string, JsonObject>()
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const $filter = rows
      .slice(from, from + readAtOnce)
      .map((row) => `(${keyCondition(of, row)})`)
      .join(' or ')
    const query = { $filter, ...selectionOf(table) }
    for await (const page of api.pages({ company, set: setIn(table, company), query, key: table.key }))
      for (const row of page.rows) found.set(keyOf(table.shape, row), row)
  }
  return found
}

function keyCondition({ api, table }: CompanyTable, row: JsonObject): string {
  const { literals } = api.description.service
  const valueOf = (value: ExactJson): string => asText(value) ?? ''
  return table.key
    .map((property) => `${property.name} eq ${literalOf(property, valueOf(readMember(row, property.name)), literals)}`)
    .join(' and ')
}
