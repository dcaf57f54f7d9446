/** An entity set of a company as a described stream: changes by cursor or feed are read as those of any other API. */
import type { DocumentShape, RowShape } from '../../http/documents.ts'
import type { FieldMapping } from '../../http/fields.ts'
import type { Query } from '../calls.ts'
import type { Deletes } from '../description/schema-changes.ts'
import type { CursorSettings } from '../description/schema-odata.ts'
import type { StreamDescription } from '../description/schema.ts'
import type { ParameterFormat } from '../moments.ts'
import { pointerTo } from '../pointer.ts'
import { type DescribedStream, deletionTest } from '../read/described-stream.ts'
import type { CursorChanges } from '../read/read-changes.ts'
import { orderOf, pagedApi, pagingOf, pathOf } from './api.ts'
import type { CompanyTable } from './company-table.ts'
import { selectionOf, setIn, whereOf } from './conditions.ts'
import type { EdmProperty } from './metadata/edmx.ts'
import { completeFeedPage, removedMember } from './feed.ts'
import type { ODataTable } from './metadata/tables.ts'

export function streamOfSet(of: CompanyTable): DescribedStream {
  const { api, table, company } = of
  const { changes } = table.description
  const isFeed = changes?.kind === 'feed'
  const shape = shapeInCompany(of)
  const description = descriptionOfSet(of)
  const { described, description: source } = api
  return {
    name: table.name,
    api: {
      ...pagedApi({
        described,
        description: source,
        key: table.key,
        options: isFeed ? { headers: { prefer: 'odata.track-changes' } } : {},
        ...(isFeed && { prepare: ({ rows }) => completeFeedPage({ api, table, company }, rows) }),
      }),
      withSettings: (call) => call,
    },
    description,
    shape,
    // Feeds are in pages of the service, whatever the paging of lists.
    paging: isFeed ? { kind: 'nextLink', at: '/next' } : pagingOf(source, table.key),
    omitsEmptyLists: false,
    isDeleted: deletionTest(description),
  }
}

/** Where the changes of a set begin, as a condition. */
export function cursorOf({ api, table }: CompanyTable, settings: CursorSettings): CursorChanges {
  const { property, overlapSeconds, maxAgeDays } = settings
  const cursor = cursorProperty(table, property)
  const { format, literal } = momentOf(cursor, api.description.service.literals)
  return {
    kind: 'cursor',
    column: columnOfProperty(table, property),
    from: { parameter: '$filter.since', format, template: `${property} ge ${literal}` },
    order: 'none',
    overlapSeconds,
    ...(maxAgeDays !== undefined && { maxAgeDays }),
  }
}

function cursorProperty({ name, properties }: ODataTable, property: string): EdmProperty {
  const found = properties.find((each) => each.name === property)
  if (found === undefined) throw new Error(`${name} has no property ${property}.`)
  return found
}

function momentOf({ type }: EdmProperty, version: 'v3' | 'v4'): { format: ParameterFormat; literal: string } {
  if (type === 'Edm.Date')
    return { format: 'date', literal: version === 'v3' ? "datetime'{moment}T00:00:00'" : '{moment}' }
  if (version === 'v4') return { format: 'iso', literal: '{moment}' }
  return type === 'Edm.DateTime'
    ? { format: 'isoWithoutZone', literal: "datetime'{moment}'" }
    : { format: 'iso', literal: "datetimeoffset'{moment}'" }
}

function columnOfProperty({ shape }: ODataTable, property: string): string {
  return shape.fields.find(({ column }) => column.sourceField === property)?.column.name ?? property
}

function descriptionOfSet({ api, table, company }: CompanyTable): StreamDescription {
  const { changes } = table.description
  const query: Query = {
    ...orderOf(api.description.paging, table.key),
    ...whereOf(table),
    ...selectionOf(table),
  }
  const columns =
    changes?.kind === 'cursor'
      ? { [columnOfProperty(table, changes.property)]: { type: 'instant(7)', at: pointerTo(changes.property) } }
      : {}
  return {
    path: pathOf(api.description, company, setIn(table, company)),
    query,
    records: '/value',
    key: [...table.shape.table.key],
    columns,
    deletes: deletesOf(table),
  }
}

function deletesOf({ description: { changes, deletes } }: ODataTable): Deletes {
  if (changes?.kind === 'feed') return { kind: 'status', at: pointerTo(removedMember) }
  if (deletes?.kind === 'status') return { kind: 'status', at: pointerTo(deletes.property), equals: deletes.equals }
  return deletes ?? { kind: 'keys' }
}

/** The tables of a set with the company as a fixed value. */
export function shapeInCompany({ api, table, company }: CompanyTable): DocumentShape {
  const name = api.description.companies?.column
  const inCompany = (field: FieldMapping): FieldMapping =>
    field.column.name === name && field.column.sourceField === undefined ? { ...field, read: () => company } : field
  const fixed = <Shape extends RowShape>(shape: Shape): Shape => ({ ...shape, fields: shape.fields.map(inCompany) })
  return { ...fixed(table.shape), children: table.shape.children.map(fixed) }
}
