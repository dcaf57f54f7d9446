/** The shape of a call: method, path, who may make it, what it takes and gives, how it can fail. */
import type * as z from 'zod'
import type { Allowed } from './capabilities.ts'
import type { FaultCode } from './faults.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Which organisation a call addresses, hence whose membership decides. `none`: no organisation (the catalogue, one's own
 * session). `client`: `params.clientId`. `query`: `?orgId=`, else the session's. `connector`: that of `params.connectorId`.
 * `clientKey`: `params.clientKey`. `body`: `organisationId` or `comOrganisationId` of the body, else as `query`. `approval`: that
 * of `body.approvalId`; a request for a new organisation addresses none. `record`: that of the record of the planning structure
 * which the path names, else the body.
 */
export type Scope = 'none' | 'client' | 'query' | 'connector' | 'clientKey' | 'body' | 'approval' | 'record'

type Shape = z.ZodObject
export interface Route {
  readonly method: Method
  /** Below `/api`; parameters as `:name`. */
  readonly path: string
  readonly summary: string
  readonly allow: Allowed
  readonly scope: Scope
  readonly params?: Shape
  readonly query?: Shape
  readonly body?: z.ZodType
  /** Absent: 204 and no body. */
  readonly reply?: z.ZodType
  /** Text, sent line by line as a file, instead of a reply. */
  readonly produces?: 'text/csv'
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202
  /** What it can answer beyond what every call can (bad input, not signed in, not allowed, not found). */
  readonly faults?: readonly FaultCode[]
  /** Polling calls do not count as activity, so an open tab does not keep a session alive. */
  readonly passive?: boolean
}

/** Keeps the literal types of a route, from which `bind` and `call` infer theirs. */
export function route<const R extends Route>(value: R): R {
  return value
}
