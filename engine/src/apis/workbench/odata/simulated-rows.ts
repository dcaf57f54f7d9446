/** Rows of a simulated OData service as JSON, with the first rows of their lists. */
import {
  type SimulatedJson,
  type SimulatedObject,
  isSimulatedObject,
  WrittenDigits,
} from '../simulator/simulated-json.ts'
import type { SimulatedRecord } from '../simulator/simulated-records.ts'
import type { ODataServiceOptions } from './service-options.ts'
import { type SimulatedProperty, writtenValue } from './simulated-set.ts'

const linesMax = 2

type RowOptions = Pick<ODataServiceOptions, 'simulated' | 'set'>

/** @param linesAt where the other rows of its lists are */
export function rowOf(
  { simulated, set }: RowOptions,
  record: SimulatedRecord,
  { url, linesAt }: { readonly url: URL; readonly linesAt: URL },
): SimulatedObject {
  const select = url.searchParams.get('$select')?.split(',')
  const expand = url.searchParams.get('$expand')?.split(',') ?? []
  const chosen = simulated.properties.filter(({ name }) => select === undefined || select.includes(name))
  const lists = simulated.lists
    .filter((list) => expand.includes(list))
    .map((list) => linesPage({ simulated }, record, { list, address: new URL(list, linesAt), skip: 0, name: list }))
  return Object.assign(
    written(chosen, record.json),
    set.rest !== undefined && select === undefined ? { SimulatedUndeclared: 'undeclared' } : {},
    ...lists,
  ) as SimulatedObject
}

interface LinesRequest {
  readonly list: string
  readonly address: URL
  readonly skip: number
  /** Of the member with the rows. */
  readonly name: string
}

export function linesPage(
  { simulated }: Pick<RowOptions, 'simulated'>,
  { json }: SimulatedRecord,
  { list, address, skip, name }: LinesRequest,
): SimulatedObject {
  const all = json[list]
  const lines = Array.isArray(all) ? all.filter(isSimulatedObject) : []
  const page = lines.slice(skip, skip + linesMax)
  const next = new URL(address)
  next.searchParams.set('$skip', String(skip + linesMax))
  const link = name === 'value' ? '@odata.nextLink' : `${name}@odata.nextLink`
  return {
    [name]: page.map((line) => written(simulated.lineProperties, line)),
    ...(lines.length > skip + linesMax && { [link]: next.href }),
  }
}

function written(properties: readonly SimulatedProperty[], json: SimulatedObject): SimulatedObject {
  return Object.fromEntries(
    properties.map((property) => [property.name, writtenValue(property, json[property.name] ?? null, digitsOf)]),
  )
}

function digitsOf(value: SimulatedJson): string {
  return value instanceof WrittenDigits ? value.digits : String(value)
}
