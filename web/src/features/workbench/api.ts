/** The calls of the workbench. Values of settings are in the page and in the call that uses them, and nowhere else. */
import type { CheckedWorkbenchDescription, DraftedDescription, WorkbenchText } from '@tributary/contract/workbench'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'

export const descriptionList = callQuery(['workbenchDescriptions'], 'GET /admin/workbench/descriptions')

/** Fetched once for each visit: a later version must not replace what the person writes. */
export const descriptionText = (descriptionId: string) => ({
  ...callQuery(['workbenchDescription', descriptionId], 'GET /admin/workbench/descriptions/:descriptionId', {
    params: { descriptionId },
  }),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
})

type DraftKind = 'openapi' | 'metadata' | 'sample'

export interface DraftBeginning {
  readonly name: string
  readonly kind: DraftKind | 'empty'
  /** Empty if the document says it. */
  readonly address: string
  readonly text: string
}

export interface NewDescription {
  readonly description: WorkbenchText
  /** What the drafting wants a person to look at. */
  readonly notes: readonly string[]
}

/** Drafts a description, and stores it under its name. */
export async function createDescription({ name, kind, address, text }: DraftBeginning): Promise<NewDescription> {
  const { Text, Notes } = kind === 'empty' ? emptyDraft : await draft({ kind, address, text })
  const description = await call('POST /admin/workbench/descriptions', { body: { name: name.trim(), text: Text } })
  return { description, notes: Notes }
}

const emptyDraft = { Text: '', Notes: [] }

function draft({
  kind,
  address,
  text,
}: Omit<DraftBeginning, 'name'> & { readonly kind: DraftKind }): Promise<DraftedDescription> {
  return call('POST /admin/workbench/draft', {
    body: { kind, text, ...(address.trim() !== '' && { address: address.trim() }) },
  })
}

/** The values that a person entered, by the name of the setting. */
export type EnteredValues = Readonly<Record<string, string>>

/** A text, and what the server has found in it. */
export interface CheckedText {
  readonly text: string
  readonly found: CheckedWorkbenchDescription
}
