import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { NewUser } from '@tributary/contract/users'
import { type Command, Option } from 'commander'
import { type SqlBool, sql } from 'kysely'
import { parseInput } from '../../kernel/http/parse-input.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  type OperatorAccount,
  createAccount,
  lockAccount,
  resetAccount,
  type StatusChange,
  unlockAccount,
} from './operator-accounts.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { getOrganisationNamed } from '../find-by-name.ts'
import { formatMinute, formatTable } from '../terminal-text.ts'

export function userCommands(program: Command, line: CommandLine): void {
  const group = program.command('user').description('the people who sign in').addHelpText('after', examples)

  group
    .command('list')
    .description('list all users, or the members of one organisation')
    .option('--organisation <key>', 'only its members')
    .action(line.printResultOf((options: { organisation?: string }) => list(line, options.organisation)))
  group
    .command('create')
    .description('create an account and a one-time link with which its owner sets the password')
    .argument('<email>', 'the address they sign in with')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .addOption(new Option('--role <role>', 'their role').choices(Object.keys(roleLevels)).makeOptionMandatory())
    .option('--organisation <key>', 'their organisation; a superadmin or provideradmin needs none')
    .option('--mail', 'mail them the link instead of printing it')
    .action(line.printResultOf((email: string, options: CreateOptions) => create(line, email, options)))
  group
    .command('reset')
    .description(
      'remove the password, sign the person out everywhere, and create a one-time link to set a new password',
    )
    .argument('<email>')
    .option('--second-factor', 'also remove their authenticator app, passkeys and recovery codes')
    .option('--mail', 'mail them the link instead of printing it')
    .action(line.printResultOf((email: string, options: ResetOptions) => reset(line, email, options)))
  group
    .command('lock')
    .description('sign the person out everywhere and refuse their sign-ins')
    .argument('<email>')
    .action(
      line.printResultOf(async (email: string) =>
        statusResult(await line.withServices((services) => lockAccount(services, email))),
      ),
    )
  group
    .command('unlock')
    .description('let a locked person sign in again; also lifts the wait after many wrong passwords')
    .argument('<email>')
    .action(
      line.printResultOf(async (email: string) =>
        statusResult(await line.withServices((services) => unlockAccount(services, email))),
      ),
    )
}

const examples = `
Examples:
  $ tributary user create kim@example.com --first-name Kim --last-name Day --role superadmin
  $ tributary user create ada@example.com --first-name Ada --last-name Lee --role admin --organisation harbour-trading --mail
  $ tributary user reset ada@example.com --second-factor
  $ tributary user lock ada@example.com`

interface CreateOptions {
  readonly firstName: string
  readonly lastName: string
  readonly role: RoleName
  readonly organisation?: string
  readonly mail?: true
}

interface ResetOptions {
  readonly secondFactor?: true
  readonly mail?: true
}

const NewPerson = NewUser.pick({ emailAddress: true, firstName: true, lastName: true })

async function create(line: CommandLine, emailAddress: string, options: CreateOptions): Promise<CommandResult> {
  const { firstName, lastName, role, organisation, mail } = options
  const person = parseInput(NewPerson, { emailAddress, firstName, lastName })
  const account = { ...person, role, organisation: organisation ?? null }
  const created = await line.withServices((services) => createAccount(services, account, mail ? 'mailed' : 'printed'))
  return { text: `Created the account of ${created.emailAddress}.\n${linkText(created)}`, value: created }
}

async function reset(
  line: CommandLine,
  emailAddress: string,
  { mail, secondFactor }: ResetOptions,
): Promise<CommandResult> {
  const accountReset = {
    emailAddress,
    delivery: mail ? 'mailed' : 'printed',
    secondFactor: secondFactor ? 'removed' : 'kept',
  } as const
  const account = await line.withServices((services) => resetAccount(services, accountReset))
  const factors = secondFactor ? ' The second factor was removed.' : ''
  return {
    text: `The former password of ${account.emailAddress} no longer works.${factors}\n${linkText(account)}`,
    value: account,
  }
}

function linkText({ link, linkExpiresAt }: OperatorAccount): string {
  const life = `It works once, until ${formatMinute(linkExpiresAt)} UTC.`
  return link === null
    ? `The link to set the password was mailed. ${life}`
    : `The owner sets the password with this link. ${life}\n\n  ${link}`
}

function statusResult(changed: StatusChange): CommandResult {
  return { text: `The account of ${changed.emailAddress} is ${changed.status}.`, value: changed }
}

function list(line: CommandLine, organisation: string | undefined): Promise<CommandResult> {
  return line.withServices(async ({ store }) => {
    // Across: the operator sees all users.
    const people = await store.across(async (db) => {
      const only = organisation === undefined ? undefined : (await getOrganisationNamed(db, organisation)).id
      return listPeople(db, only)
    })
    const rows = people.map(({ emailAddress, firstName, lastName, status, roles, lastSignInAt }) => [
      emailAddress,
      `${firstName} ${lastName}`,
      status,
      roles.join(', '),
      formatMinute(lastSignInAt),
    ])
    return {
      text: formatTable(['EMAIL', 'NAME', 'STATUS', 'ROLES', 'LAST SIGN-IN'], rows, 'There are no users yet.'),
      value: people,
    }
  })
}

/** Roles as `superadmin` and `harbour-trading: admin`. */
function listPeople(db: Db, organisationId: string | undefined) {
  const isMember = sql<SqlBool>`EXISTS (SELECT FROM membership WHERE userId = portalUser.id AND organisationId = ${organisationId ?? null}::uuid)`
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .leftJoin('role', 'role.id', 'portalUser.providerRoleId')
    .select(['portalUser.id', 'emailAddress', 'firstName', 'lastName', 'status.name as status', 'lastSignInAt'])
    .select(
      sql<readonly string[]>`array_remove(role.name || ARRAY(
        SELECT organisation.key || ': ' || held.name FROM membership
        JOIN organisation ON organisation.id = membership.organisationId JOIN role held ON held.id = membership.roleId
        WHERE membership.userId = portalUser.id ORDER BY organisation.key), NULL)`.as('roles'),
    )
    .$if(organisationId !== undefined, (query) => query.where(isMember))
    .orderBy('emailAddress')
    .execute()
}
