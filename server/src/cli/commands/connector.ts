import type { Command } from 'commander'
import { sql } from 'kysely'
import { requestCancellation } from '../../features/runs/queries.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { startManualRun } from '../../connections/connectors/start-run.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { findOrganisationId, getConnectorNamed } from '../find-by-name.ts'
import { operatorAuditContext } from '../operator.ts'
import { CommandRefused } from '../command-refused.ts'
import { followRun, getRun, latestRunId, lineText, linesAfter, type ShownRun } from './run-output.ts'
import { formatFacts, formatMinute, formatTable } from '../terminal-text.ts'

export function connectorCommands(program: Command, line: CommandLine): void {
  const group = program.command('connector').description('what moves data, and its runs').addHelpText('after', examples)

  group
    .command('list')
    .description('list the connectors with their latest run')
    .option('--organisation <key>', 'only those of this organisation')
    .action(line.printResultWithServices(list))
  group
    .command('show')
    .description('show one connector: its schedule and its latest run; never its settings')
    .argument('<connector>', argument)
    .action(line.printResultWithServices(show))
  group
    .command('run')
    .description('start a run; a worker takes it within seconds')
    .argument('<connector>', argument)
    .option('--full', 'read everything again, not only the changes')
    .option('--wait', 'wait until it has ended; the exit code is 1 unless it completed')
    .action(
      line.printResultWithServices((services, name: string, options: RunOptions) => run(services, line, name, options)),
    )
  group
    .command('cancel')
    .description('end the run that is waiting or under way')
    .argument('<connector>', argument)
    .action(line.printResultWithServices(cancel))
  group
    .command('logs')
    .description("print the latest run's lines")
    .argument('<connector>', argument)
    .option('--run <id>', 'of this run instead')
    .option('-f, --follow', 'print new lines until the run has ended; with --json each line is one document')
    .action(
      line.printResultWithServices((services, name: string, options: LogOptions) =>
        logs(services, line, name, options),
      ),
    )
}

const argument = 'organisation/connector by their keys, or its id'
const examples = `
Examples:
  $ tributary connector list --organisation harbour-trading
  $ tributary connector run harbour-trading/shop --wait
  $ tributary connector logs harbour-trading/shop --follow`

interface RunOptions {
  readonly full?: true
  readonly wait?: true
}

interface LogOptions {
  readonly run?: string
  readonly follow?: true
}

async function list(
  { store }: AppServices,
  { organisation }: { readonly organisation?: string },
): Promise<CommandResult> {
  // Across: the operator sees every organisation.
  const found = await store.across(async (db) => {
    const only = await findOrganisationId(db, organisation)
    const all = connectors(db)
    return (only === undefined ? all : all.where('connector.organisationId', '=', only)).execute()
  })
  const rows = found.map(({ label, type, status, schedule, lastStatus, lastQueuedAt }) => [
    label,
    type,
    status.toLowerCase(),
    schedule ?? 'by hand',
    lastStatus?.toLowerCase() ?? '-',
    formatMinute(lastQueuedAt),
  ])
  return {
    text: formatTable(
      ['CONNECTOR', 'TYPE', 'STATUS', 'SCHEDULE', 'LAST RUN', 'STARTED'],
      rows,
      'There is no connector yet.',
    ),
    value: found,
  }
}

/** Connectors that are not deleted, with their latest run. */
function connectors(db: Db) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.status as lastStatus', 'run.queuedAt as lastQueuedAt', 'run.notice as lastNotice'])
          .whereRef('run.connectorId', '=', 'connector.id')
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(sql<string>`organisation.key || '/' || connector.key`.as('label'))
    .select([
      'connector.id',
      'connector.name',
      'connector.type',
      'connector.status',
      'connector.schedule',
      'connector.nextRunAt',
    ])
    .select(['connector.targetDownSince', 'latest.lastStatus', 'latest.lastQueuedAt', 'latest.lastNotice'])
    .where('connector.status', '<>', 'DELETED')
    .orderBy('organisation.key')
    .orderBy('connector.key')
}

