import { Name } from '@tributary/contract/name'
import type { Command } from 'commander'
import * as z from 'zod'
import { createOrganisation, setArchived } from '../../features/organisations/change-organisation.ts'
import { getOrganisation, listOrganisations } from '../../features/organisations/queries.ts'
import { parseInput } from '../../kernel/http/parse-input.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { getOrganisationNamed } from '../find-by-name.ts'
import { operatorAuditContext } from '../operator.ts'
import { formatFacts, formatMinute, formatTable } from '../terminal-text.ts'

export function organisationCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('organisation')
    .description('the companies that work with Tributary')
    .addHelpText('after', examples)

  group.command('list').description('list the organisations').action(line.printResultWithServices(list))
  group
    .command('show')
    .description('show one organisation: its people, connectors and time zone')
    .argument('<organisation>', 'its key or id')
    .action(line.printResultWithServices(show))
  group
    .command('create')
    .description('create an organisation; add its first administrator with: tributary user create')
    .argument('<name>', 'its name on screens')
    .option('--time-zone <zone>', 'the time zone of its schedules, such as Europe/London', 'UTC')
    .action(line.printResultWithServices(create))
  group
    .command('archive')
    .description('archive an organisation: its members are locked out and its runs stop; nothing is deleted')
    .argument('<organisation>', 'its key or id')
    .action(line.printResultWithServices((services, name: string) => archive(services, name, true)))
  group
    .command('restore')
    .description('bring an archived organisation back')
    .argument('<organisation>', 'its key or id')
    .action(line.printResultWithServices((services, name: string) => archive(services, name, false)))
}

const examples = `
Examples:
  $ tributary organisation create "Harbour Trading" --time-zone Europe/London
  $ tributary organisation show harbour-trading
  $ tributary organisation archive harbour-trading`

async function list({ store }: AppServices): Promise<CommandResult> {
  // Across: the operator sees every organisation.
  const found = await store.across(listOrganisations)
  const rows = found.map(({ key, companyName, timeZone, archived }) => [key, companyName, timeZone, statusOf(archived)])
  return {
    text: formatTable(['KEY', 'NAME', 'TIME ZONE', 'STATUS'], rows, 'There is no organisation yet.'),
    value: found,
  }
}

async function show({ store }: AppServices, name: string): Promise<CommandResult> {
  // Across: which organisation is meant.
  const { id } = await store.across((db) => getOrganisationNamed(db, name))
  const shown = await store.within(id, async (db) => ({
    ...(await getOrganisation(db, id)),
    ...(await countIn(db, id)),
  }))
  const { companyName, key, timeZone, archived, requireMultiFactorAuthentication: requiresMfa } = shown
  const text = formatFacts({
    Name: companyName,
    Key: key,
    Id: id,
    Status: statusOf(archived),
    'Time zone': timeZone,
    'Second factor': requiresMfa ? 'required for all members' : 'optional for each person',
    People: String(shown.people),
    Connectors: String(shown.connectors),
    'Last run': formatMinute(shown.lastRunAt),
  })
  return { text, value: shown }
}

async function countIn(db: Db, organisationId: string) {
  const { people } = await db
    .selectFrom('membership')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .where('organisationId', '=', organisationId)
    .executeTakeFirstOrThrow()
  const { connectors } = await db
    .selectFrom('connector')
    .select((eb) => eb.fn.countAll<number>().as('connectors'))
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .executeTakeFirstOrThrow()
  const { lastRunAt } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.max<string | null>('queuedAt').as('lastRunAt'))
    .where('organisationId', '=', organisationId)
    .executeTakeFirstOrThrow()
  return { people, connectors, lastRunAt }
}

const NewOrganisation = z.object({ companyName: Name, timeZone: z.string() })

async function create(
  services: AppServices,
  companyName: string,
  { timeZone }: { readonly timeZone: string },
): Promise<CommandResult> {
  const input = parseInput(NewOrganisation, { companyName, timeZone })
  const created = await createOrganisation(services, operatorAuditContext(), input)
  return { text: `Created ${created.companyName}, with the key ${created.key}.`, value: created }
}

async function archive(services: AppServices, name: string, archived: boolean): Promise<CommandResult> {
  // Across: which organisation is meant.
  const { id } = await services.store.across((db) => getOrganisationNamed(db, name))
  const changed = await setArchived(services, operatorAuditContext(), { organisationId: id, archived })
  return { text: `${changed.companyName} is ${statusOf(archived)}.`, value: changed }
}

function statusOf(archived: boolean): string {
  return archived ? 'archived' : 'active'
}
