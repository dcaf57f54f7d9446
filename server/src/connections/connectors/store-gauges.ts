/**
 * Gauges of the whole installation, read from the store. Every process reports the same values, so aggregate them by
 * the maximum.
 */
import { sql } from 'kysely'
import { cached, cachedByCost } from '../../kernel/cached.ts'
import type { Clock } from '../../kernel/clock.ts'
import { selectDueConnectors } from './due-connectors.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { GaugeValue, GaugeReader } from '../../kernel/telemetry/metrics.ts'

/** Values are cached for this long, however many scrapers ask. */
const readIntervalMs = 5_000
/** Freshness is read from all connectors. It takes at most this part of the time; in between, its last values are reported. */
const freshnessShare = 0.05

export interface StoreGaugesOptions {
  readonly store: Store
  readonly clock: Clock
  /** How many connectors report their freshness individually; 0 for none. */
  readonly connectorsMax: number
}

export function createStoreGaugeReader({ store, clock, connectorsMax }: StoreGaugesOptions): GaugeReader {
  // Across, both: the figures cover all organisations and name none.
  const readFreshness = cachedByCost(clock, { maxAgeMs: readIntervalMs, share: freshnessShare }, () =>
    store.across(async (db) => [
      ...(await freshnessByType(db)),
      ...(connectorsMax > 0 ? await freshness(db, connectorsMax) : []),
    ]),
  )
  const read = async () => [
    ...(await store.across(async (db) => [
      { name: 'tributary_store_up' as const, value: 1 },
      ...(await queueGauges(db)),
      ...(await waitingGauges(db)),
      ...(await scheduleLateness(db)),
      ...(await openIssues(db)),
      ...(await backupAge(db)),
    ])),
    // The store works if it answers the others in time.
    ...(await readFreshness().catch(() => [])),
  ]
  return cached<readonly GaugeValue[]>(clock, readIntervalMs, () =>
    read().catch(() => [{ name: 'tributary_store_up', value: 0 }]),
  ).read
}

async function queueGauges(db: Db): Promise<readonly GaugeValue[]> {
  const counted = await db
    .selectFrom('run')
    .select([
      'status',
      (eb) => eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(extract(epoch FROM now() - min(queuedAt)), 0)::float8`.as('age'),
    ])
    .where('status', 'in', ['QUEUED', 'WAITING', 'RUNNING'])
    .groupBy('status')
    .execute()
  const of = (status: string) => counted.find((one) => one.status === status)
  const depth = (state: string, status: string): GaugeValue => ({
    name: 'tributary_queue_depth',
    labels: { state },
    value: of(status)?.count ?? 0,
  })
  return [
    depth('queued', 'QUEUED'),
    depth('waiting', 'WAITING'),
    depth('running', 'RUNNING'),
    { name: 'tributary_queue_oldest_seconds', value: of('QUEUED')?.age ?? 0 },
  ]
}

/** Every reason has a value, so that a graph shows zero instead of nothing. */
const waitReasons = ['worker', 'share', 'retry', 'verification', 'connection', 'approval'] as const
const bytesPerMb = 1_048_576

async function waitingGauges(db: Db): Promise<readonly GaugeValue[]> {
  const counted = await db
    .selectFrom('unclaimedRun')
    .select([sql<string>`coalesce(waitsFor, 'worker')`.as('reason'), (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('reason')
    .execute()
  const { rows } = await sql<{ needed: number }>`SELECT tributaryNeededMemoryMb() AS needed`.execute(db)
  return [
    ...waitReasons.map((reason): GaugeValue => ({
      name: 'tributary_runs_waiting',
      labels: { reason },
      value: counted.find((one) => one.reason === reason)?.count ?? 0,
    })),
    { name: 'tributary_needed_memory_bytes', value: (rows[0]?.needed ?? 0) * bytesPerMb },
  ]
}

async function scheduleLateness(db: Db): Promise<readonly GaugeValue[]> {
  const { late } = await selectDueConnectors(db)
    .select(sql<number>`coalesce(extract(epoch FROM now() - min(nextRunAt)), 0)::float8`.as('late'))
    .executeTakeFirstOrThrow()
  return [{ name: 'tributary_schedule_lateness_seconds', value: late }]
}

/**
 * How long ago the oldest table of each scheduled connector was read. Connectors without a schedule have no expected
 * age.
 */
const ages = sql`SELECT connector.id, connector.type, extract(epoch FROM now() - min(connectorStream.freshAt))::float8 AS age
  FROM connector JOIN organisation ON organisation.id = connector.organisationId AND organisation.archivedAt IS NULL
  JOIN connectorStream ON connectorStream.connectorId = connector.id AND connectorStream.freshAt IS NOT NULL
  WHERE connector.status = 'CONNECTED' AND connector.schedule IS NOT NULL GROUP BY connector.id, connector.type`

async function freshnessByType(db: Db): Promise<readonly GaugeValue[]> {
  const { rows } = await sql<{ type: string; quantile: string; age: number }>`
    SELECT type, quantile::text, percentile_disc(quantile) WITHIN GROUP (ORDER BY age) AS age
    FROM (${ages}) AS aged CROSS JOIN unnest(ARRAY[0.5, 0.9, 1]::float8[]) AS quantile GROUP BY type, quantile`.execute(
    db,
  )
  return rows.map(({ type, quantile, age }) => ({
    name: 'tributary_type_freshness_seconds',
    labels: { type, quantile },
    value: age,
  }))
}

async function freshness(db: Db, max: number): Promise<readonly GaugeValue[]> {
  const { rows } = await sql<{ id: string; type: string; age: number }>`${ages} ORDER BY age DESC LIMIT ${max}`.execute(
    db,
  )
  return rows.map(({ id, type, age }) => ({
    name: 'tributary_freshness_seconds',
    labels: { connector: id, type },
    value: age,
  }))
}

async function openIssues(db: Db): Promise<readonly GaugeValue[]> {
  const incidents = await db
    .selectFrom('incident')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('closedAt', 'is', null)
    .groupBy('kind')
    .execute()
  const { count, late } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number>`greatest(0, coalesce(extract(epoch FROM now() - min(nextAttemptAt)), 0))::float8`.as('late'))
    .where('sentAt', 'is', null)
    .where('gaveUpAt', 'is', null)
    .executeTakeFirstOrThrow()
  return [
    ...incidents.map(({ kind, count: open }): GaugeValue => ({
      name: 'tributary_incidents',
      labels: { kind },
      value: open,
    })),
    { name: 'tributary_mail_waiting', value: count },
    { name: 'tributary_mail_lateness_seconds', value: late },
  ]
}

/** Covers only backups that Tributary made itself. */
async function backupAge(db: Db): Promise<readonly GaugeValue[]> {
  const { age } = await db
    .selectFrom('backup')
    .select(sql<number | null>`extract(epoch FROM now() - max(madeAt))::float8`.as('age'))
    .executeTakeFirstOrThrow()
  return age === null ? [] : [{ name: 'tributary_backup_age_seconds', value: age }]
}
