/** Drafts a source description from a document of the API. What had to be guessed is marked in it with `# check:`. */
import { type DescriptionProblem, parseDescription } from '../../described/description/parse.ts'
import { DraftRefused } from './draft-refused.ts'
import { draftFromMetadata } from './from-metadata.ts'
import { draftFromOpenApi } from './from-openapi.ts'
import { draftFromSample } from './from-sample.ts'
import { isMap, type JsonMap, mapOf, parseDocument } from './openapi-document.ts'
import { writeODataDraft, writeRestDraft } from './write-yaml.ts'

export interface DraftOptions {
  /** The type of the source in the product, such as `orchard`. */
  readonly type: string
  /** The address of the API, of the service or of the call of a sample. */
  readonly address?: string | undefined
  /** Of an OpenAPI document: only these lists. */
  readonly only?: readonly string[]
}

export interface Draft {
  readonly from: 'openapi' | 'metadata' | 'sample'
  readonly yaml: string
  /** For people: what was left out, and what to look at first. */
  readonly notes: readonly string[]
  /** Empty, unless the document has something that no description can have. */
  readonly problems: readonly DescriptionProblem[]
}

/** In characters. The largest public documents have 12 million. */
export const documentMax = 20_000_000

/** @throws DraftRefused */
export function draftDescription(text: string, options: DraftOptions): Draft {
  if (text.length > documentMax)
    throw new DraftRefused(`The document is longer than ${documentMax} characters. Use a part of it.`)
  if (text.trim() === '') throw new DraftRefused('The document is empty.')
  const { type, address } = options
  if (/^\uFEFF?\s*</u.test(text)) {
    const draft = draftFromMetadata(text, address)
    return checked('metadata', writeODataDraft(draft, type), draft.notes)
  }
  const document = apiDocument(text)
  if (document !== null) {
    const draft = draftFromOpenApi(document, options)
    return checked('openapi', writeRestDraft(draft, type), draft.notes)
  }
  const draft = draftFromSample(text, address)
  return checked('sample', writeRestDraft(draft, type), draft.notes)
}

/** Null if the text is JSON of something else. @throws DraftRefused if it is neither JSON nor YAML */
function apiDocument(text: string): JsonMap | null {
  const isJson = /^\uFEFF?\s*[{[]/u.test(text)
  if (isJson && !/"(?:openapi|swagger)"\s*:/u.test(text)) return null
  const root = parseDocument(text)
  if (root['openapi'] !== undefined || root['swagger'] !== undefined) return root
  if (!isJson || isMap(mapOf(root)['paths']))
    throw new DraftRefused(
      'The document is neither an OpenAPI document nor a sample reply: it names no version of OpenAPI.',
    )
  return null
}

function checked(from: Draft['from'], yaml: string, notes: readonly string[]): Draft {
  return { from, yaml, notes, problems: parseDescription(yaml).problems }
}
