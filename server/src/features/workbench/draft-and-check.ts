/** Drafts descriptions from documents, and checks descriptions. Nothing is called and nothing is stored. */
import type { CheckedWorkbenchDescription, DraftedDescription } from '@tributary/contract/workbench'
import type { Camel } from '@tributary/contract/wire'
import { parseDescription } from '@tributary/engine/apis/described/description/parse'
import type { SourceDescription } from '@tributary/engine/apis/described/description/source-description'
import { type Draft, draftDescription } from '@tributary/engine/apis/workbench/draft/draft'
import { DraftRefused } from '@tributary/engine/apis/workbench/draft/draft-refused'
import { workbenchFields } from '@tributary/engine/apis/workbench/entered-settings'
import { streamsIn } from '@tributary/engine/apis/workbench/prove/prove'
import { detailedFault } from '../../kernel/http/api-fault.ts'

interface DraftInput {
  readonly kind: Draft['from']
  readonly text: string
  readonly address?: string | undefined
}

/** The person names the type in the draft. */
const draftType = 'new-source'

const kindNames = {
  openapi: 'an OpenAPI document',
  metadata: 'a $metadata document',
  sample: 'a sample reply',
} as const

/** @throws `settingsWrong` if no description can be drafted from the document */
export function draftFrom({ kind, text, address }: DraftInput): Camel<DraftedDescription> {
  const draft = draftOrRefuse(text, address === '' ? undefined : address)
  if (draft.from !== kind)
    throw refusedDocument(
      `This is ${kindNames[draft.from]}, not ${kindNames[kind]}. Choose what it is, then draft again.`,
    )
  return { text: draft.yaml, notes: [...draft.notes], problems: [...draft.problems] }
}

function draftOrRefuse(text: string, address: string | undefined): Draft {
  try {
    return draftDescription(text, { type: draftType, address })
  } catch (error) {
    if (error instanceof DraftRefused) throw refusedDocument(error.message)
    throw error
  }
}

function refusedDocument(message: string) {
  return detailedFault('settingsWrong', message, { fields: { text: message } })
}

export function checkText(text: string): Camel<CheckedWorkbenchDescription> {
  const { description, problems } = parseDescription(text)
  if (description === null) return { problems: [...problems], settings: null, streams: [], hosts: [] }
  return {
    problems: [],
    settings: toForm(description),
    streams: [...streamsIn(description)],
    hosts: [...description.hosts],
  }
}

/** The form of the settings, as the catalogue has it. The address is a field, because a draft is often tried at a test system. */
function toForm(description: SourceDescription): Camel<CheckedWorkbenchDescription>['settings'] {
  const { title, base } = description
  const fields = workbenchFields(description).map(({ name, label, kind, isRequired, help, placeholder }) => ({
    key: name,
    label,
    kind,
    required: isRequired,
    help: help ?? null,
    placeholder: placeholder ?? null,
    choices: [],
    initial: null,
    hidden: false,
  }))
  const address = {
    key: 'address',
    label: 'Address',
    kind: 'text' as const,
    required: false,
    help: 'Only if the API is reached at another address, such as that of a test system. Its host must be one of the description.',
    placeholder: base,
    choices: [],
    initial: null,
    hidden: false,
  }
  return {
    property: 'values',
    shape: 'object',
    title,
    help: 'The values are used for tries and proofs, and never stored.',
    fields: fields.some(({ key }) => key === address.key) ? fields : [...fields, address],
  }
}

/** @throws `settingsWrong` with the first problem */
export function requireDescription(text: string): SourceDescription {
  const { description, problems } = parseDescription(text)
  if (description !== null) return description
  const [{ line, column, message } = { line: 1, column: 1, message: 'is not a description' }] = problems
  const notice = `The description has a problem in line ${line}, column ${column}: ${message}. Check it, then start again.`
  throw detailedFault('settingsWrong', notice, { fields: { text: notice } })
}
