/** The context of an audit event: the actor, the organisation and the call. Everything that changes data for a caller takes one. */

/** The actor as the audit log names them. An `Actor` is one. */
export interface AuditActor {
  /** Null: a visitor, or the operator at the console. */
  readonly userId: string | null
  readonly role: string | null
  readonly sessionId: string | null
}

/** `AuditContext<string>` is a context in an organisation, `AuditContext<string, Actor>` that of a signed-in caller there. */
export interface AuditContext<
  OrganisationId extends string | null = string | null,
  Who extends AuditActor | null = AuditActor | null,
> {
  /** Null: a visitor, or the product itself. */
  readonly actor: Who
  /** The organisation that the call addresses. Null: none. */
  readonly organisationId: OrganisationId
  /** The network address of the caller. */
  readonly address: string | null
  /** The reference of the call; log lines and error replies show it, too. */
  readonly reference: string | null
}

/** For changes that no call causes: the scheduler, a worker, the start. */
export const systemAuditContext: AuditContext<null, null> = {
  actor: null,
  organisationId: null,
  address: null,
  reference: null,
}

/** The same call with another actor, such as a visitor who has just been identified. Omitted fields keep their value. */
export function withActor<OrganisationId extends string | null>(
  context: AuditContext<OrganisationId>,
  actor: Partial<AuditActor>,
): AuditContext<OrganisationId, AuditActor> {
  return { ...context, actor: { userId: null, role: null, sessionId: null, ...context.actor, ...actor } }
}
