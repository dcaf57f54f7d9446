/** What a described stream asks: a path with its query, and the reply with the records that a pointer finds. */
import { Fault } from '../../ports/faults.ts'
import type { ApiResponse, RetryMode } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import type { GridDescription } from './description/schema.ts'

export type Query = Readonly<Record<string, string>>

/** A path of the API; an address that a reply gave has its query in it. */
export interface Call {
  readonly path: string
  readonly query: Query
}

export interface CallOptions {
  readonly patience?: RetryMode
  readonly headers?: Query
}

export interface DescribedApi extends Disposable {
  readonly title: string
  /** Prefix of its fault codes: the type of the source. */
  readonly code: string
  /** The call with the values of settings in place of their names in braces. What replies have given is never filled. */
  withSettings(call: Call): Call
  get(call: Call, options?: CallOptions): Promise<ApiResponse>
  /** The text of an XML document. */
  getXml(path: string, patience?: RetryMode): Promise<string>
  /** A warning about today's number of calls, once a day; null if they are few. */
  warning(): string | null
  /** In milliseconds since 1970. */
  now(): number
}

/** Where records are in the replies of a stream. */
export interface RecordList {
  readonly api: DescribedApi
  readonly stream: string
  readonly records: string
  /** Whether a reply without records has no list. */
  readonly mayBeOmitted?: boolean
  /** Set if the records are rows of a report. */
  readonly grid?: GridDescription | undefined
  /** The key of a record as text. Records without a key: their whole text. */
  keyOf(record: JsonObject): string
}

export interface Misfit {
  readonly page: number
  readonly pointer: string
  readonly found: ExactJson | undefined
  readonly wanted: string
}

/** The reply does not fit the description. What the stream has in the target stays as it is; the others are not concerned. */
export function misfit(
  { api, stream }: Pick<RecordList, 'api' | 'stream'>,
  { page, pointer, found, wanted }: Misfit,
): Fault {
  const where = pointer === '' ? 'the reply' : `‘${pointer}’`
  return new Fault('data', {
    code: `${api.code}.misfit`,
    notice: `${stream}, page ${page}: ${where} has ${valueWords(found)} instead of ${wanted}. ${api.title} has changed its replies, or its description is wrong. The rows that the target has of ${stream} stay as they are, and the other tables are moved.`,
  })
}

const shownMax = 60

/** A value in an error message. Long ones are cut. */
export function valueWords(value: ExactJson | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= shownMax ? text : `${text.slice(0, shownMax).toWellFormed()}…`
}
