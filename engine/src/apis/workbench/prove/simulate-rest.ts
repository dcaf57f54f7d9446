/** A described REST source with the API that is made from its description. */
import { columnPointer } from '../../described/columns.ts'
import type { RestDescription, StreamDescription } from '../../described/description/schema.ts'
import { expectedMonths, expectedRows, textsOf } from '../simulator/expected-rows.ts'
import { SeededRandom } from '../simulator/seeded-random.ts'
import { type DateSpread, type FixedMember, SimulatedRecords } from '../simulator/simulated-records.ts'
import { Replies } from '../simulator/simulated-replies.ts'
import { makeValue } from '../simulator/simulated-values.ts'
import { simulatedClock } from './simulated-clock.ts'
import {
  recordsAtFirst,
  type SimulatedSource,
  type SimulatedSourceOptions,
  valuesOf,
  withoutPeople,
} from './simulated-source.ts'

const dayMs = 86_400_000
/** Figures of some months, all of which may change. */
const monthly: DateSpread = { atFirstDays: 150, laterDays: 149, changedDays: 150 }

export function simulateRest(options: SimulatedSourceOptions<RestDescription>): SimulatedSource {
  const { stream: name, seed, lateMs, ties, deletes } = options
  const description = withoutPeople(options.description)
  const stream = description.streams[name]
  if (stream === undefined) throw new Error(`There is no stream ${name}.`)
  const isMonthly = stream.changes?.kind === 'months'
  const clock = simulatedClock(startOf(stream))
  const now = (): number => clock.now()
  const fixed = accountMembers(description, stream, seed)
  const records = new SimulatedRecords({
    description,
    stream,
    now,
    seed,
    lateMs,
    ties,
    isSingle: isAccount(description, stream),
    fixed: () => fixed,
    ...(isMonthly && { dates: monthly }),
  })
  records.add(recordsAtFirst)
  const values = valuesOf(description)
  return {
    description,
    clock,
    service: new Replies({ description, stream, records, values, deletes, isSingle: isAccount(description, stream) }),
    restColumn: stream.rest,
    count: () => records.present().length,
    expected(read) {
      if (stream.changes?.kind !== 'months')
        return expectedRows(description, { name, described: stream }, records.present())
      const { changes, key, columns } = stream
      const [lines] = read.children
      const texts = ({ json }: { json: Parameters<typeof textsOf>[2] }): (string | null)[] =>
        textsOf(description, { columns, key }, json)
      const parts = { parent: [], isKeyed: key.length > 0, hasBalances: changes.balances, texts }
      return expectedMonths(records.present(), now(), { ...parts, tables: [read.table.name, lines?.name ?? ''] })
    },
  }
}

/** Whether the list is the account itself: a reply with one record. */
export function isAccount({ origin = [] }: RestDescription, { records, path }: StreamDescription): boolean {
  return records === '' && origin.some((part) => part.path === path)
}

/** What identifies the account does not change. */
function accountMembers(
  { origin = [], maps }: RestDescription,
  { path, columns }: StreamDescription,
  seed: number,
): readonly FixedMember[] {
  return origin
    .filter((part) => part.path === path)
    .map(({ at }): FixedMember => {
      const [, column = 'text'] = Object.entries(columns).find(([name, one]) => columnPointer(name, one) === at) ?? []
      return [at, makeValue({ column, maps, random: new SeededRandom(seed), id: 1, moment: 0 }, true)]
    })
}

/** Windows begin on a day of the description. */
function startOf({ changes }: StreamDescription): number {
  const standard = Date.parse('2026-06-01T09:00:00Z')
  return changes?.kind === 'windows' ? Math.max(standard, Date.parse(changes.start) + 90 * dayMs) : standard
}
