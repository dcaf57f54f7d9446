import { Option, type Command } from 'commander'
import {
  listKeys,
  retireKey,
  type KeyUsage,
  type KeyRetirementResult,
} from '../../security/keys/key-rotation-cleanup.ts'
import { reWrapAll } from '../../security/keys/re-wrap-keys.ts'
import { rotateDataKeys, rotateServerKey, type KeyRotationServices } from '../../security/keys/rotate-keys.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { dropFormerMasters, renewMaster } from './master-key.ts'
import { getOrganisationNamed } from '../find-by-name.ts'
import { operatorAuditContext } from '../operator.ts'
import { Refused } from '../command-refused.ts'
import { minute, table } from '../terminal-text.ts'

const kinds = ['master', 'signing', 'pepper', 'data'] as const
type KeyKindArgument = (typeof kinds)[number]

export function keyCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('keys')
    .description('the keys that protect what is stored; none is ever shown')
    .addHelpText('after', examples)

  group
    .command('list')
    .description('list the keys: their age, what wraps them and how much hangs on each')
    .action(line.answering(() => list(line)))
  group
    .command('rotate')
    .description('put a new key in the place of one, while everything runs; nobody is signed out')
    .argument('<kind>', kinds.join(', '))
    .addOption(
      new Option('--organisation <organisation>', 'of the data keys only that of one organisation, by its key or id'),
    )
    .action(
      line.answering((kind: string, { organisation }: { organisation?: string }) => rotate(line, kind, organisation)),
    )
  group
    .command('rewrap')
    .description('wrap every key with the master key that comes first; goes on where it was cut off')
    .action(line.answering(() => rewrap(line)))
  group
    .command('retire')
    .description('destroy a key that a newer one has replaced, and that nothing hangs on any more')
    .argument('<key>', 'its id, or master for all former master keys in the file')
    .option(
      '--force',
      'a signing key although sessions hang on it, which end; a pepper although passwords do, which must be set anew',
    )
    .action(line.answering((id: string, { force = false }: { force?: boolean }) => retire(line, id, force)))
}

const examples = `
Examples:
  $ tributary keys list
  $ tributary keys rotate signing
  $ tributary keys rotate data --organisation harbour-trading
  $ tributary keys rotate master       # then copy the file, which has both keys, to where you keep your copy
  $ tributary keys retire master       # takes the former one out: backups from before need that copy`

function list(line: CommandLine): Promise<CommandResult> {
  return line.withServices(async ({ clock, masters, store }) => {
    // Across, here and below: keys are the operator's business, whoever's secrets they protect.
    const { keys, names } = await store.across(async (db) => {
      const rows = await db.selectFrom('organisation').select(['id', 'key']).execute()
      return { keys: await listKeys(db, clock.now()), names: new Map(rows.map(({ id, key }) => [id, key])) }
    })
    const ofWhom = ({ kind, organisationId }: KeyUsage) =>
      organisationId === null
        ? kind === 'data'
          ? 'the platform'
          : 'the server'
        : (names.get(organisationId) ?? organisationId)
    const rows = keys.map((key) => [
      key.id,
      key.kind,
      ofWhom(key),
      String(key.masterVersion),
      minute(key.createdAt),
      minute(key.replacedAt),
      String(key.uses),
    ])
    const wrapping = masters.wrappingKey().version
    const others = masters.versions().filter((version) => version !== wrapping)
    const text = [
      table(['KEY', 'KIND', 'OF', 'WRAPPED BY', 'MADE', 'REPLACED', 'USES'], rows, 'There are no keys yet.'),
      `Master key ${wrapping} wraps${others.length === 0 ? '.' : `; ${others.join(', ')} can be opened, too.`}`,
    ]
    return { text: text.join('\n\n'), value: { masters: { wrapping, others }, keys } }
  })
}

async function rotate(line: CommandLine, kind: string, organisation: string | undefined): Promise<CommandResult> {
  if (!isKind(kind))
    throw new Refused('noKind', `There is no kind of key called ${kind}. Name one of ${kinds.join(', ')}.`)
  if (organisation !== undefined && kind !== 'data')
    throw new Refused(
      'notOfOrganisation',
      `Only data keys belong to organisations. Leave out --organisation, or rotate data.`,
    )
  return line.withServices(async (services) => {
    if (kind === 'master') return renewMaster(services)
    if (kind === 'data') return rotateData(services, organisation)
    const id = await rotateServerKey(services, operatorAuditContext(), kind)
    return { text: `The ${kind} key ${id} is in use within seconds. ${afterwards[kind]}`, value: { id, kind } }
  })
}

const afterwards = {
  signing:
    'What the former one signed stays good until it runs out; the former one is destroyed by itself a day from now.',
  pepper:
    'Each password goes over to it when its owner signs in next. See with `tributary keys list` how many still hang on the former one.',
} as const

function isKind(text: string): text is KeyKindArgument {
  return (kinds as readonly string[]).includes(text)
}

async function rotateData(services: KeyRotationServices, organisation: string | undefined): Promise<CommandResult> {
  const of =
    organisation === undefined
      ? 'all'
      : (await services.store.across((db) => getOrganisationNamed(db, organisation))).id
  const done = await rotateDataKeys(services, operatorAuditContext(), of)
  const text = `${done.keys} data keys were replaced and ${done.values} values sealed anew. The former keys are destroyed by themselves within hours.`
  return { text, value: done }
}

async function rewrap(line: CommandLine): Promise<CommandResult> {
  const wrapped = await line.withServices((services) => reWrapAll(services))
  return {
    text: wrapped === 0 ? 'Every key is wrapped by the current master key.' : `${wrapped} keys were wrapped anew.`,
    value: { wrapped },
  }
}

async function retire(line: CommandLine, id: string, isForced: boolean): Promise<CommandResult> {
  return line.withServices(async (services) => {
    if (id === 'master') return dropFormerMasters(services)
    requireRetired(id, await retireKey(services, operatorAuditContext(), { id, isForced }))
    return { text: `The key ${id} is destroyed. What hung on it is refused within seconds.`, value: { id } }
  })
}

function requireRetired(id: string, outcome: KeyRetirementResult): void {
  if (outcome === 'retired') return
  if (outcome === 'unknown') throw new Refused('noKey', `There is no key ${id}. See the ids with: tributary keys list`)
  if (outcome === 'current')
    throw new Refused('keyCurrent', 'This is the newest key of its kind. Replace it first with: tributary keys rotate')
  if (outcome === 'fresh')
    throw new Refused(
      'keyFresh',
      'This key was replaced only now, and somebody may still be at work with it. Try again in ten minutes.',
    )
  throw new Refused(
    'keyInUse',
    `${outcome.uses} sessions, passwords or sealed values still hang on this key. See docs/keys.md for what --force would end; sealed values are never given up.`,
  )
}
