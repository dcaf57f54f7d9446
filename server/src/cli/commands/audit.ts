import type { Command } from 'commander'
import { listOrganisations } from '../../features/organisations/queries.ts'
import { verifyAuditChain } from '../../security/audit/verify-chain.ts'
import type { AppServices } from '../../app-services.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { getOrganisationNamed } from '../find-by-name.ts'
import { formatMinute, formatTable } from '../terminal-text.ts'

export function auditCommands(program: Command, line: CommandLine): void {
  const group = program.command('audit').description('who did what: the log of the provider and of each organisation')
  group
    .command('verify')
    .description('verify that no event was changed or removed; exits with 1 if one was')
    .argument('[organisation]', 'its key or id; without it, every chain')
    .action(line.printResultWithServices(verify))
}

async function verify(services: AppServices, name?: string): Promise<CommandResult> {
  const found = []
  for (const { id, key } of await chains(services, name))
    found.push({ organisation: key, ...(await verifyAuditChain(services.store, id)) })
  const rows = found.map(({ organisation, events, brokenAt, last }) => [
    organisation ?? '(provider)',
    String(events),
    formatMinute(last?.at ?? null),
    last?.hash ?? '-',
    brokenAt === null ? 'whole' : `broken: event ${brokenAt} was changed, or the one before it is missing`,
  ])
  return {
    text: formatTable(['CHAIN', 'EVENTS', 'LAST (UTC)', 'ITS HASH', 'STATE'], rows, ''),
    value: found,
    isWell: found.every(({ brokenAt }) => brokenAt === null),
  }
}

/** The chain of the provider has neither id nor key. */
async function chains(
  { store }: AppServices,
  name: string | undefined,
): Promise<readonly { id: string | null; key: string | null }[]> {
  // Across: the operator sees every organisation.
  if (name !== undefined) return [await store.across((db) => getOrganisationNamed(db, name))]
  return [{ id: null, key: null }, ...(await store.across(listOrganisations))]
}
