import type { Command } from 'commander'
import type { Config } from '../../kernel/config/config.ts'
import { callbackUrl as authoriseCallback } from '../../features/authorisations/oauth-redirect.ts'
import { oidcCallbackUrl as providerCallback } from '../../features/identity-providers/oidc-redirect.ts'
import { openDatabases } from '../../databases.ts'
import { joinEmbedded } from '../../kernel/embedded/embedded-for-command.ts'
import { WrongMasterKey } from '../../kernel/config/master-keys.ts'
import { StartRefused } from '../../kernel/start-error.ts'
import { checkStore } from './check-database.ts'
import { fail, type Finding, ok, warn } from './finding.ts'
import { checkDisk, checkNames } from './check-machine.ts'
import { checkMail } from './check-mail.ts'
import { checkPublicAddress } from './check-public-address.ts'
import { checkWork, wrongMasterKey } from './check-work.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { problemsOfStore } from '../commands/config.ts'

export function doctorCommand(program: Command, line: CommandLine): void {
  program
    .command('doctor')
    .description('look for what is wrong: configuration, names, database, keys, mail, clocks, the public address')
    .action(line.answering(() => examine(line)))
}

async function examine(line: CommandLine): Promise<CommandResult> {
  const findings = await findFaults(line)
  const failed = findings.filter(({ state }) => state === 'fail').length
  const end = failed === 0 ? 'Nothing keeps Tributary from working.' : `${failed} of ${findings.length} checks failed.`
  const value = { isWell: failed === 0, findings }
  return { text: `${findings.map(findingText).join('\n')}\n\n${end}`, value, isWell: failed === 0 }
}

export async function findFaults(line: CommandLine): Promise<readonly Finding[]> {
  const { config } = line.reading
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

function findingText({ check, state, found, remedy }: Finding): string {
  return `${state.padEnd(4)}  ${check}: ${found}.${remedy === undefined ? '' : `\n      ${remedy}`}`
}

async function checkConfiguration({ reading, described }: CommandLine): Promise<readonly Finding[]> {
  const problems = [...reading.problems, ...(await problemsOfStore(reading.config))]
  const remedy = 'A start refuses this. See what holds with: tributary config check'
  const unknown = described.unknown.join(', ')
  return [
    ...problems.map((problem) => fail('Configuration', problem.replace(/\.$/u, ''), remedy)),
    ...(problems.length === 0 ? [ok('Configuration', `Nothing is missing or weak (${reading.config.mode})`)] : []),
    ...(unknown === ''
      ? []
      : [warn('Configuration', `Not known, and without any effect: ${unknown}`, 'Correct or remove them.')]),
  ]
}

async function checkDatabases(config: Config): Promise<readonly Finding[]> {
  // Without an address there is nothing to look at, and what is missing has been said.
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
      return [fail('Database', error.message.replace(/\.$/u, ''), 'The rest was not looked at.')]
    throw error
  }
}

/** With a store that cannot be opened there is nothing more to find; why was said before. */
async function checkOpened(line: CommandLine): Promise<readonly Finding[]> {
  try {
    return await line.withServices(async (services) => [
      ...(await checkWork(services)),
      ...(await checkPublicAddress(services)),
    ])
  } catch (error) {
    if (error instanceof WrongMasterKey) return [wrongMasterKey]
    return [
      warn('Secrets and work', 'Not looked at, because the store cannot be opened', 'Mend what is said above first.'),
    ]
  }
}

/** Nothing to be checked from here: only the providers know what was registered with them. */
function redirectAddresses({ publicUrl, oauth, providers }: Config): readonly Finding[] {
  const given = [
    ...oauth.filter(({ app }) => app !== null).map(({ type }) => [type, authoriseCallback(publicUrl, type)] as const),
    ...providers.map(({ name }) => [name, providerCallback(publicUrl, { name })] as const),
  ]
  return given.map(([name, address]) => ok('Redirect address', `Register with ${name}: ${address}`))
}
