/** The shape of a call: method, path, who may make it, what it takes and gives, how it can fail. */
import * as z from 'zod'
import type { RouteAccess } from './capabilities.ts'
import type { FaultCode } from './faults.ts'
import { orgQuery } from './id.ts'
import type { RouteScope } from './scope.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The media type of an .xlsx (ECMA-376). */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type InputSchema = z.ZodObject
export interface Route {
  readonly method: Method
  /** Below `/api`; parameters as `:name`. */
  readonly path: string
  readonly summary: string
  readonly allow: RouteAccess
  readonly scope: RouteScope
  readonly params?: InputSchema
  readonly query?: InputSchema
  readonly body?: z.ZodType
  /** Absent: 204 and no body. */
  readonly reply?: z.ZodType
  /** The body as it is, instead of JSON: a file, up to `fileMaxBytes`. */
  readonly takes?: 'application/octet-stream'
  /** Instead of a reply: text line by line, events as they happen, or the bytes of a workbook. */
  readonly produces?: 'text/csv' | 'text/event-stream' | typeof workbookType
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202
  /** What it can answer beyond what every call can (bad input, not signed in, not allowed, not found). */
  readonly faults?: readonly FaultCode[]
  /**
   * Opens the route to guests: organisations that the connector of the address is shared with. The caller's role in the guest
   * organisation decides. A guest sees of the reply, or of each event, what this schema declares. Without it the route finds
   * nothing for a guest.
   */
  readonly guestReply?: z.ZodType
  /** A GET that changes something all the same. */
  readonly changes?: boolean
  /** Polling calls do not count as activity, so an open tab does not keep a session alive. */
  readonly passive?: boolean
  /** Refused with `proofNeeded` to whoever has not proven who they are, by signing in or since, within `proofFreshMs`. */
  readonly needsFreshProof?: boolean
  /** Open to somebody who is to replace the password that an administrator typed. */
  readonly allowsTemporaryPassword?: boolean
}

/**
 * The query that a call takes. Every call about an organisation may name it in `orgId`. What a query says to a call that writes is
 * honoured or refused; a call that reads what is the same for everybody leaves it aside.
 */
export function queryOf({ changes, method, query, scope }: Route): InputSchema | undefined {
  if (scope !== 'none') return query?.extend(orgQuery.shape) ?? orgQuery
  const isRead = method === 'GET' && changes !== true
  return query ?? (isRead ? undefined : z.strictObject({}))
}

/** Keeps the literal types of a route, from which `bind` and `call` infer theirs. */
export function route<const R extends Route>(value: R): R {
  return value
}
