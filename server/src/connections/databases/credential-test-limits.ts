/** A form that tests or saves credentials is also a way to look for open doors, so it is not for haste. */
import type { ThrottleLimit, Throttle } from '../../security/throttling/throttle.ts'
import type { Actor } from '../../kernel/http/actor.ts'

const hourMs = 3_600_000
const perPerson: ThrottleLimit = {
  kind: 'credentials person',
  free: 10,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
const perOrganisation: ThrottleLimit = {
  kind: 'credentials organisation',
  free: 10,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}

interface CredentialTestCaller {
  readonly actor: Pick<Actor, 'userId'>
  readonly organisationId: string
}

/** Ten an hour, of a person and of an organisation; then each has to wait longer. Throws `tooMany`. */
export async function countCredentialTest(
  { throttle }: { readonly throttle: Throttle },
  { actor, organisationId }: CredentialTestCaller,
): Promise<void> {
  await throttle.attempt(perPerson, actor.userId)
  await throttle.attempt(perOrganisation, organisationId)
}
