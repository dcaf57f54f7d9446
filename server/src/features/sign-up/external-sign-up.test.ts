import { signUpRoutes } from '@tributary/contract/sign-up'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import {
  newEmailAddress,
  finalise,
  codeOf,
  readFinalisation,
  newPassword,
  trySignUp,
  setSetting,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
})
afterEach(() => app[Symbol.asyncDispose]())

const taken = 'user@demo.example'

async function pendingIdentity(
  atid: string,
  emailAddress: string,
  more: { isEmailVerified?: boolean; msOid?: string } = {},
): Promise<void> {
  await app.store.across((db) =>
    db
      .insertInto('pendingIdentity')
      .values({
        atidHash: hashOf(atid),
        issuer: 'https://issuer.example',
        subject: `subject of ${emailAddress}`,
        provider: 'google',
        emailAddress,
        isEmailVerified: true,
        firstName: 'Nora',
        lastName: 'Newcomer',
        expiresAt: new Date(app.clock.now() + 600_000),
        ...more,
      })
      .execute(),
  )
}

test('[REG-5] [API-1 POST /registration/external] a verified external identity needs no confirmation, works once, and signs in to the account', async () => {
  await setSetting(app, 'RequireApproval', false)
  const newcomer = { emailAddress: newEmailAddress(), companyName: 'Newcomers' }
  await pendingIdentity('the-atid', newcomer.emailAddress)
  const pending = await app.as.visitor.call(signUpRoutes.pendingIdentity, { body: { atid: 'the-atid' } })
  expect(pending.body).toEqual({
    provider: 'google',
    emailAddress: newcomer.emailAddress,
    firstName: 'Nora',
    lastName: 'Newcomer',
  })

  const account = { firstName: 'Nora', lastName: 'Newcomer', emailAddress: newcomer.emailAddress }
  const { status, body } = await trySignUp(app, newcomer, { account, registrationCode: 'the-atid' })
  expect([status, await app.emailsTo(newcomer.emailAddress)]).toEqual([201, []])
  const code = body.code ?? ''
  expect(await readFinalisation(app, code)).toMatchObject({ Provider: 'google', LinkAccount: false })
  expect((await finalise(app, code, { organisation: { companyName: 'Newcomers' } })).body).toMatchObject({
    Finalised: true,
    Provider: 'google',
  })
  const [linked] = await app.store.across((db) =>
    db
      .selectFrom('externalIdentity')
      .innerJoin('portalUser', 'portalUser.id', 'userId')
      .select(['portalUser.emailAddress', 'issuer', 'passwordHash'])
      .execute(),
  )
  expect(linked).toEqual({ emailAddress: newcomer.emailAddress, issuer: 'https://issuer.example', passwordHash: null })

  expect((await trySignUp(app, newcomer, { account, registrationCode: 'the-atid' })).status).toBe(403)
  expect((await app.as.visitor.call(signUpRoutes.pendingIdentity, { body: { atid: 'the-atid' } })).status).toBe(403)
})

test('[REG-5] an external identity confirms neither another address nor one that its provider has not verified', async () => {
  const mine = newEmailAddress()
  await pendingIdentity('another-address', newEmailAddress())
  await pendingIdentity('not-vouched-for', mine, { isEmailVerified: false })
  for (const registrationCode of ['another-address', 'not-vouched-for']) {
    const { body } = await trySignUp(app, { emailAddress: mine, companyName: 'Newcomers' }, { registrationCode })
    expect(body.code).toBeNull()
  }
  expect(await app.emailsTo(mine)).toMatchObject([{ template: 'confirm-sign-up' }, { template: 'confirm-sign-up' }])
})

