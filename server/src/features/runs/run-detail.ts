/** One run with its streams, its lines and, where it is not well, its card. */
import type { RunDetail } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'
import { faultCard } from './fault-cards/fault-card.ts'
import { findBackground, findRun, listLines, listStreams } from './queries.ts'

export interface RunPlace {
  readonly organisationId: string
  readonly connectorId: string
  readonly runId: string
}

/** Undefined where there is no such run. @param now in milliseconds */
export async function readDetail(
  db: Db,
  { organisationId, connectorId, runId }: RunPlace,
  now: number,
): Promise<Camel<RunDetail> | undefined> {
  const run = await findRun(db, organisationId, connectorId, runId)
  if (run === undefined) return undefined
  const streams = await listStreams(db, organisationId, runId)
  const { type, ...background } = await findBackground(db, organisationId, connectorId, runId)
  const card = faultCard({ ...background, run, streams, source: findSource(type)?.title ?? type, now })
  return { ...run, card, streams, lines: await listLines(db, organisationId, runId) }
}
