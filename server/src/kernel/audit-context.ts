/** The actor and the call that an audit event names. */
export interface AuditContext {
  readonly actorId: string | null
  readonly actorRole: string | null
  readonly sessionId: string | null
  /** The network address of the caller. */
  readonly address: string | null
  /** The reference of the call; log lines and error replies show it, too. */
  readonly reference: string | null
}

/** For what the product does without a call: the scheduler, a worker, the start. */
export const systemAuditContext: AuditContext = {
  actorId: null,
  actorRole: null,
  sessionId: null,
  address: null,
  reference: null,
}
