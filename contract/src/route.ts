/** A route of the API: method, path, access, request, reply and errors. */
import * as z from 'zod'
import type { RouteAccess } from './capabilities.ts'
import type { FaultCode } from './faults.ts'
import { orgQuery } from './id.ts'
import type { RouteScope } from './scope.ts'
import type { TokenScope } from './token-scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The media type of an .xlsx (ECMA-376). */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const parquetType = 'application/vnd.apache.parquet'
export const zipType = 'application/zip'

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
  /** Default: one mebibyte. */
  readonly bodyMaxBytes?: number
  /** Absent: 204 and no body. */
  readonly reply?: z.ZodType
  /** A raw body instead of JSON: a file of at most `fileMaxBytes`. */
  readonly takes?: 'application/octet-stream'
  /** Instead of a JSON reply: streamed text, server-sent events, or a file. */
  readonly produces?: 'text/csv' | 'text/event-stream' | typeof workbookType | typeof parquetType | typeof zipType
  /** Opens the route to the person of an auditor room. For the list of what they looked at: what it shows, such as ‘Tie-out’. */
  readonly forAuditors?: string
  /** Browsers, which accept `text/html`, get a page with the reply or the fault. */
  readonly hasPage?: true
  /** Default: 200. */
  readonly status?: 200 | 201 | 202
  /** Errors in addition to those of every call (bad input, not signed in, not allowed, not found). */
  readonly faults?: readonly FaultCode[]
  /**
   * Opens the route to guests: organisations that the connector in the path is shared with. The caller's role in the
   * guest organisation decides. Guests receive only the fields of the reply, or of each event, that this schema
   * declares. Without it, guests get 404.
   */
  readonly guestReply?: z.ZodType
  /** A GET with side effects. */
  readonly changes?: boolean
  /** Polling calls do not count as activity, so an open tab does not keep a session alive. */
  readonly passive?: boolean
  /** Fails with `proofNeeded` unless the caller has signed in or re-authenticated within `proofFreshMs`. */
  readonly needsFreshProof?: boolean
  /** Fails with `factorNeeded` unless the caller has confirmed a second factor in this session within `proofFreshMs`. */
  readonly needsSecondFactor?: boolean
  /** The scopes that open the route to access tokens: one of them is enough. Without any, no token may call it. */
  readonly tokenScopes?: readonly TokenScope[]
  /** Takes an access token as the password of Basic authentication, too: programs such as Excel offer nothing else. */
  readonly takesBasic?: boolean
  /** Available to people who still have to replace a temporary password. */
  readonly allowsTemporaryPassword?: boolean
}

/**
 * The schema of the query string. Every call about an organisation accepts `orgId`. Of the other calls
 * without parameters, those that write reject any query and those that read ignore it.
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
