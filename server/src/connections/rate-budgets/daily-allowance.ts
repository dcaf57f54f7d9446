/**
 * The calls that a source allows in a day, for one key. Runs leave the last calls of the day to people and other programs, and wait for
 * the next day. Days are in UTC.
 */
import type { CallMeter } from '@tributary/engine/ports/call-meter'
import { Fault } from '@tributary/engine/ports/faults'
import { sql } from 'kysely'
import type { GlobalSettingsCache } from '../../kernel/config/global-configuration.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { findSource, sources } from '../connectors/connector-types.ts'
import { currentDay } from './daily-calls.ts'

/** The shares of a day's calls at which runs wait, and at which the provider's other rules apply. */
const waitsFrom = 0.95
const nearFrom = 0.8

export interface DailyAllowance {
  readonly title: string
  readonly calls: number
}

/** Null for a source without a limit by day. */
export function dailyAllowanceOf(type: string): DailyAllowance | null {
  const source = findSource(type)
  return source?.callLimit?.per === 'day' ? { title: source.title, calls: source.callLimit.calls } : null
}

/** The calls of a day that runs may make. */
export function usableAllowance(calls: number): number {
  return Math.floor(calls * waitsFrom)
}

export type AllowanceState = 'open' | 'near' | 'used'

export function judgeAllowance(used: number, { calls }: Pick<DailyAllowance, 'calls'>): AllowanceState {
  if (used >= calls * waitsFrom) return 'used'
  return used >= calls * nearFrom ? 'near' : 'open'
}

/** Connectors of several organisations may share a key, so read it across organisations. */
export async function readDayOfKeysEverywhere(db: Db, limitKeys: readonly string[]) {
  return await db
    .selectFrom('dailyCalls')
    .select([
      sql<number>`coalesce(sum(calls), 0)::int8`.as('calls'),
      sql<string>`(${currentDay} + 1)::timestamp AT TIME ZONE 'UTC'`.as('endsAt'),
      sql<number>`(extract(epoch FROM (${currentDay} + 1)::timestamp AT TIME ZONE 'UTC' - now()) * 1000)::int8`.as(
        'msLeft',
      ),
    ])
    .where('limitKey', '=', sql<string>`ANY (${limitKeys}::text[])`)
    .where('limitKey', '<>', '')
    .where('day', '=', currentDay)
    .executeTakeFirstOrThrow()
}

/** Of the keys that the connector has used today. */
export async function readDayOfConnectorEverywhere(db: Db, connectorId: string) {
  return await readDayOfKeysEverywhere(db, await listKeysOfTodayEverywhere(db, connectorId))
}

export async function listKeysOfTodayEverywhere(db: Db, connectorId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('dailyCalls')
    .select('limitKey')
    .distinct()
    .where('connectorId', '=', connectorId)
    .where('day', '=', currentDay)
    .where('limitKey', '<>', '')
    .execute()
  return rows.map(({ limitKey }) => limitKey)
}

/** The connectors whose keys are near their allowance today. */
export async function listNearAllowanceEverywhere(db: Db): Promise<ReadonlySet<string>> {
  const limits = sources.flatMap(({ type }) => {
    const calls = dailyAllowanceOf(type)?.calls
    return calls === undefined ? [] : [{ type, near: Math.ceil(calls * nearFrom) }]
  })
  const { rows } = await sql<{ connectorId: string }>`
    WITH today AS (SELECT limitKey, connectorId, sum(calls) AS calls FROM dailyCalls
      WHERE day = ${currentDay} AND limitKey <> '' GROUP BY limitKey, connectorId),
    used AS (SELECT limitKey, sum(calls) AS calls FROM today GROUP BY limitKey)
    SELECT DISTINCT today.connectorId FROM today JOIN used USING (limitKey) JOIN connector ON connector.id = today.connectorId
      JOIN unnest(${limits.map(({ type }) => type)}::text[], ${limits.map(({ near }) => near)}::int[]) AS lim (type, near)
        ON lim.type = connector.type
      WHERE used.calls >= lim.near`.execute(db)
  return new Set(rows.map(({ connectorId }) => connectorId))
}

interface AllowanceGuardOptions {
  readonly store: Store
  readonly settings: GlobalSettingsCache
  readonly allowance: DailyAllowance
  /** Stores the calls that this run has counted. */
  readonly flush: () => Promise<void>
}

/** A run reads the figures of its key again after this part of the calls that were left. So ten runs together stay within them. */
const partUntilReread = 1 / 10

/** Refuses calls with a `busy` Fault from the share on at which runs wait, unless the provider has switched the rule off. */
export function guardDailyAllowance({ store, settings, allowance, flush }: AllowanceGuardOptions): CallMeter['admit'] {
  const unchecked = new Map<string, number>()
  return async ({ limitKey }) => {
    const granted = unchecked.get(limitKey) ?? 0
    if (granted > 0) {
      unchecked.set(limitKey, granted - 1)
      return
    }
    if (!(await settings.read()).KeepWithinAllowance) return
    await flush()
    // Across: connectors of several organisations may share the key.
    const { calls, msLeft } = await store.across((db) => readDayOfKeysEverywhere(db, [limitKey]))
    if (judgeAllowance(calls, allowance) === 'used') throw usedFault(allowance, calls, msLeft)
    unchecked.set(limitKey, Math.floor((allowance.calls * waitsFrom - calls) * partUntilReread))
  }
}

function usedFault({ title, calls: allowed }: DailyAllowance, calls: number, waitMs: number): Fault {
  const words = (count: number) => count.toLocaleString('en-GB')
  return new Fault('busy', {
    code: 'source.allowance_used',
    notice: `${words(calls)} of the ${words(allowed)} calls that ${title} allows in a day are used with these credentials. The last ones are left to people and other programs. What has been read is kept; the run continues by itself after midnight UTC.`,
    waitMs,
  })
}
