import { Option, type Command } from 'commander'
import {
  listKeys,
  retireKey,
  type KeyUsage,
  type KeyRetirementResult,
} from '../../security/keys/key-rotation-cleanup.ts'
import { reWrapAll } from '../../security/keys/re-wrap-keys.ts'
import { rotateDataKeys, rotateServerKey } from '../../security/keys/rotate-keys.ts'
import type { AppServices } from '../../app-services.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { dropFormerMasters, renewMaster } from './master-key.ts'
import { findOrganisationId } from '../find-by-name.ts'
import { operatorAuditContext } from '../operator.ts'
import { CommandRefused } from '../command-refused.ts'
import { formatMinute, formatTable } from '../terminal-text.ts'

const kinds = ['master', 'signing', 'pepper', 'data'] as const
type KeyKindArgument = (typeof kinds)[number]

export function keyCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('keys')
    .description('the keys that protect the stored data; their values are never shown')
    .addHelpText('after', examples)

  group
    .command('list')
    .description('list the keys: their age, the master key that wraps each, and their uses')
    .action(line.printResultWithServices(list))
  group
    .command('rotate')
    .description('replace a key with a new one while the server runs; no user is signed out')
    .argument('<kind>', kinds.join(', '))
    .addOption(new Option('--organisation <organisation>', 'only the data key of this organisation, by its key or id'))
    .action(line.printResultWithServices(rotate))
  group
    .command('rewrap')
    .description('wrap every key with the first master key; continues where it was interrupted')
    .action(line.printResultWithServices(rewrap))
  group
    .command('retire')
    .description('destroy a key that was replaced and is no longer in use')
    .argument('<key>', 'its id, or master for all former master keys in the file')
    .option(
      '--force',
      'destroy a signing key in use and end its sessions, or a pepper in use, whose passwords must then be reset',
    )
    .action(line.printResultWithServices(retire))
}

const examples = `
Examples:
  $ tributary keys list
  $ tributary keys rotate signing
  $ tributary keys rotate data --organisation harbour-trading
  $ tributary keys rotate master       # then copy the file, which has both keys, to where you keep your copy
  $ tributary keys retire master       # removes the former key: older backups need that copy`

async function list({ clock, masters, store }: AppServices): Promise<CommandResult> {
  // Across, here and below: the operator manages the keys of all organisations.
  const { keys, names } = await store.across(async (db) => {
    const rows = await db.selectFrom('organisation').select(['id', 'key']).execute()
    return { keys: await listKeys(db, clock.now()), names: new Map(rows.map(({ id, key }) => [id, key])) }
  })
  const ownerOf = ({ kind, organisationId }: KeyUsage) =>
    organisationId === null
      ? kind === 'data'
        ? 'the platform'
        : 'the server'
      : (names.get(organisationId) ?? organisationId)
  const rows = keys.map((key) => [
    key.id,
    key.kind,
    ownerOf(key),
    String(key.masterVersion),
    formatMinute(key.createdAt),
    formatMinute(key.replacedAt),
    String(key.uses),
  ])
  const wrapping = masters.wrappingKey().version
  const others = masters.versions().filter((version) => version !== wrapping)
  const text = [
    formatTable(['KEY', 'KIND', 'OF', 'WRAPPED BY', 'MADE', 'REPLACED', 'USES'], rows, 'There are no keys yet.'),
    `Master key ${wrapping} wraps${others.length === 0 ? '.' : `; ${others.join(', ')} can be opened, too.`}`,
  ]
  return { text: text.join('\n\n'), value: { masters: { wrapping, others }, keys } }
}

async function rotate(
  services: AppServices,
  kind: string,
  { organisation }: { readonly organisation?: string },
): Promise<CommandResult> {
  if (!isKind(kind))
    throw new CommandRefused('noKind', `There is no kind of key called ${kind}. Name one of ${kinds.join(', ')}.`)
  if (organisation !== undefined && kind !== 'data')
    throw new CommandRefused(
      'notOfOrganisation',
      `Only data keys belong to organisations. Leave out --organisation, or rotate data.`,
    )
  if (kind === 'master') return renewMaster(services)
  if (kind === 'data') return rotateData(services, organisation)
  const id = await rotateServerKey(services, operatorAuditContext(), kind)
  return { text: `The ${kind} key ${id} is in use within seconds. ${afterwards[kind]}`, value: { id, kind } }
}

const afterwards = {
  signing:
    'Tokens signed with the former key stay valid until they expire. The former key is destroyed automatically in a day.',
  pepper:
    'Each password moves to it at the next sign-in. `tributary keys list` shows how many passwords still use the former key.',
} as const

function isKind(text: string): text is KeyKindArgument {
  return (kinds as readonly string[]).includes(text)
}

async function rotateData(services: AppServices, organisation: string | undefined): Promise<CommandResult> {
  const only = await services.store.across((db) => findOrganisationId(db, organisation))
  const done = await rotateDataKeys(services, operatorAuditContext(), only ?? 'all')
  const text = `${done.keys} data keys were replaced and ${done.values} values encrypted again. The former keys are destroyed automatically within hours.`
  return { text, value: done }
}

async function rewrap(services: AppServices): Promise<CommandResult> {
  const wrapped = await reWrapAll(services)
  return {
    text:
      wrapped === 0 ? 'Every key is wrapped by the current master key.' : `${wrapped} keys were wrapped with it again.`,
    value: { wrapped },
  }
}

async function retire(
  services: AppServices,
  id: string,
  { force: isForced = false }: { readonly force?: boolean },
): Promise<CommandResult> {
  if (id === 'master') return dropFormerMasters(services)
  requireRetired(id, await retireKey(services, operatorAuditContext(), { id, isForced }))
  return {
    text: `The key ${id} is destroyed. Tokens and passwords that used it are refused within seconds.`,
    value: { id },
  }
}

function requireRetired(id: string, outcome: KeyRetirementResult): void {
  if (outcome === 'retired') return
  if (outcome === 'unknown')
    throw new CommandRefused('noKey', `There is no key ${id}. See the ids with: tributary keys list`)
  if (outcome === 'current')
    throw new CommandRefused(
      'keyCurrent',
      'This is the newest key of its kind. Replace it first with: tributary keys rotate',
    )
  if (outcome === 'fresh')
    throw new CommandRefused(
      'keyFresh',
      'This key was replaced just now and may still be in use. Try again in ten minutes.',
    )
  throw new CommandRefused(
    'keyInUse',
    `${outcome.uses} sessions, passwords or encrypted values still use this key. See docs/keys.md for what --force would end; it never destroys a key that encrypted values use.`,
  )
}
