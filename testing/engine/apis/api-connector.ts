/** A connector from a simulated API to a target of any kind. Each run has a higher fencing token than the last. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { targets } from '@tributary/engine/registry'
import type { OpenSource, ConnectorProperties } from '@tributary/engine/ports/source'
import type { SyncOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import type { StreamVerification, VerifyRequest } from '@tributary/engine/ports/verification'
import type { TableRules } from '@tributary/engine/ports/table-rules'
import { applyTableRules } from '@tributary/engine/table-rules/ruled-source'
import { sync } from '@tributary/engine/sync/run'
import { verify } from '@tributary/engine/verify/verify'
import { testSecret } from '../databases/database-pair.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '../databases/database-ends.ts'
import { makeSqlServerTarget, type SqlServerEnd } from '../sqlserver/sqlserver-end.ts'
import type { SharedClock } from './shared-clock.ts'
import { connectionContext } from '../sync/source-context.ts'

type TargetRow = Readonly<Record<string, unknown>>

interface ApiRunOptions extends Partial<
  Pick<
    SyncRunRequest,
    'syncMode' | 'signal' | 'report' | 'streams' | 'changedSince' | 'closedPeriods' | 'marks' | 'schemaRules'
  >
> {
  readonly runId?: string
  /** Properties of the source in addition to the defaults. */
  readonly more?: ConnectorProperties
}

type ApiVerifyOptions = Partial<
  Pick<VerifyRequest, 'streams' | 'repair' | 'position' | 'callsLeft' | 'pendingBefore' | 'signal'>
>

interface ApiTarget extends Pick<DatabaseEnd, 'properties' | 'run' | 'read' | 'nameOf'>, AsyncDisposable {
  readonly adapt?: SqlServerEnd['adapt']
}

export interface ApiConnector extends AsyncDisposable {
  readonly target: ApiTarget
  /** Log lines of the last run. */
  readonly logLines: string[]
  /** Rules of the tables, by name of the stream, for all runs and verifications from now on. */
  readonly rules: Map<string, TableRules>
  run(how?: ApiRunOptions): Promise<SyncOutcome>
  /** Verifies all streams, or some. */
  verify(how?: ApiVerifyOptions): Promise<readonly StreamVerification[]>
  /** The rows of a PostgreSQL target. */
  query(sql: string): Promise<readonly TargetRow[]>
}

interface SimulatedApi extends AsyncDisposable {
  readonly clock: SharedClock
  open(signal: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

export async function connectApi(there: SimulatedApi, to: EndKind | 'sqlserver'): Promise<ApiConnector> {
  const target: ApiTarget = to === 'sqlserver' ? await makeSqlServerTarget() : await makeEnd(to, 'target')
  const kind = targets.find((one) => one.kind === to)
  if (kind === undefined) throw new Error(`There is no target ${to}.`)
  const connectorId = randomUUID()
  const logLines: string[] = []
  const rules = new Map<string, TableRules>()
  const log = (line: string) => void logLines.push(line)
  const openSource = async (signal: AbortSignal, more: ConnectorProperties = {}) =>
    applyTableRules(await there.open(signal, more), { rules, secret: testSecret, log })
  let fence = 0
  if (to === 'postgres') await target.run('SET search_path = "Shop"')
  return {
    target,
    logLines: logLines,
    rules,
    async run({ signal = new AbortController().signal, runId = randomUUID(), more = {}, ...how } = {}) {
      logLines.length = 0
      await using source = await openSource(signal, more)
      await using opened = await kind.open(kind.parse(target.properties), {
        ...connectionContext(signal),
        clock: there.clock,
      })
      target.adapt?.(opened)
      const writer = { connectorId, runId, fence: (fence += 1) }
      const usual = { syncMode: 'incremental', report: () => {} } as const
      return await sync({ source, target: opened, writer, log, clock: there.clock, signal, ...usual, ...how })
    },
    async verify({ signal = new AbortController().signal, ...how } = {}) {
      await using source = await openSource(signal)
      await using opened = await kind.open(kind.parse(target.properties), {
        ...connectionContext(signal),
        clock: there.clock,
      })
      const found: StreamVerification[] = []
      await verify({
        source,
        target: opened,
        writer: { connectorId, runId: randomUUID(), fence: (fence += 1) },
        repair: false,
        position: () => 0.5,
        report: (one) => void found.push(one),
        log,
        clock: there.clock,
        signal,
        ...how,
      })
      return found
    },
    query: async (sql) => ((await target.run(sql)) as pg.QueryResult<TargetRow>).rows,
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await there[Symbol.asyncDispose]()
    },
  }
}
