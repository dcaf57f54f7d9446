import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { withServices } from '../open-services.ts'
import { findFaults } from '../doctor/doctor.ts'
import { CommandRefused } from '../command-refused.ts'
import { readStatus } from './status.ts'

export function supportBundleCommand(program: Command, line: CommandLine): void {
  program
    .command('support-bundle')
    .description('write a file for support, without secrets, names and email addresses')
    .requiredOption('--to <file>', 'a new file; read it before you send it')
    .action(line.printResultOf(({ to }: { to: string }) => bundle(line, resolve(to))))
}

/** One JSON document rather than an archive, so that the sender can read all of it first. */
async function bundle(line: CommandLine, file: string): Promise<CommandResult> {
  const parts = await withServices(line.configResult, line.log, async (opened) => ({
    status: await readStatus(opened),
    // Across: the bundle covers the whole installation.
    recentFaults: await opened.store.across(listRecentFaults),
    connectorTypes: await opened.store.across(countConnectors),
  }))
  const machine = { system: `${type()} ${release()}`, processors: cpus().length, memoryBytes: totalmem() }
  const settings = line.described.settings.map(({ name, value, from }) => ({ name, value, from }))
  const whole = { madeAt: new Date().toISOString(), machine, ...parts, settings, findings: await findFaults(line) }
  try {
    writeFileSync(file, `${withoutAddresses(JSON.stringify(whole, null, 2))}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new CommandRefused(
      'notWritten',
      `${file} cannot be written (${String((error as NodeJS.ErrnoException).code)}). Name a file that does not exist yet.`,
    )
  }
  return { text: `Written to ${file}. Read it before you send it: settings name your servers.`, value: { file } }
}

/** Removes email addresses: a finding names accounts by them. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, '[address]')
}

/** Lists faults by their codes, without notices: a notice may name a table or a customer. */
async function listRecentFaults(db: Db) {
  const { rows } = await sql<{
    type: string
    faultKind: string | null
    faultCode: string | null
    runs: number
    lastAt: string
  }>`
    SELECT connector.type, faultKind, faultCode, count(*) AS runs, max(run.queuedAt) AS lastAt
    FROM run JOIN connector ON connector.id = run.connectorId
    WHERE run.status = 'FAILED' AND run.queuedAt > now() - interval '14 days' GROUP BY 1, 2, 3 ORDER BY 5 DESC`.execute(
    db,
  )
  return rows
}

async function countConnectors(db: Db) {
  const { rows } = await sql<{ type: string; status: string; connectors: number }>`
    SELECT type, status, count(*) AS connectors FROM connector GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  return rows
}
