import type { Command } from 'commander'
import { openDatabases } from '../../databases.ts'
import { commandName, joinEmbedded } from '../../kernel/embedded/embedded-for-command.ts'
import { migrate } from '../../kernel/migrations/migrate.ts'
import { readMigrationStatus } from '../../kernel/migrations/migration-status.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { requireConfigured } from '../require-config.ts'
import { minute, table } from '../terminal-text.ts'

export function migrateCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('migrate')
    .description('the shape of the store: what was done to it, and what this version still has to do')
  group
    .command('status')
    .description('list the migrations; ends with 1 where one is due, changed or unknown')
    .action(line.answering(() => status(line)))
  group
    .command('run')
    .description('bring the store up to date without starting the server, as its next start would')
    .action(line.answering(() => run(line)))
}

async function status(line: CommandLine): Promise<CommandResult> {
  requireConfigured(line.reading)
  const databases = await openDatabases(line.reading.config, joinEmbedded)
  try {
    const found = await readMigrationStatus({ ...databases.store, application_name: commandName })
    const rows = found.map(({ name, state, ranAt }) => [name, words[state], minute(ranAt?.toISOString() ?? null)])
    return {
      text: table(['MIGRATION', 'STATE', 'RAN (UTC)'], rows, 'There are no migrations.'),
      value: found,
      isWell: found.every(({ state }) => state === 'done'),
    }
  } finally {
    await databases.close()
  }
}

const words = {
  done: 'done',
  due: 'due: run it with tributary migrate run, or by the next start',
  changed: 'ran from another text: this copy of Tributary was changed',
  unknown: 'a newer Tributary’s: start that version',
} as const

async function run(line: CommandLine): Promise<CommandResult> {
  requireConfigured(line.reading)
  const databases = await openDatabases(line.reading.config, joinEmbedded)
  try {
    const ran = await migrate({ ...databases.store, application_name: commandName })
    return { text: ran.length === 0 ? 'The store was up to date.' : `Done: ${ran.join(', ')}.`, value: { ran } }
  } finally {
    await databases.close()
  }
}
