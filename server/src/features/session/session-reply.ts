import type { Session } from '@tributary/contract/session'
import type { Camel } from '@tributary/contract/wire'
import type { Issued } from '../../platform/sessions.ts'

export function sessionReply({ actor, accessToken }: Issued): Camel<Session> {
  return {
    accessToken,
    firstName: actor.firstName,
    lastName: actor.lastName,
    email: actor.emailAddress,
    role: actor.role,
    roleLevel: actor.roleLevel,
    organisationId: actor.organisationId,
    requireMultiFactorAuthentication: false,
    verificationDevices: [],
  }
}
