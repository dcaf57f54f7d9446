import type { Command } from 'commander'
import { sql } from 'kysely'
import { stalledAfterMs } from '@tributary/contract/limits'
import type { AppServices } from '../../app-services.ts'
import { productVersion } from '../../kernel/product-version.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { formatFacts, formatMinute, formatTable } from '../terminal-text.ts'

export function statusCommand(program: Command, line: CommandLine): void {
  program
    .command('status')
    .description('show versions, waiting runs and mail, workers with a run under way, the last backup')
    .action(line.printResultWithServices(status))
}

async function status(services: AppServices): Promise<CommandResult> {
  const found = await readStatus(services)
  const { runs, workers } = found
  const text = formatFacts({
    Tributary: `${found.version} (${found.mode})`,
    Node: found.node,
    PostgreSQL: found.postgresql,
    Migrations: `${found.migrations}, the last ${found.lastMigration ?? '-'}`,
    Runs: `${runs.running} under way, ${runs.queued} waiting for a worker, ${runs.waiting} waiting to try again, ${runs.stalled} of them stalled`,
    Mail: `${found.mailWaiting} waiting, ${found.mailGivenUp} given up in the last day`,
    'Last backup': found.lastBackupAt === null ? 'none' : `${formatMinute(found.lastBackupAt)} UTC`,
  })
  const rows = workers.map(({ worker, heardAt }) => [worker, formatMinute(heardAt)])
  return {
    text: `${text}\n\n${formatTable(['WORKER', 'LAST HEARD'], rows, 'No worker has a run under way.')}`,
    value: found,
  }
}

export function readStatus({ store, config }: Pick<AppServices, 'config' | 'store'>) {
  // Across: the status covers the whole installation.
  return store.across(async (db) => ({
    mode: config.mode,
    version: productVersion(),
    node: process.versions.node,
    ...(await readDatabase(db)),
    ...(await readWork(db)),
    workers: await listWorkers(db),
    lastBackupAt: await lastBackup(db),
  }))
}

async function readDatabase(db: Db) {
  const { rows } = await sql<{ postgresql: string; migrations: number; lastMigration: string | null }>`
    SELECT current_setting('server_version') AS postgresql, (SELECT count(*) FROM migration) AS migrations,
           (SELECT max(name) FROM migration) AS lastMigration`.execute(db)
  const [found] = rows
  return {
    postgresql: found?.postgresql ?? '',
    migrations: found?.migrations ?? 0,
    lastMigration: found?.lastMigration ?? null,
  }
}

async function readWork(db: Db) {
  const { rows } = await sql<
    Record<'queued' | 'running' | 'waiting' | 'stalled' | 'mailWaiting' | 'mailGivenUp', number>
  >`
    SELECT count(*) FILTER (WHERE status = 'QUEUED') AS queued, count(*) FILTER (WHERE status = 'RUNNING') AS running,
           count(*) FILTER (WHERE status = 'WAITING') AS waiting,
           count(*) FILTER (WHERE queuedAt < now() - ${stalledAfterMs} * interval '1 millisecond') AS stalled,
           (SELECT count(*) FROM mail WHERE sentAt IS NULL AND gaveUpAt IS NULL) AS mailWaiting,
           (SELECT count(*) FROM mail WHERE gaveUpAt > now() - interval '1 day') AS mailGivenUp
    FROM run WHERE status IN ('QUEUED', 'RUNNING', 'WAITING')`.execute(db)
  const { queued = 0, running = 0, waiting = 0, stalled = 0, mailWaiting = 0, mailGivenUp = 0 } = rows[0] ?? {}
  return { runs: { queued, running, waiting, stalled }, mailWaiting, mailGivenUp }
}

/** Workers send heartbeats only while they have a run. */
async function listWorkers(db: Db) {
  const { rows } = await sql<{ worker: string; heardAt: string }>`
    SELECT worker, max(heartbeatAt) AS heardAt FROM run
    WHERE worker IS NOT NULL GROUP BY worker ORDER BY 2 DESC, 1`.execute(db)
  return rows
}

async function lastBackup(db: Db): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`SELECT max(madeAt) AS at FROM backup`.execute(db)
  return rows[0]?.at ?? null
}
