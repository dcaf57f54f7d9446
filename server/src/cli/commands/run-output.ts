/** Reads a run and its log lines for the console, and follows the lines of a run in progress. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandLine } from '../command-line.ts'
import { CommandRefused } from '../command-refused.ts'
import type { NamedConnector } from '../find-by-name.ts'

export type ShownRun = Awaited<ReturnType<typeof getRun>>
type PrintedRunLine = Awaited<ReturnType<typeof linesAfter>>[number]

type RunConnector = Pick<NamedConnector, 'id' | 'organisationId'>

export async function getRun(db: Db, connector: RunConnector, runId: string) {
  const found = await runsOf(db, connector)
    .select([
      'id',
      'connectorId',
      'status',
      'mode',
      'trigger',
      'queuedAt',
      'startedAt',
      'completedAt',
      'attempt',
      'notice',
      'faultKind',
      'faultCode',
    ])
    .select(['rowsRead', 'rowsWritten', 'rowsUpdated', 'rowsDeleted', 'rowsRejected'])
    .where('id', '=', runId)
    .executeTakeFirst()
  if (found === undefined) throw new CommandRefused('noRun', `There is no run ${runId} of this connector.`)
  return found
}

export async function latestRunId(db: Db, connector: RunConnector): Promise<string | undefined> {
  const latest = await runsOf(db, connector).select('id').orderBy('queuedAt', 'desc').limit(1).executeTakeFirst()
  return latest?.id
}

function runsOf(db: Db, { organisationId, id }: RunConnector) {
  return db.selectFrom('run').where('organisationId', '=', organisationId).where('connectorId', '=', id)
}

/** Oldest first. @param after the id of the last known line; 0 starts with the first line. */
export function linesAfter(db: Db, organisationId: string, runId: string, after: number) {
  return db
    .selectFrom('runLine')
    .select(['id', 'at', 'level', 'text'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .where('id', '>', after)
    .orderBy('id')
    .execute()
}

export function lineText({ at, level, text }: PrintedRunLine): string {
  return `${at.slice(0, 19).replace('T', ' ')}  ${level.padEnd(5)}  ${text}`
}

const unfinished = ['QUEUED', 'RUNNING', 'WAITING']

/** Prints each new line until the run ends or the signal aborts. Returns the run's state at that time. */
export async function followRun(
  { store }: Pick<AppServices, 'store'>,
  connector: RunConnector,
  runId: string,
  { signal, print }: Pick<CommandLine, 'signal' | 'print'>,
): Promise<ShownRun> {
  const { organisationId } = connector
  let after = 0
  for (;;) {
    // Reads the run before its lines, so that lines written before its end are not missed.
    const { run, lines } = await store.within(organisationId, async (db) => ({
      run: await getRun(db, connector, runId),
      lines: await linesAfter(db, organisationId, runId, after),
    }))
    for (const line of lines) {
      const { id, ...value } = line
      after = id
      await print({ text: lineText(line), value })
    }
    if (signal.aborted || !unfinished.includes(run.status)) return run
    await sleep(500, undefined, { signal }).catch(() => undefined)
  }
}
