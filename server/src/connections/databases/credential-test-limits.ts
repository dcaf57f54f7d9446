/** Limits tests and saves of credentials, because the forms could be used to scan for open ports. */
import type { ThrottleLimit, Throttle } from '../../security/throttling/throttle.ts'
import type { Actor } from '../../kernel/http/actor.ts'

const hourMs = 3_600_000
const personLimit: ThrottleLimit = {
  kind: 'credentials person',
  free: 10,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
const organisationLimit: ThrottleLimit = {
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

/** Allows ten an hour per person and per organisation, with growing waits after that. Throws `tooMany`. */
export async function countCredentialTest(
  { throttle }: { readonly throttle: Throttle },
  { actor, organisationId }: CredentialTestCaller,
): Promise<void> {
  await throttle.attempt(personLimit, actor.userId)
  await throttle.attempt(organisationLimit, organisationId)
}