test('[REG-5] [REG-8] a verified external identity whose address has an account is linked to it with its password', async () => {
  await pendingIdentity('the-atid', taken)
  const { body } = await trySignUp(
    app,
    { emailAddress: taken, companyName: 'Harbour Trading' },
    { registrationCode: 'the-atid' },
  )
  const code = body.code ?? ''
  expect(await readFinalisation(app, code)).toMatchObject({
    LinkAccount: true,
    LinkOrganisation: false,
    EmailAddress: taken,
    Provider: 'google',
  })
  const wrong = await finalise(app, code, { account: { password: newPassword } })
  expect([wrong.status, (wrong.body as unknown as FaultReply).code]).toEqual([401, 'wrongSecret'])
  expect((await finalise(app, code, { account: { password: 'tributary-demo-1' } })).body).toMatchObject({
    LinkAccount: false,
    LinkOrganisation: true,
  })
  expect(await findAuditEvents(app.store, 'authn.oidc_linked')).toMatchObject([
    {
      outcome: 'success',
      actorId: app.idOf('user'),
      organisationId: null,
      objectId: app.idOf('user'),
      detail: { provider: 'google' },
    },
  ])
  const [letter] = await app.emailsTo(taken)
  expect([letter?.template, letter?.paragraphs[0]]).toEqual(['account-changed', expect.stringContaining('was linked')])
  // They are already a member, so no approval is needed.
  expect((await finalise(app, code, { joinOrganisation: true })).body).toMatchObject({
    Finalised: true,
    ApprovalId: null,
  })
  expect(await app.store.across((db) => db.selectFrom('externalIdentity').select('userId').execute())).toEqual([
    { userId: app.idOf('user') },
  ])
})

test('[REG-5] a sign-up with a Microsoft account stores its object id, unless it already belongs to another account', async () => {
  await setSetting(app, 'RequireApproval', false)
  const signUpAs = async (companyName: string) => {
    const emailAddress = newEmailAddress()
    await pendingIdentity(emailAddress, emailAddress, { msOid: 'object-id-1' })
    const { body } = await trySignUp(app, { emailAddress, companyName }, { registrationCode: emailAddress })
    expect((await finalise(app, body.code ?? '', { organisation: { companyName } })).body.Finalised).toBe(true)
    const account = app.store.across((db) =>
      db.selectFrom('portalUser').select('msOid').where('emailAddress', '=', emailAddress).executeTakeFirstOrThrow(),
    )
    return (await account).msOid
  }
  expect(await signUpAs('First Newcomers')).toBe('object-id-1')
  expect(await signUpAs('Second Newcomers')).toBeNull()
})

test('[REG-5] an identity with an unverified address is linked only if the sign-up continues in the same browser', async () => {
  await setSetting(app, 'RequireApproval', false)
  for (const [atid, isSame] of [
    ['of-the-same', true],
    ['of-a-stranger', false],
  ] as const) {
    const emailAddress = newEmailAddress()
    await pendingIdentity(atid, emailAddress, { isEmailVerified: false })
    const code = await signUpWith(atid, emailAddress)
    if (!isSame) app.as.visitor.cookies.clear()
    if (!isSame)
      expect((await finalise(app, code, { account: { password: newPassword } })).body).toMatchObject({
        ChoosePassword: false,
      })
    const { body } = await finalise(app, code, { organisation: { companyName: `The firm ${atid}` } })
    expect(body).toMatchObject({ Finalised: true, Provider: isSame ? 'google' : '' })
    const linked = await app.store.across((db) =>
      db.selectFrom('externalIdentity').select('subject').where('subject', '=', `subject of ${emailAddress}`).execute(),
    )
    expect(linked).toHaveLength(isSame ? 1 : 0)
  }
})

async function signUpWith(registrationCode: string, emailAddress: string): Promise<string> {
  const { status } = await trySignUp(app, { emailAddress, companyName: 'Newcomers' }, { registrationCode })
  expect(status).toBe(201)
  return codeOf((await app.emailsTo(emailAddress)).at(-1)?.action?.url)
}

test('[REG-8] a sign-up allows no more password attempts for an account than signing in', async () => {
  await pendingIdentity('the-atid', taken)
  const { body } = await trySignUp(
    app,
    { emailAddress: taken, companyName: 'Newcomers' },
    { registrationCode: 'the-atid' },
  )
  const tries = Array.from({ length: 100 }, () => finalise(app, body.code ?? '', { account: { password: 'wrong-1' } }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(95)
})
