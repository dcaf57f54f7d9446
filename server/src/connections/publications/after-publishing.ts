/** What follows a publication: a run of each action that follows its set. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface RecordedPublication {
  readonly organisationId: string
  readonly setId: string
  /** The target database, for people. */
  readonly name: string
  /** It grows with each publication of the set. */
  readonly number: number
  readonly runs: readonly {
    readonly connectorId: string
    readonly runId: string
    /** The moment whose rows the published views show: ISO 8601 in UTC. */
    readonly moment: string
  }[]
}

/**
 * Queues a run of each action that follows the set and is switched on. Runs that have not begun give way to it, except messages to
 * webhooks. Called in the transaction that records the publication, so that each publication has its runs once.
 */
export async function afterPublishing(db: Db, publication: RecordedPublication): Promise<void> {
  const { organisationId, setId } = publication
  const follows = sql<boolean>`publicationAction.isOn AND (publicationAction.setId IS NULL OR publicationAction.setId = ${setId})`
  await dropWaitingRuns(db, organisationId, {
    where: sql<boolean>`publicationAction.kind <> 'webhook' AND ${follows}`,
    notice: 'A newer publication replaced it before it began.',
  })
  const message = JSON.stringify(await describe(db, publication))
  await db
    .insertInto('publicationActionRun')
    .columns(['organisationId', 'actionId', 'trigger', 'publication', 'dueAt'])
    .expression((eb) =>
      eb
        .selectFrom('publicationAction')
        .select(['organisationId', 'id'])
        .select([
          sql<'publication'>`'publication'`.as('trigger'),
          sql<string>`${message}::jsonb`.as('publication'),
          sql<string>`now()`.as('dueAt'),
        ])
        .where('organisationId', '=', organisationId)
        .where(follows),
    )
    .execute()
}

interface DroppedRuns {
  /** On `publicationAction`. */
  readonly where: RawBuilder<boolean>
  readonly notice: string
}

/** Ends runs that no service has accepted. */
export async function dropWaitingRuns(db: Db, organisationId: string, { where, notice }: DroppedRuns): Promise<void> {
  await db
    .updateTable('publicationActionRun')
    .from('publicationAction')
    .set({ status: 'DROPPED', dueAt: null, endedAt: sql<string>`now()`, notice })
    .whereRef('publicationAction.id', '=', 'publicationActionRun.actionId')
    .where('publicationActionRun.organisationId', '=', organisationId)
    .where('publicationActionRun.status', '=', 'WAITING')
    .where(where)
    .execute()
}

/** What a webhook reports. Names are those of the API. */
async function describe(db: Db, { organisationId, setId, name, number, runs }: RecordedPublication): Promise<object> {
  const connectors = await db
    .selectFrom('connector')
    .select(['id', 'name', 'type'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', sql<string>`ANY (${runs.map(({ connectorId }) => connectorId)}::uuid[])`)
    .execute()
  return {
    SetId: setId,
    Target: name,
    Number: number,
    Connectors: runs.map(({ connectorId, runId, moment }) => {
      const connector = connectors.find(({ id }) => id === connectorId)
      return { Id: connectorId, Name: connector?.name, Type: connector?.type, RunId: runId, MomentUtc: moment }
    }),
  }
}
