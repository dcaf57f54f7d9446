/** The continuation of a set in its next link. It holds values of the last row and no secret; PostgreSQL checks the reader's rights again. */
import type { RowPosition } from '../../../access/query/row-position.ts'
import { badRequest } from '../odata-error.ts'

export interface PageToken {
  readonly pageSize: number
  readonly after: RowPosition
}

export function writePageToken({ pageSize, after }: PageToken): string {
  return Buffer.from(JSON.stringify([pageSize, ...after])).toString('base64url')
}

export function readPageToken(token: string): PageToken {
  const values = parse(token)
  const [pageSize, ...after] = values
  if (typeof pageSize !== 'number' || !Number.isSafeInteger(pageSize) || pageSize < 1 || !after.every(isValue))
    throw wrong()
  return { pageSize, after }
}

function parse(token: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (Array.isArray(values)) return values
  } catch (cause) {
    throw wrong(cause)
  }
  throw wrong()
}

function isValue(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))
}

function wrong(cause?: unknown) {
  return badRequest('This is not a link of the feed. Start again without it.', { target: '$skiptoken', cause })
}
