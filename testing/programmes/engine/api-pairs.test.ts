/**
 * From every simulated API to every real database: loads, changes, deletes, cancellations and new columns. Every cell
 * is compared with the simulator's. The slices take each API and each database once.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addingKey } from '@tributary/sims/cin7/injected-faults'
import { rowsOf } from '@tributary/sims/uniconta/company'
import { ExactNumber } from '@tributary/sims/uniconta/rows'
import type { ApiConnector } from '../../engine/apis/api-connector.ts'
import { connectCin7 } from '../../engine/apis/cin7-connector.ts'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import type { SharedClock } from '../../engine/apis/shared-clock.ts'
import { tinySize as tinyCin7 } from '../../engine/apis/simulated-cin7.ts'
import { tinySize as tinyUniconta } from '../../engine/apis/simulated-uniconta.ts'
import { connectUniconta } from '../../engine/apis/uniconta-connector.ts'
import type { SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { isFull } from '../extent.ts'

/** What the cases need of a simulated API in addition to runs. */
interface TestedApi extends ApiConnector {
  readonly clock: SharedClock
  readonly sim: { tick(): void; readonly requests: readonly { readonly status: number }[] }
  differences(): Promise<readonly string[]>
  /** Tables that have no rows at first. */
  readonly empty: readonly string[]
  /** Deletes rows. Returns the tables that are empty afterwards. */
  remove(): readonly string[]
  /** Makes a column new to the target. */
  widen(): Promise<void>
  /** The next call is never answered. */
  hang(): void
}

const apis: Readonly<Record<'cin7' | 'uniconta', (to: EndKind) => Promise<TestedApi>>> = {
  async cin7(to) {
    const made = await connectCin7({ size: tinyCin7 }, to)
    const { sales, tasks } = made.sim.company
    tasks.disassembly.length = 0
    return {
      ...made,
      empty: ['disassembly', 'disassembly_order_line'],
      remove() {
        sales.splice(1, 2)
        tasks.transfer.length = 0
        return ['stock_transfer', 'stock_transfer_line']
      },
      // Tributary defines the columns of Cin7: a column that a release adds is missing from tables of an earlier
      // release.
      async widen() {
        await made.target.run('ALTER TABLE product DROP COLUMN default_location')
        made.sim.faults.inject({ kind: 'reshape', path: 'customer', reshape: addingKey('Surprise', { deep: [1] }) })
      },
      hang: () => made.sim.faults.inject({ kind: 'hang', after: 4 }),
    }
  },
  async uniconta(to) {
    const made = await connectUniconta({ companies: 1, size: tinyUniconta, pageSize: 10 }, to)
    const [company] = made.sim.companies
    if (company === undefined) throw new Error('There is a company.')
    rowsOf(company, 'InvWarehouseClient').length = 0
    return {
      ...made,
      empty: ['inv_warehouse'],
      remove() {
        made.sim.remove()
        rowsOf(company, 'GLTransClient').splice(2, 2)
        rowsOf(company, 'EmployeeClient').length = 0
        return ['employee']
      },
      async widen() {
        company.sets
          .get('DebtorClientUser')
          ?.properties.push({ name: 'Select', type: 'Decimal' }, { name: 'Order', type: 'String' })
        for (const [at, row] of rowsOf(company, 'DebtorClient').entries())
          Object.assign(row, {
            Select: new ExactNumber(`-${at}.000000000123456789`),
            Order: at === 0 ? null : `it's "${at}" \`🦀\` \\`,
          })
      },
      hang: () => made.sim.injectFaults({ kind: 'hang' }),
    }
  },
}

const pairs = [
  ['cin7', 'mysql'],
  ['uniconta', 'postgres'],
  ['cin7', 'postgres'],
  ['uniconta', 'mysql'],
] as const

describe.each(isFull ? pairs : pairs.slice(0, 2))('from %s to %s', (from, to) => {
  let api: TestedApi
  beforeAll(async () => {
    api = await apis[from](to)
  })
  afterAll(() => api[Symbol.asyncDispose]())

  /** Runs once and compares. Returns how many rows the run updated or deleted. */
  async function expectEqual(): Promise<number> {
    const outcome = await api.run()
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(await api.differences()).toEqual([])
    return outcome.streams.reduce((sum, { progress }) => sum + progress.rowsUpdated + progress.rowsDeleted, 0)
  }

  async function expectEmpty(tables: readonly string[]): Promise<void> {
    for (const table of tables)
      expect(await api.target.read(table)).toEqual({ columns: expect.arrayContaining([expect.any(String)]), rows: [] })
  }

  function advanceHours(hours: number): void {
    for (let hour = 0; hour < hours; hour += 1) {
      api.clock.advance(3_600_000)
      api.sim.tick()
    }
  }

  /** Cancels a run when `isTime` returns true. The run must end within a second. */
  async function stopRunWhen(how: Partial<SyncRunRequest>, isTime: () => boolean): Promise<void> {
    const stop = new AbortController()
    const over = new AbortController()
    const running = api.run({ ...how, signal: stop.signal }).finally(() => over.abort())
    while (!isTime() && !over.signal.aborted) await turn()
    const since = performance.now()
    stop.abort(new Error('stopped by a person'))
    expect(await running).toMatchObject({ status: 'cancelled', fault: null })
    expect(performance.now() - since).toBeLessThan(1_000)
  }

  const afterCalls = (count: number): (() => boolean) => {
    const before = api.sim.requests.length
    return () => api.sim.requests.length >= before + count
  }

  test('[ENG-1] [ENG-2] every cell is copied unchanged, also empty tables, and a second run changes nothing', async () => {
    await expectEqual()
    await expectEmpty(api.empty)
    expect(await expectEqual()).toBe(0)
  })

  test('[ENG-1] new, changed and deleted rows arrive with the next run, and a table whose rows were all deleted is empty', async () => {
    advanceHours(30)
    const emptied = api.remove()
    expect(await expectEqual()).toBeGreaterThan(0)
    await expectEmpty(emptied)
  })

  test('[ENG-1] a cancelled run ends within a second at any point, and the next run makes the target equal', async () => {
    for (const syncMode of ['incremental', 'full'] as const) {
      for (const calls of [3, 20]) {
        advanceHours(3)
        await stopRunWhen({ syncMode }, afterCalls(calls))
      }
      let written = 0
      const report: SyncRunRequest['report'] = ({ rowsWritten }) => void (written += rowsWritten)
      await stopRunWhen({ syncMode, report }, () => written > 0)
      await expectEqual()
    }
    api.hang()
    await stopRunWhen({ syncMode: 'full' }, () => api.sim.requests.some(({ status }) => status === 0))
    await expectEqual()
  })

  test('[ENG-1] a column that is new to the target is added and filled, whatever its name', async () => {
    await api.widen()
    await expectEqual()
  })
})
