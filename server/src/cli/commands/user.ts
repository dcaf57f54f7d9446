import { roleLevels } from '@tributary/contract/capabilities'
import { NewUser } from '@tributary/contract/users'
import { type Command, Option } from 'commander'
import { type SqlBool, sql } from 'kysely'
import { parseInput } from '../../kernel/http/parse-input.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  createAccount,
  lockAccount,
  type NewAccountOptions,
  type OperatorAccount,
  resetAccount,
  type ResetOptions,
  unlockAccount,
} from './operator-accounts.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { findOrganisationId } from '../find-by-name.ts'
import { formatMinute, formatTable } from '../terminal-text.ts'

export function userCommands(program: Command, line: CommandLine): void {
  const group = program.command('user').description('the people who sign in').addHelpText('after', examples)

  group
    .command('list')
    .description('list all users, or the members of one organisation')
    .option('--organisation <key>', 'only its members')
    .action(line.printResultWithServices(list))
  group
    .command('create')
    .description('create an account and a one-time link with which its owner sets the password')
    .argument('<email>', 'the address they sign in with')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .addOption(new Option('--role <role>', 'their role').choices(Object.keys(roleLevels)).makeOptionMandatory())
    .option('--organisation <key>', 'their organisation; a superadmin or provideradmin needs none')
    .option('--mail', 'mail them the link instead of printing it')
    .action(line.printResultWithServices(create))
  group
    .command('reset')
    .description(
      'remove the password, sign the person out everywhere, and create a one-time link to set a new password',
    )
    .argument('<email>')
    .option('--second-factor', 'also remove their authenticator app, passkeys and recovery codes')
    .option('--mail', 'mail them the link instead of printing it')
    .action(line.printResultWithServices(reset))
  group
    .command('lock')
    .description('sign the person out everywhere and refuse their sign-ins')
    .argument('<email>')
    .action(
      line.printResultWithServices(async (services, email: string) => statusResult(await lockAccount(services, email))),
    )
  group
    .command('unlock')
    .description('let a locked person sign in again; also lifts the wait after many wrong passwords')
    .argument('<email>')
    .action(
      line.printResultWithServices(async (services, email: string) =>
        statusResult(await unlockAccount(services, email)),
      ),
    )
}

const examples = `
Examples:
  $ tributary user create kim@example.com --first-name Kim --last-name Day --role superadmin
  $ tributary user create ada@example.com --first-name Ada --last-name Lee --role admin --organisation harbour-trading --mail
  $ tributary user reset ada@example.com --second-factor
  $ tributary user lock ada@example.com`

interface CreateOptions extends NewAccountOptions {
  readonly firstName: string
  readonly lastName: string
}

const NewPerson = NewUser.pick({ emailAddress: true, firstName: true, lastName: true })

async function create(
  services: AppServices,
  emailAddress: string,
  { firstName, lastName, ...options }: CreateOptions,
): Promise<CommandResult> {
  const person = parseInput(NewPerson, { emailAddress, firstName, lastName })
  const created = await createAccount(services, person, options)
  return { text: `Created the account of ${created.emailAddress}.\n${linkText(created)}`, value: created }
}

async function reset(services: AppServices, emailAddress: string, options: ResetOptions): Promise<CommandResult> {
  const account = await resetAccount(services, emailAddress, options)
  const factors = options.secondFactor ? ' The second factor was removed.' : ''
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

function statusResult(changed: Awaited<ReturnType<typeof lockAccount>>): CommandResult {
  return { text: `The account of ${changed.emailAddress} is ${changed.status}.`, value: changed }
}

async function list(
  { store }: AppServices,
  { organisation }: { readonly organisation?: string },
): Promise<CommandResult> {
  // Across: the operator sees all users.
  const people = await store.across(async (db) => listPeople(db, await findOrganisationId(db, organisation)))
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
