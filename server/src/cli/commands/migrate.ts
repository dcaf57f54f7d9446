import type { Command } from 'commander'
import type { ClientConfig } from 'pg'
import { joinEmbedded } from '../../kernel/embedded/embedded-for-command.ts'
import { migrate } from '../../kernel/migrations/migrate.ts'
import { readMigrationStatus } from '../../kernel/migrations/migration-status.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { withDatabases } from '../open-services.ts'
import { formatMinute, formatTable } from '../terminal-text.ts'

export function migrateCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('migrate')
    .description('the schema of the store: which migrations have run, and which are due')
  group
    .command('status')
    .description('list the migrations; exits with 1 if one is due, changed or unknown')
    .action(line.printResultOf(() => withDatabases(line.configResult, joinEmbedded, status)))
  group
    .command('run')
    .description('run the due migrations without starting the server')
    .action(line.printResultOf(() => withDatabases(line.configResult, joinEmbedded, run)))
}

async function status(connection: ClientConfig): Promise<CommandResult> {
  const found = await readMigrationStatus(connection)
  const rows = found.map(({ name, state, ranAt }) => [name, words[state], formatMinute(ranAt?.toISOString() ?? null)])
  return {
    text: formatTable(['MIGRATION', 'STATE', 'RAN (UTC)'], rows, 'There are no migrations.'),
    value: found,
    isWell: found.every(({ state }) => state === 'done'),
  }
}

const words = {
  done: 'done',
  due: 'due: run it with tributary migrate run, or start the server',
  changed: 'changed since it ran: this copy of Tributary was modified',
  unknown: 'from a newer Tributary: start that version',
} as const

async function run(connection: ClientConfig): Promise<CommandResult> {
  const ran = await migrate(connection)
  return { text: ran.length === 0 ? 'The store was up to date.' : `Done: ${ran.join(', ')}.`, value: { ran } }
}
