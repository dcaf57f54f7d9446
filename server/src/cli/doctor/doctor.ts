import type { Command } from 'commander'
import type { Config } from '../../kernel/config/config.ts'
import { callbackUrl as authoriseCallback } from '../../features/authorisations/oauth-redirect.ts'
import { oidcCallbackUrl as providerCallback } from '../../features/identity-providers/oidc-redirect.ts'
import { openDatabases } from '../../databases.ts'
import { joinEmbedded } from '../../kernel/embedded/embedded-for-command.ts'
import { WrongMasterKey } from '../../kernel/config/master-keys.ts'
import { StartRefused } from '../../kernel/start-error.ts'
import { checkStore } from './check-database.ts'
import { fail, type DoctorFinding, ok, warn } from './finding.ts'
import { checkDisk, checkNames } from './check-machine.ts'
import { checkMail } from './check-mail.ts'
import { checkPublicAddress } from './check-public-address.ts'
import { checkWork, wrongMasterKey } from './check-work.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { withServices } from '../open-services.ts'
import { problemsOfStore } from '../commands/config.ts'

export function doctorCommand(program: Command, line: CommandLine): void {
  program
    .command('doctor')
    .description('look for faults: configuration, names, database, keys, mail, clocks, the public address')
    .action(line.printResultOf(() => diagnose(line)))
}

async function diagnose(line: CommandLine): Promise<CommandResult> {
  const findings = await findFaults(line)
  const failed = findings.filter(({ state }) => state === 'fail').length
  const summary =
    failed === 0 ? 'Nothing keeps Tributary from working.' : `${failed} of ${findings.length} checks failed.`
  const value = { isWell: failed === 0, findings }
  return { text: `${findings.map(findingText).join('\n')}\n\n${summary}`, value, isWell: failed === 0 }
}

export async function findFaults(line: CommandLine): Promise<readonly DoctorFinding[]> {
  const { config } = line.configResult
  return [
    ...(await checkConfiguration(line)),
    ...checkDisk(config),
    ...(await checkNames(config)),
    ...(await checkDatabases(config)),
    ...(await checkOpened(line)),
    ...(await checkMail(config)),
    ...redirectAddresses(config),
  ]
}

function findingText({ check, state, found, remedy }: DoctorFinding): string {
  return `${state.padEnd(4)}  ${check}: ${found}.${remedy === undefined ? '' : `\n      ${remedy}`}`
}

async function checkConfiguration({ configResult, described }: CommandLine): Promise<readonly DoctorFinding[]> {
  const problems = [...configResult.problems, ...(await problemsOfStore(configResult.config))]
  const remedy = 'The server does not start with this. See the settings with: tributary config check'
  const unknown = described.unknown.join(', ')
  return [
    ...problems.map((problem) => fail('Configuration', problem.replace(/\.$/u, ''), remedy)),
    ...(problems.length === 0 ? [ok('Configuration', `Nothing is missing or weak (${configResult.config.mode})`)] : []),
    ...(unknown === ''
      ? []
      : [warn('Configuration', `Not known, and without any effect: ${unknown}`, 'Correct or remove them.')]),
  ]
}

async function checkDatabases(config: Config): Promise<readonly DoctorFinding[]> {
  // `checkConfiguration` has reported the missing address.
  if (config.mode === 'production' && !(config.databaseUrl !== null && URL.canParse(config.databaseUrl))) return []
  try {
    const databases = await openDatabases(config, joinEmbedded)
    try {
      return await checkStore(databases)
    } finally {
      await databases.close()
    }
  } catch (error) {
    if (error instanceof StartRefused)
      return [fail('Database', error.message.replace(/\.$/u, ''), 'The other checks of the database were skipped.')]
    throw error
  }
}

/** Skipped if the store cannot be opened: the checks before this one report the reason. */
async function checkOpened(line: CommandLine): Promise<readonly DoctorFinding[]> {
  try {
    return await withServices(line.configResult, line.log, async (services) => [
      ...(await checkWork(services)),
      ...(await checkPublicAddress(services)),
    ])
  } catch (error) {
    if (error instanceof WrongMasterKey) return [wrongMasterKey]
    return [warn('Secrets and work', 'Not checked, because the store cannot be opened', 'Fix the faults above first.')]
  }
}

/** Lists the addresses only: no check is possible, because the providers do not publish what is registered. */
function redirectAddresses({ publicUrl, oauth, providers }: Config): readonly DoctorFinding[] {
  const addresses = [
    ...oauth.filter(({ app }) => app !== null).map(({ type }) => [type, authoriseCallback(publicUrl, type)] as const),
    ...providers.map(({ name }) => [name, providerCallback(publicUrl, { name })] as const),
  ]
  return addresses.map(([name, address]) => ok('Redirect address', `Register with ${name}: ${address}`))
}
