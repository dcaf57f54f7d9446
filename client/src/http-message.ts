/** Turns a typed call into an HTTP request, and a response into its reply. */
import type { parquetType, workbookType, zipType } from '@tributary/contract/route'

/** The arguments of any call. The types of the contract have checked them before. */
export interface CallArguments {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  /** Sent as it is. */
  readonly file?: Blob
  readonly signal?: AbortSignal
}

/** Typed by the contract, but not imported: that module holds schemas that no browser loads. */
const workbook: typeof workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const parquet: typeof parquetType = 'application/vnd.apache.parquet'
const zip: typeof zipType = 'application/zip'
const files = [workbook, parquet, zip]

/** Path and query, from `/api`. */
export function formatAddress(path: string, { params = {}, query = {} }: CallArguments): string {
  const values = params as Record<string, unknown>
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(values[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return `/api${filled}${search.size === 0 ? '' : `?${search}`}`
}

export function formatRequest(method: string, { file, body }: CallArguments, token: string | null): RequestInit {
  const headers = new Headers({
    accept: `application/json, text/csv, text/event-stream, ${files.join(', ')}`,
  })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (file === undefined && body === undefined) return { method, headers }
  headers.set('content-type', file === undefined ? 'application/json' : 'application/octet-stream')
  return { method, headers, body: file ?? JSON.stringify(body) }
}

/** JSON is parsed; CSV is returned as text, a file as a Blob. Undefined if the server sends no content. */
export async function readReply(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/csv')) return response.text()
  return files.some((file) => type.startsWith(file)) ? response.blob() : response.json()
}
