/** One run with its streams, its log lines and, if something is wrong, its fault card. */
import type { RunDetail } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'
import { faultCard } from './fault-cards/fault-card.ts'
import { findFaultContext, findRun, listLogLines, listStreams, type RunKey } from './queries.ts'

/** Undefined if the run does not exist. @param now Unix time in milliseconds */
export async function readRunDetail(db: Db, key: RunKey, now: number): Promise<Camel<RunDetail> | undefined> {
  const run = await findRun(db, key)
  if (run === undefined) return undefined
  const streams = await listStreams(db, key)
  const { type, ...background } = await findFaultContext(db, key)
  const card = faultCard({ ...background, run, streams, source: findSource(type)?.title ?? type, now })
  return { ...run, card, streams, lines: await listLogLines(db, key) }
}
