/** A described OData service with the service that is made from its description: one entity set, in two companies if it has companies. */
import type { EntitySetDescription, ODataDescription } from '../../described/description/schema-odata.ts'
import { pointerTo } from '../../described/pointer.ts'
import { parseColumnType } from '../../described/description/column-type.ts'
import { expectedMonths, expectedRows, textsOf } from '../simulator/expected-rows.ts'
import { SeededRandom } from '../simulator/seeded-random.ts'
import { type DateSpread, type FixedMember, SimulatedRecords } from '../simulator/simulated-records.ts'
import type { SimulatedJson } from '../simulator/simulated-json.ts'
import { anyJson } from '../simulator/simulated-values.ts'
import type { SimulatedCompany } from '../odata/service-options.ts'
import { SimulatedODataService } from '../odata/simulated-service.ts'
import { simulatedSet, type SimulatedSet, streamOf, withCents } from '../odata/simulated-set.ts'
import { simulatedClock } from './simulated-clock.ts'
import { recordsAtFirst, type SimulatedSource, type SimulatedSourceOptions, withoutPeople } from './simulated-source.ts'

const start = Date.parse('2026-06-01T09:00:00Z')
const firstDate = Date.parse('2019-01-01T00:00:00Z')
const dayMs = 86_400_000

export function simulateOData(options: SimulatedSourceOptions<ODataDescription>): SimulatedSource {
  const { stream: name, seed, lateMs, ties, deletes } = options
  const set = options.description.sets[name]
  if (set === undefined) throw new Error(`There is no set ${name}.`)
  const description = withoutOthers(options.description, name, set)
  const simulated = simulatedSet(description, name)
  const stream = streamOf(name, set, simulated)
  const clock = simulatedClock(start)
  const dates = datesOf(set)
  const isSingle = isCompanies(description, name)
  const companies = companyIds(description).map(({ id, value }, index): SimulatedCompany => {
    const records = new SimulatedRecords({
      description: {},
      stream,
      now: () => clock.now(),
      seed: seed + 100 * index,
      lateMs,
      ties,
      isSingle,
      fixed: (record) => fixedMembers(description, { name, set, simulated }, { record, id, value }),
      ...(dates !== null && { dates }),
    })
    records.add(description.companies === undefined ? recordsAtFirst : recordsAtFirst / 2)
    return { id, value, records }
  })
  const random = new SeededRandom(seed)
  return {
    description,
    clock,
    service: new SimulatedODataService({ description, name, set, simulated, companies, random, deletes }),
    restColumn: set.rest,
    count: () => companies.reduce((sum, { records }) => sum + records.present().length, 0),
    expected({ table, children }) {
      const tables = new Map<string, readonly string[]>()
      for (const company of companies) {
        const own = { description, set, simulated, company, now: clock.now() }
        for (const [one, rows] of expectedOf(own, stream, [table.name, ...children.map((child) => child.name)]))
          tables.set(one, [...(tables.get(one) ?? []), ...rows])
      }
      return tables
    },
  }
}

/** Whether the set lists the companies, of which each has one row. */
export function isCompanies({ companies }: ODataDescription, name: string): boolean {
  return companies?.set === name
}

/** Only the set, so that no other one is needed. */
function withoutOthers(description: ODataDescription, name: string, set: EntitySetDescription): ODataDescription {
  const { tieOut: _, ...rest } = withoutPeople(description)
  return { ...rest, sets: { [name]: set }, others: { read: 'never' } }
}

function companyIds({
  companies,
}: ODataDescription): readonly { readonly id: string; readonly value: SimulatedJson }[] {
  if (companies === undefined) return [{ id: '', value: null }]
  const ids = [3, 41].map((number) => {
    const kind = parseColumnType(companies.type)?.kind
    if (kind === 'integer') return { id: String(number), value: number }
    const text = kind === 'guid' ? `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` : `C${number}`
    return { id: text, value: text }
  })
  return ids
}

/** Rows of windows that are changed are not older than those that each run reads again. */
function datesOf({ changes }: EntitySetDescription): DateSpread | null {
  if (changes?.kind === 'months') return { atFirstDays: 150, laterDays: 149, changedDays: 150 }
  if (changes?.kind !== 'windows') return null
  const days = changes.againDays - 1
  return { atFirstDays: 200, laterDays: changes.growing === undefined ? Math.min(days, 199) : 199, changedDays: days }
}

interface SetOf {
  readonly name: string
  readonly set: EntitySetDescription
  readonly simulated: SimulatedSet
}

interface FixedRecord {
  readonly record: { readonly id: number }
  readonly id: string
  readonly value: SimulatedJson
}

function fixedMembers(
  { companies }: ODataDescription,
  { name, set: { changes }, simulated }: SetOf,
  { record, id, value }: FixedRecord,
): readonly FixedMember[] {
  const days = simulated.properties.filter(({ name: own, type }) => simulated.key.includes(own) && type === 'date')
  const isDated = changes !== undefined && 'property' in changes
  return [
    // A day that identifies rows is another one in each.
    ...days
      .filter((day) => !isDated || changes.property !== day.name)
      .map((day): FixedMember => [
        pointerTo(day.name),
        new Date(firstDate + record.id * dayMs).toISOString().slice(0, 10),
      ]),
    ...(changes?.kind === 'windows' && changes.growing !== undefined
      ? [[pointerTo(changes.growing.property), Math.floor(record.id / 4) + 1] as const]
      : []),
    ...(companies?.set === name
      ? [[pointerTo(companies.id), value] as const, [pointerTo(companies.name), `Company ${id}`] as const]
      : []),
  ]
}

interface ExpectedSet extends Omit<SetOf, 'name'> {
  readonly description: ODataDescription
  readonly company: SimulatedCompany
  readonly now: number
}

/** With the company before the columns, and the number among rows with the same key behind them. */
function expectedOf(
  { description, set, simulated, company, now }: ExpectedSet,
  stream: ReturnType<typeof streamOf>,
  [main = '', ...lists]: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const records = company.records.present()
  const before = description.companies === undefined ? [] : [company.id]
  const { key } = simulated
  const texts = (json: SimulatedJson): (string | null)[] =>
    textsOf({}, stream, json).map((text, index) =>
      text !== null && simulated.properties[index]?.form === 'grouped' ? withCents(text) : text,
    )
  if (set.changes?.kind === 'months')
    return expectedMonths(records, now, {
      tables: [main, lists[0] ?? ''],
      parent: before,
      isKeyed: true,
      hasBalances: set.changes.balances,
      texts: ({ json }) => texts(json),
    })
  const numbered = description.keys.areUnique ? [] : ['1']
  const rest = set.rest === undefined ? [] : [anyJson]
  const plain = expectedRows({}, { name: main, described: stream }, records)
  const own = records.map(({ json }) => JSON.stringify([...before, ...texts(json), ...rest, ...numbered]))
  const within = simulated.lists.map((list, index): [string, readonly string[]] => {
    const rows = (plain.get(list) ?? []).map((row) => JSON.parse(row) as (string | null)[])
    const wider = rows.map((row) => [...before, ...row.slice(0, key.length), ...numbered, ...row.slice(key.length)])
    return [lists[index] ?? '', wider.map((row) => JSON.stringify(row))]
  })
  return new Map<string, readonly string[]>([[main, own], ...within])
}
