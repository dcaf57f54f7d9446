/** Registers all commands; each group has its file. */
import { Command } from 'commander'
import { auditCommands } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import type { CommandLine } from './command-line.ts'
import { configCommands } from './commands/config.ts'
import { connectorCommands } from './commands/connector.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { keyCommands } from './commands/keys.ts'
import { migrateCommands } from './commands/migrate.ts'
import { organisationCommands } from './commands/organisation.ts'
import { restoreCommands } from './commands/restore.ts'
import { sourceCommands } from './commands/source.ts'
import { statusCommand } from './commands/status.ts'
import { supportBundleCommand } from './commands/support-bundle.ts'
import { userCommands } from './commands/user.ts'

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
  sourceCommands(program, line)
  doctorCommand(program, line)
  supportBundleCommand(program, line)
  demoCommand(program, line)
  backupCommands(program, line)
  restoreCommands(program, line)
  migrateCommands(program, line)
  return program
}

const afterwards = `
It reads the same environment variables as the server. Without any, it uses the trial in the data folder, running or not.

Exit codes: 0 done, 1 not done or a fault was found, 2 wrong arguments.

Examples:
  $ tributary status
  $ tributary organisation list --json
  $ tributary help connector`
