import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLinkCode } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

/** A new browser that is not signed in. */
function browser(): TestClient {
  return new TestClient(app.http, null)
}

test('[API-1 POST /verify] the code of a sign-up confirms the address and returns the code for its next step; a decoy code never does', async () => {
  const { verifications, clock, store } = app.services
  const person = { firstName: 'Nora', lastName: 'New', emailAddress: 'nora@new.example', companyName: 'New' }
  const begin = (db: Db, registrationId: string | null) =>
    verifications.create(db, { context: 'registration', sendTo: person.emailAddress, payload: { registrationId } })
  const { id, reference, code, decoy, decoyCode } = await store.across(async (db) => {
    const { id } = await db.insertInto('registration').values(person).returning('id').executeTakeFirstOrThrow()
    const [reference, decoy] = [await begin(db, id), await begin(db, null)]
    return {
      id,
      reference,
      decoy,
      code: await verifications.createCode(db, reference),
      decoyCode: await verifications.createCode(db, decoy),
    }
  })
  const verify = (of: string, typed: string) =>
    browser().send<{ code: string }>('POST', '/api/verify', {
      body: { reference: of, code: typed, context: 'registration' },
    })
  expect((await verify(decoy, decoyCode)).status).toBe(401)
  const { body } = await verify(reference, `${code.slice(0, 3)} ${code.slice(3)}`)
  expect(body).toEqual({ statusCode: 200, code: expect.any(String) })
  const link = await store.across((db) => readLinkCode(db, clock, 'registration', body.code))
  expect(link?.subjectId).toBe(id)
  const { verifiedAt } = await store.across((db) =>
    db.selectFrom('registration').select('verifiedAt').executeTakeFirstOrThrow(),
  )
  expect(verifiedAt).not.toBeNull()
})
