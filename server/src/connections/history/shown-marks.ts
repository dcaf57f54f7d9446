/** The marks of a connector, and which streams their views show. */
import { hasLedgerViews } from '@tributary/engine/ready-questions'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import { findSource } from '../connectors/connector-types.ts'
import { listStreamNames } from '../connectors/stream-names.ts'

export interface ShownMark {
  readonly id: string
  readonly name: string
  /** Cut-off of the run that was reported. */
  readonly moment: string
  /** Names of its views in the target. */
  readonly views: readonly string[]
  readonly shows: (stream: string) => boolean
}

/** The oldest first. Superseded marks count, because their views stay. @param type of the source */
export async function listMarks(db: Db, connector: ConnectorLocation, type: string): Promise<readonly ShownMark[]> {
  const shows = markedStreams(type, await listStreamNames(db, connector, 'known'))
  const marks = await db
    .selectFrom('reportMark')
    .select(['id', 'name', 'moment', 'views'])
    .where('organisationId', '=', connector.organisationId)
    .where('connectorId', '=', connector.connectorId)
    .orderBy('moment')
    .execute()
  return marks.map((mark) => ({ ...mark, shows }))
}

/** Whether marked views read a stream: those of the ledger, or of a source without views of its ledger all tables. @param names of all streams */
export function markedStreams(type: string, names: ReadonlySet<string>): (stream: string) => boolean {
  const definition = findSource(type)?.closedPeriods
  if (definition === undefined || !hasLedgerViews(type, names)) return () => true
  const streams = new Set(definition.ledger(names).streams)
  return (stream) => streams.has(stream)
}
