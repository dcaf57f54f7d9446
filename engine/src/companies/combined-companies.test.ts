/** Several companies in one set of tables: what arrives, what stays when one fails, and what leaves with one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isFull } from '@tributary/testing/programmes/extent.ts'
import { type ApiConnector, connectApi } from '@tributary/testing/engine/apis/api-connector.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import {
  type FakeCompany,
  newCompany,
  openCompany,
  rowsOf,
  trade,
} from '@tributary/testing/engine/companies/fake-company.ts'
import { Fault, type FaultKind } from '../ports/faults.ts'
import { combineCompanies } from './combine-companies.ts'

const ids = ['a', 'b-c', 'd'] as const

class Group implements AsyncDisposable {
  readonly all: readonly FakeCompany[] = ids.map(newCompany)
  chosen: readonly FakeCompany[] = this.all
  kept: readonly FakeCompany[] = []
  readonly refusals = new Map<string, Fault>()
  readonly connector: ApiConnector

  private constructor(
    make: (open: (signal: AbortSignal) => ReturnType<typeof combineCompanies>) => Promise<ApiConnector>,
    done: (made: Promise<ApiConnector>) => void,
  ) {
    done(make((signal) => this.#open(signal)))
    this.connector = undefined as never
  }

  static async make(kind: 'postgres' | 'mysql'): Promise<Group> {
    let made: Promise<ApiConnector> | undefined
    const clock = sharedClock()
    const group = new Group(
      (open) => connectApi({ clock, open, async [Symbol.asyncDispose]() {} }, kind),
      (promise) => {
        made = promise
      },
    )
    return Object.assign(group, { connector: await made })
  }

  #open(signal: AbortSignal) {
    const facts = (company: FakeCompany) => ({
      id: company.id,
      name: `Company ${company.id}`,
      country: null,
      currency: 'EUR',
    })
    return combineCompanies({
      companies: this.chosen.map((company) => ({
        ...facts(company),
        open: () => openCompany(company, this.refusals.get(company.id)),
      })),
      kept: this.kept.map(facts),
      log: () => {},
      signal,
    })
  }

  /** The rows of the target by table and company, each as text. */
  async rows(): Promise<Readonly<Record<string, readonly string[]>>> {
    const found: Record<string, string[]> = {}
    for (const table of ['document', 'document_line', 'entry', 'item', 'log']) {
      const { columns, rows } = await this.connector.target.read(table)
      const at = columns.indexOf('company_id')
      for (const row of rows)
        (found[`${table} ${row[at]}`] ??= []).push(JSON.stringify(row.filter((_, place) => place !== at)))
    }
    return Object.fromEntries(Object.entries(found).map(([key, rows]) => [key, rows.toSorted()]))
  }

  expected(of: readonly FakeCompany[] = [...this.chosen, ...this.kept]): Readonly<Record<string, readonly string[]>> {
    const all = of.flatMap((company) =>
      [...rowsOf(company)].map(
        ([table, rows]) => [`${table} ${company.id}`, rows.map((row) => JSON.stringify(row)).toSorted()] as const,
      ),
    )
    return Object.fromEntries(all.filter(([, rows]) => rows.length > 0))
  }

  async [Symbol.asyncDispose]() {
    await this.connector[Symbol.asyncDispose]()
  }
}

const faultOf = (kind: FaultKind): Fault => new Fault(kind, { code: 'fake.failed', notice: 'It does not answer.' })

