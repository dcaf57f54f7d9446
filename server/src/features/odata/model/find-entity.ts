import type { Expression } from '../../../access/query/expression.ts'
import { badRequest, ODataError } from '../odata-error.ts'
import type { KeyValue } from '../parse/address.ts'
import type { EntitySet, FeedProperty } from '../../../access/feed/feed-model.ts'

export function findSet(sets: readonly EntitySet[], name: string): EntitySet {
  const found = sets.find((set) => set.name === name)
  if (found !== undefined) return found
  const similar = sets.find((set) => set.name.toLowerCase() === name.toLowerCase())
  const hint =
    similar === undefined ? 'The service document lists the sets that you may read.' : `Did you mean ${similar.name}?`
  throw new ODataError(404, 'notFound', `There is no set of this name, or you may not read it. ${hint}`, {
    target: name.slice(0, 100),
  })
}

/** The condition that a row has this key. */
export function keyCondition({ key, name: set }: EntitySet, values: readonly KeyValue[]): Expression {
  if (key.length === 0)
    throw badRequest('The set has no key, so its rows have no address. Use $filter.', { target: set })
  if (values.length !== key.length)
    throw badRequest(`The key has ${key.length} values: ${key.map(({ name }) => name).join(', ')}.`, { target: set })
  return { type: 'and', operands: key.map((property) => equals(property, valueOf(property, key.length, values), set)) }
}

function valueOf({ name }: FeedProperty, size: number, values: readonly KeyValue[]): KeyValue | undefined {
  return values.find((value) => value.name === name || (size === 1 && value.name === null))
}

function equals({ name, column }: FeedProperty, value: KeyValue | undefined, set: string): Expression {
  if (value === undefined) throw badRequest(`The key lacks a value for ${name}.`, { target: set })
  return { type: 'compare', operator: 'eq', left: { type: 'column', name: column.name }, right: value.literal }
}
