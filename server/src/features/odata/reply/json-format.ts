/** How rows become entities in JSON: https://docs.oasis-open.org/odata/odata-json-format/v4.01/odata-json-format-v4.01.html */
import type { JsonFormat } from '../../../access/query/json-rows.ts'
import type { ColumnModel } from '../../../access/query/table-model.ts'
import type { FeedQuery } from '../model/build-query.ts'
import { edmType } from '../model/edm-types.ts'
import { type EntitySet, namespace } from '../../../access/feed/feed-model.ts'
import type { ReplyFormat } from './negotiate.ts'

/** Types that JSON itself expresses, so that a value needs no type next to it. */
const naturalTypes = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double'])
/** Of a result that the metadata does not declare: an infinite double is text. */
const naturalResultTypes = new Set(['Edm.String', 'Edm.Boolean'])

export function entityFormat(
  set: EntitySet,
  feed: FeedQuery,
  { metadata, ieee754Compatible }: ReplyFormat,
): JsonFormat {
  const { properties, rowProperty, shape } = feed
  const isFull = metadata === 'full'
  const typed = (name: string, column: ColumnModel) => {
    const type = edmType(column).name
    const isDeclared = set.properties.some((property) => property.name === name)
    const isShown = isDeclared
      ? isFull && !naturalTypes.has(type)
      : metadata !== 'none' && !naturalResultTypes.has(type)
    return isShown ? [{ name: `${name}@odata.type`, text: `#${type.slice('Edm.'.length)}` }] : []
  }
  return {
    exactNumbers: ieee754Compatible ? 'text' : 'number',
    properties: (columns) => [
      ...(isFull && shape !== 'groups' ? [{ name: '@odata.type', text: `#${namespace}.${set.name}` }] : []),
      ...properties.flatMap(({ name }, at) => {
        const column = columns[at]
        return column === undefined ? [] : [...typed(name, column), { name, column }]
      }),
      ...(rowProperty === null ? [] : [{ name: rowProperty, identifies: 'row' as const }]),
    ],
  }
}

/** The context URL (Protocol 4.01, section 10). */
export function contextUrl(base: string, set: EntitySet, { shape, properties, rowProperty }: FeedQuery): string {
  const names = [...properties.map(({ name }) => name), ...(rowProperty === null ? [] : [rowProperty])]
  const selected = shape === 'entities' ? '' : `(${names.join(',')})`
  return `${base}/$metadata#${set.name}${selected}`
}
