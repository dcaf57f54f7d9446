import { reAuthentication } from '@tributary/contract/re-authentication'
import { profile } from '@tributary/contract/profile'
import { expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

test('a wrong password in an open session is refused, and the attempt is in the audit log', async () => {
  await using app = await testApp()
  const [client, actorId] = [app.as.user, app.idOf('user')]
  const wrong = { password: 'not-the-password-1' }
  expect((await client.call(reAuthentication.give, { body: wrong })).status).toBe(403)
  expect((await client.call(profile.beginTotp, { body: wrong })).status).toBe(403)
  // A missing password is not an attempt.
  expect((await client.call(profile.beginTotp, { body: {} })).status).toBe(403)
  const failure = { actorId, organisationId: null, outcome: 'failure' }
  expect(await findAuditEvents(app.store, 'authn.proof_fail')).toMatchObject([failure, failure])
  expect((await client.call(reAuthentication.give, { body: { password: trialPassword } })).status).toBe(204)
  expect(await findAuditEvents(app.store, 'authn.proof_fail')).toHaveLength(2)
  expect(await findAuditEvents(app.store, 'authn.proof_given')).toMatchObject([{ ...failure, outcome: 'success' }])
})