/** A repeatable sequence of numbers. */
function chances(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe.each(['postgres', 'mysql'] as const)('into %s', (kind) => {
  let group: Group
  beforeEach(async () => {
    group = await Group.make(kind)
    const chance = chances(7)
    for (const company of group.all) for (let times = 0; times < 4; times++) trade(company, chance)
  })
  afterEach(() => group[Symbol.asyncDispose]())

  test('[SRC-12] every table has the rows of all companies, with the company first in every key', async () => {
    const { status, streams } = await group.connector.run()
    expect(status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
    const keyOf = (name: string) => streams.find(({ stream }) => stream.name === name)?.stream.table.key
    expect([keyOf('document'), keyOf('log')]).toEqual([['company_id', 'id'], []])
    const { columns, rows } = await group.connector.target.read('company')
    expect(rows.map((row) => row[columns.indexOf('name')]).toSorted()).toEqual(ids.map((id) => `Company ${id}`))
  })

  test('[SRC-12] a company reads on from its own checkpoint, whatever the others do', async () => {
    await group.connector.run()
    const [first] = group.all
    for (const { reads } of group.all) reads.length = 0
    trade(first ?? newCompany(''), chances(3))
    expect((await group.connector.run()).status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
    const documents = group.all.map(({ reads }) => reads.find((read) => read.startsWith('document')))
    expect(documents).toEqual(
      group.all.map(({ version }, at) => expect.stringContaining(`from {"version":${at === 0 ? '' : version}`)),
    )
  })

  test.each(['signIn', 'settings', 'passing', 'busy'] as const)(
    '[SRC-12] a company with a fault of kind %s keeps all its rows, stops no other, and the run names it',
    async (kindOfFault) => {
      await group.connector.run()
      const before = await group.rows()
      const [one, two, three] = group.all
      if (one === undefined || two === undefined || three === undefined) return
      for (const company of group.all) trade(company, chances(11))
      group.refusals.set(two.id, faultOf(kindOfFault))
      const { status, fault, streams } = await group.connector.run()
      expect(status).toBe('failed')
      expect(fault?.notice).toContain('1 of 3 companies could not be read completely')
      expect(fault?.notice).toContain('‘Company b-c’: It does not answer.')
      // Neither may pause the schedule or the run, which would stop the others.
      expect(['settings', 'passing']).toContain(fault?.kind)
      expect(streams.every(({ progress }) => progress.phase === 'done')).toBe(true)
      const left = Object.fromEntries(Object.entries(before).filter(([key]) => key.endsWith(two.id)))
      expect(await group.rows()).toEqual({ ...group.expected([one, three]), ...left })
      group.refusals.clear()
      expect((await group.connector.run()).status).toBe('completed')
      expect(await group.rows()).toEqual(group.expected())
    },
  )

  test('[SRC-12] a full refresh without one company keeps its rows, and refreshes them when it is back', async () => {
    await group.connector.run()
    const [one, two, three] = group.all
    if (one === undefined || two === undefined || three === undefined) return
    group.refusals.set(one.id, faultOf('signIn'))
    await group.connector.target.run(
      kind === 'postgres' ? `UPDATE "Shop".document SET total = 1` : 'UPDATE document SET total = 1',
    )
    await group.connector.run({ syncMode: 'full' })
    const spoilt = (await group.rows())[`document ${one.id}`]
    expect(spoilt).toEqual(
      (group.expected()[`document ${one.id}`] ?? []).map((row) => row.replace(/"[\d.]+"\]$/u, '"1.00"]')),
    )
    expect(await group.rows()).toMatchObject(group.expected([two, three]))
    group.refusals.clear()
    expect((await group.connector.run()).status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
  })

  test('[SRC-12] a retry of the same run reads only the companies that failed', async () => {
    await group.connector.run()
    const [one, two] = group.all
    if (one === undefined || two === undefined) return
    trade(two, chances(5))
    group.refusals.set(two.id, faultOf('passing'))
    const runId = crypto.randomUUID()
    await group.connector.run({ runId })
    group.refusals.clear()
    for (const { reads } of group.all) reads.length = 0
    expect((await group.connector.run({ runId })).status).toBe('completed')
    expect(one.reads).toEqual([])
    expect(two.reads).toHaveLength(4)
    expect(await group.rows()).toEqual(group.expected())
  })

  test('[SRC-12] if no company can be read, the run fails with that fault and every row stays', async () => {
    await group.connector.run()
    const before = await group.rows()
    for (const { id } of group.all) group.refusals.set(id, faultOf('signIn'))
    await expect(group.connector.run()).rejects.toMatchObject({ kind: 'signIn' })
    expect(await group.rows()).toEqual(before)
  })

  test('[SRC-12] a company that is added is read whole, and one that is taken off leaves with its children', async () => {
    const [one, two, three] = group.all
    if (one === undefined || two === undefined || three === undefined) return
    group.chosen = [one, two]
    await group.connector.run()
    expect(await group.rows()).toEqual(group.expected())
    group.chosen = [two, three]
    for (const { reads } of group.all) reads.length = 0
    expect((await group.connector.run()).status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
    expect(one.reads).toEqual([])
    expect(two.reads.filter((read) => read.startsWith('document'))).toEqual([expect.stringContaining('from')])
  })

  test('[SRC-12] rows that stay by choice survive full refreshes, and go on from their checkpoint when the company is back', async () => {
    const [one, two, three] = group.all
    if (one === undefined || two === undefined || three === undefined) return
    await group.connector.run()
    const before = group.expected([one])
    group.chosen = [two, three]
    group.kept = [one]
    trade(one, chances(9))
    await group.connector.run()
    await group.connector.run({ syncMode: 'full' })
    expect(await group.rows()).toEqual({ ...group.expected([two, three]), ...before })
    group.chosen = group.all
    group.kept = []
    expect((await group.connector.run()).status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
    group.chosen = [two, three]
    await group.connector.run()
    expect(await group.rows()).toEqual(group.expected([two, three]))
  })

  test('[SRC-12] a filter decides by company too, and its change compares the rows of all companies', async () => {
    await group.connector.run()
    group.connector.rules.set('document', {
      conditions: [{ column: 'company_id', operator: 'isNot', values: ['a'] }],
      masks: [],
    })
    expect((await group.connector.run()).status).toBe('completed')
    const kept = Object.entries(group.expected()).filter(([key]) => !key.startsWith('document') || !key.endsWith(' a'))
    expect(await group.rows()).toEqual(Object.fromEntries(kept))
  })
})

test.each(Array.from({ length: isFull ? 12 : 4 }, (_, seed) => seed))(
  '[SRC-12] companies fail, connections break and runs end at any moment (%i): no row is lost, and in the end all are right',
  { timeout: 120_000 },
  async (seed) => {
    const chance = chances(seed * 7_919 + 1)
    await using group = await Group.make('postgres')
    for (let round = 0; round < 14; round++) {
      for (const company of group.all) trade(company, chance)
      const before = await group.rows()
      await runBadly(group, chance)
      assertNothingLost(group, before, await group.rows())
    }
    for (const company of group.all) company.before = () => {}
    group.refusals.clear()
    expect((await group.connector.run()).status).toBe('completed')
    expect(await group.rows()).toEqual(group.expected())
  },
)

async function runBadly(group: Group, chance: (below: number) => number): Promise<void> {
  const kinds: readonly FaultKind[] = ['signIn', 'busy', 'passing', 'settings', 'data', 'bug']
  const control = new AbortController()
  let steps = chance(60)
  const kill = chance(3)
  for (const company of group.all) {
    let left = chance(30)
    company.before = () => {
      if (kill === 0 && (steps -= 1) === 0) control.abort(new Error('killed'))
      if (left > 0 && (left -= 1) === 0) throw faultOf(kinds[chance(kinds.length)] ?? 'bug')
    }
  }
  group.refusals.clear()
  if (chance(3) === 0) group.refusals.set(ids[chance(3)] ?? '', faultOf('signIn'))
  const running = group.connector.run({ syncMode: chance(4) === 0 ? 'full' : 'incremental', signal: control.signal })
  if (kill === 1) {
    await new Promise((resolve) => setTimeout(resolve, chance(150)))
    await group.connector.target.run(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
  }
  await running.catch(() => undefined)
}

/** A row may only leave if its company has deleted or changed it. */
function assertNothingLost(
  group: Group,
  before: Awaited<ReturnType<Group['rows']>>,
  after: Awaited<ReturnType<Group['rows']>>,
): void {
  const now = group.expected()
  for (const [key, rows] of Object.entries(before)) {
    const lost = rows.filter((row) => now[key]?.includes(row) === true && after[key]?.includes(row) !== true)
    expect([key, lost]).toEqual([key, []])
  }
}
