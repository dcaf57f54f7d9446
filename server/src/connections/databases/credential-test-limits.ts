/** A form that tests or saves credentials is also a way to look for open doors, so it is not for haste. */
import type { Limit, Throttle } from '../../security/throttling/throttle.ts'
import type { Actor } from '../../kernel/http/actor.ts'

const hourMs = 3_600_000
const perPerson: Limit = {
  kind: 'credentials person',
  free: 10,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
const perOrganisation: Limit = {
  kind: 'credentials organisation',
  free: 10,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}

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
