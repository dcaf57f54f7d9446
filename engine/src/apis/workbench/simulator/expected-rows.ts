/** The rows that a target should have of simulated records. */
import { columnPointer } from '../../described/columns.ts'
import type { RestDescription, StreamDescription } from '../../described/description/schema.ts'
import { lastDayOf, monthAt, plusMonths } from '../../described/months/calendar.ts'
import { isSimulatedObject, type SimulatedJson, valueAt } from './simulated-json.ts'
import type { SimulatedRecord } from './simulated-records.ts'
import { anyJson, expectedText } from './simulated-values.ts'

type Texts = readonly (string | null)[]
type Maps = Pick<RestDescription, 'maps'>

/** The texts of some columns of a record. */
export function textsOf(
  { maps }: Maps,
  { columns, key }: Pick<StreamDescription, 'columns' | 'key'>,
  json: SimulatedJson,
): (string | null)[] {
  return Object.entries(columns).map(([name, column]) =>
    expectedText(column, valueAt(json, columnPointer(name, column)), { maps, isKey: key.includes(name) }),
  )
}

/** By table, as JSON of the texts by column. */
export function expectedRows(
  maps: Maps,
  stream: { readonly name: string; readonly described: StreamDescription },
  records: readonly SimulatedRecord[],
): ReadonlyMap<string, readonly string[]> {
  const { columns, key, children = {}, rest } = stream.described
  const main = records.map(({ json }) =>
    JSON.stringify([...textsOf(maps, { columns, key }, json), ...(rest === undefined ? [] : [anyJson])]),
  )
  const keys = Object.fromEntries(key.flatMap((part) => (columns[part] === undefined ? [] : [[part, columns[part]]])))
  const ofChildren = Object.entries(children).map(([name, child]) => {
    const rows = records.flatMap(({ json }) => {
      const list = valueAt(json, child.records)
      const nodes = Array.isArray(list) ? list : isSimulatedObject(list) ? [list] : []
      const parent = textsOf(maps, { columns: keys, key }, json)
      return nodes
        .filter(isSimulatedObject)
        .map((node, index) =>
          JSON.stringify([
            ...parent,
            ...(child.key === undefined ? [String(index + 1)] : []),
            ...textsOf(maps, { columns: child.columns, key: child.key ?? [] }, node),
          ]),
        )
    })
    return [name, rows] as const
  })
  return new Map([[stream.name, main], ...ofChildren])
}

export interface MonthlyTables {
  /** The table of the months, and that of their lines. */
  readonly tables: readonly [string, string]
  /** The key columns before the month. */
  readonly parent: Texts
  readonly isKeyed: boolean
  /** Each month also has the figures of the month before. */
  readonly hasBalances: boolean
  texts(record: SimulatedRecord): Texts
}

/** The months from that of the oldest record on, at the latest the last month. */
export function expectedMonths(
  records: readonly SimulatedRecord[],
  now: number,
  { tables: [main, lines], parent, isKeyed, hasBalances, texts }: MonthlyTables,
): ReadonlyMap<string, readonly string[]> {
  const thisMonth = monthAt(now)
  const dates = records.map(({ datedAt }) => datedAt)
  const oldest = monthAt(Math.min(...dates, Date.parse(plusMonths(thisMonth, -1))))
  const months: string[] = []
  for (let month = oldest; month <= thisMonth; month = plusMonths(month, 1)) months.push(month)
  const figures = (month: string, balance: Texts): Texts[] =>
    records
      .filter(({ datedAt }) => datedAt >= Date.parse(month) && datedAt < Date.parse(lastDayOf(month)) + 86_400_000)
      .map((record) => [...balance, ...texts(record)])
  const rows = months.flatMap((month) => {
    const all = hasBalances
      ? [...figures(plusMonths(month, -1), ['start']), ...figures(month, ['end'])]
      : figures(month, [])
    return all.map((row, index) => JSON.stringify([...parent, month, ...(isKeyed ? [] : [String(index + 1)]), ...row]))
  })
  return new Map([
    [main, months.map((month) => JSON.stringify([...parent, month]))],
    [lines, rows],
  ])
}
