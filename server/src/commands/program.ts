/** The commands in one list, each group in a file of its own. */
import { Command } from 'commander'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup.ts'
import type { CommandLine } from './command-line.ts'
import { configCommands } from './config.ts'
import { connectorCommands } from './connector.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { keyCommands } from './keys.ts'
import { migrateCommands } from './migrate.ts'
import { organisationCommands } from './organisation.ts'
import { restoreCommands } from './restore.ts'
import { statusCommand } from './status.ts'
import { supportBundleCommand } from './support-bundle.ts'
import { userCommands } from './user.ts'

export function buildProgram(line: CommandLine): Command {
  const program = new Command('tributary')
    .description(
      'Looks after an installation of Tributary from its console: people, organisations, connectors, configuration.',
    )
    .option('--json', 'print one JSON document instead of text; errors, too')
    .helpCommand('help [command]', 'explain a command')
    .helpOption('-h, --help', 'explain this command')
    .showSuggestionAfterError()
    .addHelpText('after', afterwards)
  statusCommand(program, line)
  userCommands(program, line)
  organisationCommands(program, line)
  connectorCommands(program, line)
  auditCommands(program, line)
  keyCommands(program, line)
  configCommands(program, line)
  doctorCommand(program, line)
  supportBundleCommand(program, line)
  demoCommand(program, line)
  backupCommands(program, line)
  restoreCommands(program, line)
  migrateCommands(program, line)
  return program
}

const afterwards = `
It takes the same environment variables as the server does. Without any it looks after the trial in the data folder, whether that
one is running or not.

Exit codes: 0 done, 1 not done or not well, 2 not understood.

Examples:
  $ tributary status
  $ tributary organisation list --json
  $ tributary help connector`
