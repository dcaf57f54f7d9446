/** The context of an audit event: the actor, the organisation and the call. Everything that changes data for a caller takes one. */
import type { Actor } from './http/actor.ts'

/** The actor as the audit log names them. An `Actor` is one. */
export interface AuditActor {
  /** Null: a visitor, or the operator at the console. */
  readonly userId: string | null
  readonly role: string | null
  readonly sessionId: string | null
}

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

/** Of a call in an organisation. */
export type OrganisationContext = AuditContext<string>
/** Of a signed-in caller. */
export type SignedInContext = AuditContext<string | null, Actor>
/** Of a signed-in caller in an organisation. */
export type CallerContext = AuditContext<string, Actor>

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
