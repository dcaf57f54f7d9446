/** A form that tests or saves credentials is also a way to look for open doors, so it is not for haste. */
import type { Throttle } from '../../security/throttling/throttle.ts'
import type { Actor } from '../../kernel/http/actor.ts'

const slow = { free: 10, waitMs: 10_000, waitMaxMs: 600_000, windowMs: 3_600_000, isShared: true }
const perPerson = { kind: 'credentials person', ...slow }
const perOrganisation = { kind: 'credentials organisation', ...slow }

interface Caller {
  readonly actor: Pick<Actor, 'userId'>
  readonly organisationId: string
}

/** Ten an hour, of a person and of an organisation; then each has to wait longer. Throws `tooMany`. */
export async function rationCredentials(
  { throttle }: { readonly throttle: Throttle },
  { actor, organisationId }: Caller,
): Promise<void> {
  await throttle.attempt(perPerson, actor.userId)
  await throttle.attempt(perOrganisation, organisationId)
}