async function show({ store }: AppServices, name: string): Promise<CommandResult> {
  // Across: which connector is meant.
  const shown = await store.across(async (db) => {
    const { id } = await getConnectorNamed(db, name)
    return connectors(db).where('connector.id', '=', id).executeTakeFirst()
  })
  if (shown === undefined) throw new CommandRefused('noConnector', `The connector ${name} was deleted.`)
  const text = formatFacts({
    Connector: shown.label,
    Name: shown.name,
    Id: shown.id,
    Type: shown.type,
    Status: shown.status.toLowerCase(),
    Schedule: shown.schedule ?? 'by hand',
    'Next run': formatMinute(shown.nextRunAt),
    'Target away since': formatMinute(shown.targetDownSince),
    'Last run': `${shown.lastStatus?.toLowerCase() ?? '-'} ${formatMinute(shown.lastQueuedAt)}`,
    Notice: shown.lastNotice ?? '-',
  })
  return { text, value: shown }
}

async function run(
  services: AppServices,
  line: CommandLine,
  name: string,
  { full, wait }: RunOptions,
): Promise<CommandResult> {
  const connector = await find(services, name)
  const { organisationId, id: connectorId, label } = connector
  const runId = await services.store.within(organisationId, async (db) => {
    await requireAtWork(db, organisationId)
    const auditContext = { ...operatorAuditContext(), organisationId }
    return startManualRun(db, services, { auditContext, connectorId }, { mode: full ? 'full' : 'incremental' })
  })
  if (!wait) return { text: `The run ${runId} of ${label} waits for a worker.`, value: { runId, status: 'QUEUED' } }
  line.remark(`The run ${runId} of ${label} waits for a worker.`)
  const ended = await followRun(services, connector, runId, { signal: line.signal, print: async () => undefined })
  return { text: outcomeText(ended), value: ended, isWell: ended.status === 'COMPLETED' }
}

/** Members get a 404 for an archived organisation; the operator learns the reason. */
async function requireAtWork(db: Db, organisationId: string): Promise<void> {
  const { archivedAt } = await db
    .selectFrom('organisation')
    .select('archivedAt')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  if (archivedAt !== null) throw new ApiFault('organisationArchived')
}

async function cancel(services: AppServices, name: string): Promise<CommandResult> {
  const connector = await find(services, name)
  const { organisationId, label } = connector
  const ended = await services.store.within(organisationId, async (db) => {
    const runId = await latestRunId(db, connector)
    const notice = 'Cancelled by the operator, at the console.'
    const isCancelled =
      runId !== undefined && (await requestCancellation(db, organisationId, { runId, by: null, notice }))
    if (!isCancelled) throw new CommandRefused('notRunning', `No run of ${label} is waiting or under way.`)
    await services.audit.record(
      db,
      { ...operatorAuditContext(), organisationId },
      { action: 'sync.cancelled', object: { type: 'connector', id: connector.id }, detail: { runId } },
    )
    return getRun(db, connector, runId)
  })
  const text =
    ended.status === 'CANCELLED'
      ? `The run of ${label} is cancelled.`
      : `Cancellation of the run of ${label} was requested; its worker stops it within a second.`
  return { text, value: ended }
}

async function logs(
  services: AppServices,
  line: CommandLine,
  name: string,
  { run: requestedId, follow }: LogOptions,
): Promise<CommandResult> {
  const connector = await find(services, name)
  const { organisationId, label } = connector
  const runId = await services.store.within(
    organisationId,
    async (db) => requestedId ?? (await latestRunId(db, connector)),
  )
  if (runId === undefined) throw new CommandRefused('noRun', `${label} has not run yet.`)
  if (follow) {
    const ended = await followRun(services, connector, runId, line)
    return { text: outcomeText(ended), value: ended }
  }
  const { shown, lines } = await services.store.within(organisationId, async (db) => ({
    shown: await getRun(db, connector, runId),
    lines: await linesAfter(db, organisationId, runId, 0),
  }))
  const value = { run: shown, lines: lines.map(({ at, level, text }) => ({ at, level, text })) }
  return { text: [...lines.map(lineText), outcomeText(shown)].join('\n'), value }
}

function find({ store }: AppServices, name: string) {
  // Across: which connector is meant.
  return store.across((db) => getConnectorNamed(db, name))
}

function outcomeText({ status, notice, rowsWritten, rowsUpdated, rowsDeleted, rowsRejected }: ShownRun): string {
  const counts = `${rowsWritten} rows written, ${rowsUpdated} updated, ${rowsDeleted} deleted, ${rowsRejected} rejected`
  return `${status.toLowerCase()}: ${counts}.${notice === null ? '' : ` ${notice}`}`
}
