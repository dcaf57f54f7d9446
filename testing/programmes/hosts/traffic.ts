/** Clients that call the API all the time: some read, one adds areas, and one for each connector starts run after run. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@tributary/sims/random'
import type { RetryingClient } from './retrying-client.ts'
import type { PostgresHost } from './postgres-host.ts'
import type { Shop } from './shop.ts'

export interface MovedShop {
  readonly shop: Shop
  readonly client: RetryingClient
  /** Where its connectors are: `/api/tributary/clients/…/connectors`. */
  readonly connectors: string
  readonly connectorId: string
  readonly schema: string
}

export interface RunFigures {
  readonly accepted: string[]
  readonly ended: Record<string, number>
  /** Events that were committed before a run began and are missing after it completed. */
  lostEvents: number
}

/** A session may poll a resource 30 times a minute. */
const pollMs = 2_500

export async function readAllTheTime(
  client: RetryingClient,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted; at += 1) {
    await client.call('GET', paths[at % paths.length] ?? '/healthz', undefined, [200])
    await sleep(600)
  }
}

/** Adds each name that the API has acknowledged to `names`. After a lost reply a repeated call is refused because the name is taken. */
export async function addAreas(client: RetryingClient, names: string[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const name = `Area ${names.length + 1}`
    const { status } = await client.call('POST', '/api/areas', { name }, [200, 201, 409])
    if (status !== 0 && status < 500) names.push(name)
    await sleep(2_000)
  }
}

/** Trades, starts a run and follows it to its end, again and again. */
export async function runAllTheTime(
  moved: MovedShop,
  figures: RunFigures,
  { random, signal, findDatabase }: { random: Random; signal: AbortSignal; findDatabase: WarehouseFinder },
): Promise<void> {
  while (!signal.aborted) {
    await repeatUntilDone(() => moved.shop.trade(random))
    const events = await repeatUntilDone(() => moved.shop.countEvents())
    const status = await runOnce(moved, figures, signal)
    if (status === 'COMPLETED') {
      const found = await repeatUntilDone(() => countCopiedEvents(findDatabase, moved, events))
      figures.lostEvents += events - found
    }
    await sleep(random.between(1_000, 6_000))
  }
}

/** @returns the status in which the run ended, or null if the traffic was to end first */
export async function runOnce(
  moved: MovedShop,
  figures: RunFigures,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | null> {
  const { client, connectors, connectorId } = moved
  const path = `${connectors}/${connectorId}`
  const started = await client.call('POST', `${path}/process`, {}, [202, 409])
  const runId = started.status === 202 ? (started.body as { RunId: string }).RunId : await findLatestRun(moved)
  if (started.status === 202) figures.accepted.push(runId)
  while (!signal.aborted) {
    const { body } = await client.call('GET', `${path}/runs/${runId}`, undefined, [200])
    const status = (body as { Status?: string } | null)?.Status ?? ''
    if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)) {
      figures.ended[status] = (figures.ended[status] ?? 0) + 1
      return status
    }
    await sleep(pollMs)
  }
  return null
}

async function findLatestRun({ client, connectors, connectorId }: MovedShop): Promise<string> {
  const { body } = await client.call('GET', `${connectors}/${connectorId}/runs`, undefined, [200])
  return (body as readonly { RunId: string }[] | null)?.[0]?.RunId ?? ''
}

export interface WarehouseFinder {
  readonly warehouse: PostgresHost
  /** The database of the organisation that owns the connector. */
  readonly databaseOf: (moved: MovedShop) => Promise<string>
}

async function countCopiedEvents(
  { warehouse, databaseOf }: WarehouseFinder,
  moved: MovedShop,
  events: number,
): Promise<number> {
  const [row] = await warehouse.query<{ found: number }>(
    await databaseOf(moved),
    `SELECT count(*)::int AS found FROM ${moved.schema}.event WHERE id <= $1`,
    [events],
  )
  return row?.found ?? 0
}

/** The tests reach a database by its socket, which is away only while the database restarts. */
async function repeatUntilDone<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      await sleep(500)
    }
}

/** Class 57 of SQLSTATE is an intervention by an operator; other codes are those of the connection. */
function isAway(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  return code === undefined ? /terminated|ended|timeout/iu.test(message) : /^(?:57|08|E[A-Z]+$)/u.test(code)
}
