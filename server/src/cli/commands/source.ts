import { readFileSync, writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { type DescriptionProblem, parseDescription } from '@tributary/engine/apis/described/description/parse'
import type { SourceDescription } from '@tributary/engine/apis/described/description/source-description'
import { draftDescription } from '@tributary/engine/apis/workbench/draft/draft'
import { DraftRefused } from '@tributary/engine/apis/workbench/draft/draft-refused'
import { openEntered, type OpenedSettings } from '@tributary/engine/apis/workbench/entered-settings'
import { proveStream, streamsIn } from '@tributary/engine/apis/workbench/prove/prove'
import type { Proof } from '@tributary/engine/apis/workbench/prove/verdict'
import { tryStream } from '@tributary/engine/apis/workbench/try/try-stream'
import { Fault } from '@tributary/engine/ports/faults'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import { systemClock } from '../../kernel/clock.ts'
import { openNetwork } from '../../security/egress/egress.ts'
import type { CommandLine, CommandResult } from '../command-line.ts'
import { CommandRefused } from '../command-refused.ts'
import { proofText, triedText } from './source-output.ts'

export function sourceCommands(program: Command, line: CommandLine): void {
  const group = program.command('source').description('describe a source with one YAML file, and prove it')
  group
    .command('draft <document>')
    .description('draft a description from an OpenAPI file, a $metadata document or a sample reply')
    .requiredOption('--type <type>', 'the type of the source, such as orchard', parseType)
    .option('--address <address>', 'where the API is; of a sample: the address it was read from, with its parameters')
    .option('--only <lists>', 'of an OpenAPI file: only these lists, separated by commas')
    .option('--to <file>', 'write the draft to a new file')
    .action(line.printResultOf((document: string, options: DraftOptions) => draft(document, options)))
  group
    .command('check <file>')
    .description('check a description; each problem has its line and column')
    .action(line.printResultOf((file: string) => check(file)))
  group
    .command('try <file>')
    .description('read some pages of a stream, and show requests, replies, rows and types')
    .option('--settings <file>', settingsHelp)
    .option('--stream <name>', 'the stream; the first one otherwise')
    .option('--pages <count>', 'how many pages', parsePages, 2)
    .action(line.printResultOf((file: string, options: TryOptions) => tryFile(line, file, options)))
  group
    .command('prove <file>')
    .description(
      'prove streams on the live account, with calls that only read, and on an API made from the description',
    )
    .option('--settings <file>', `${settingsHelp}; without it, nothing is called`)
    .option('--stream <name>', 'only this stream')
    .action(line.printResultOf((file: string, options: ProveOptions) => prove(line, file, options)))
}

const settingsHelp = 'a JSON file with the values of the settings by name, or - for the standard input'

interface DraftOptions {
  readonly type: string
  readonly address?: string
  readonly only?: string
  readonly to?: string
}

async function draft(document: string, { type, address, only, to }: DraftOptions): Promise<CommandResult> {
  const lists = only?.split(',').map((name) => name.trim()) ?? []
  try {
    const drafted = draftDescription(read(document), { type, address, only: lists })
    const { yaml, notes, problems } = drafted
    if (to !== undefined) writeFileSync(to, yaml, { flag: 'wx' })
    const remarks = [...notes, ...problems.map((problem) => problemText(to ?? document, problem))]
    const head = to === undefined ? yaml : `Written to ${to}. Look at every line that begins with # check.`
    return { text: [head, ...remarks].join('\n'), value: drafted, isWell: problems.length === 0 }
  } catch (error) {
    if (error instanceof DraftRefused) throw new CommandRefused('notDrafted', error.message)
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || to === undefined) throw error
    throw new CommandRefused('notWritten', `${to} cannot be written (${code}). Name a file that does not exist yet.`)
  }
}

async function check(file: string): Promise<CommandResult> {
  const { description, problems } = parseDescription(read(file))
  const text =
    description === null
      ? problems.map((problem) => problemText(file, problem)).join('\n')
      : `${file} has no problem. It reads ${streamsIn(description).join(', ') || 'the sets of its metadata'}.`
  return { text, value: { problems }, isWell: description !== null }
}

interface TryOptions {
  readonly settings?: string
  readonly stream?: string
  readonly pages: number
}

async function tryFile(
  line: CommandLine,
  file: string,
  { settings, stream, pages }: TryOptions,
): Promise<CommandResult> {
  const description = requireDescription(file)
  const opened = openSettings(description, settings)
  const tried = await tryStream(
    { description, settings: opened.settings, secrets: opened.more, stream, pages },
    contextOf(line, opened),
  )
  const isWell = tried.fault === null && tried.misfits.length === 0
  return { text: triedText(tried), value: tried, isWell }
}

interface ProveOptions {
  readonly settings?: string
  readonly stream?: string
}

async function prove(line: CommandLine, file: string, { settings, stream }: ProveOptions): Promise<CommandResult> {
  const description = requireDescription(file)
  const opened = settings === undefined ? null : openSettings(description, settings)
  const streams = stream === undefined ? streamsIn(description) : [stream]
  const proofs: Proof[] = []
  for (const name of streams) {
    line.remark(`${name} …`)
    const request = { description, stream: name, settings: opened?.settings ?? null, secrets: opened?.more ?? [] }
    for await (const proof of proveStream(request, contextOf(line, opened))) proofs.push(proof)
  }
  return { text: proofText(proofs), value: { proofs } }
}

/** Secrets come from a file or the standard input, because arguments can be seen by every user of the machine. */
function openSettings(description: SourceDescription, file: string | undefined): OpenedSettings {
  try {
    return openEntered(description, file === undefined ? {} : parseValues(file, read(file === '-' ? 0 : file)))
  } catch (error) {
    if (error instanceof Fault)
      throw new CommandRefused('settings', `${error.notice} Settings are read from the file that --settings names.`)
    throw error
  }
}

function parseValues(file: string, text: string): Readonly<Record<string, string>> {
  try {
    const values = JSON.parse(text) as unknown
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  } catch {
    // Its message could repeat a secret.
  }
  throw new CommandRefused('settings', `${file} is not a JSON object with values by the names of settings.`)
}

function contextOf({ configResult, signal }: CommandLine, opened: OpenedSettings | null): ConnectionContext {
  const network = openNetwork({ allow: configResult.config.allowHosts, deny: () => [] })
  const accessTokens = opened?.accessTokens
  return { network, clock: systemClock, signal, ...(accessTokens !== undefined && { accessTokens }) }
}

function requireDescription(file: string): SourceDescription {
  const { description, problems } = parseDescription(read(file))
  if (description !== null) return description
  throw new CommandRefused('description', problems.map((problem) => problemText(file, problem)).join('\n'))
}

function problemText(file: string, { line, column, message }: DescriptionProblem): string {
  return `${file}:${line}:${column} ${message}`
}

function read(file: string | 0): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandRefused(
      'unreadable',
      `${file === 0 ? 'The standard input' : file} cannot be read (${String(code)}).`,
    )
  }
}

function parseType(text: string): string {
  if (/^[a-z][a-z0-9-]{1,39}$/u.test(text)) return text
  throw new InvalidArgumentError('A type has lower-case letters, digits and hyphens.')
}

function parsePages(text: string): number {
  const pages = Number(text)
  if (Number.isInteger(pages) && pages >= 1 && pages <= 20) return pages
  throw new InvalidArgumentError('From 1 to 20.')
}
