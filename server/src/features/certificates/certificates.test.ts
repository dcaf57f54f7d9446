import { createHash } from 'node:crypto'
import { certificates } from '@tributary/contract/certificates'
import { reportMarks } from '@tributary/contract/report-marks'
import { tieOut } from '@tributary/contract/tie-out'
import { verifications } from '@tributary/contract/verifications'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import {
  insertStream,
  storeVerifications,
  streamVerification,
} from '@tributary/testing/server/connectors/verification-fixtures.ts'
import { insertTieOut } from '@tributary/testing/server/connectors/tied-out.ts'

let app: TestApp
let connectorId: string
let runId: string
let made = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  connectorId = await addProduct(app, { companyName: `Company ${(made += 1)}`, users: [app.idOf('user')] })
  runId = await insertTieOut(app, { connectorId })
})

const period = '2026-10-01'
const params = () => ({ clientId: app.harbour.id, connectorId })
const certify = (as: TestClient = app.as.user, body: object = { runId, period }) =>
  as.call(tieOut.certify, { params: params(), body })
const list = async (as: TestClient) =>
  (await as.call(certificates.list, { params: { clientId: app.harbour.id }, query: { connectorId } })).body
const read = (as: TestClient, certificateId: string, clientId: string = app.harbour.id) =>
  as.call(certificates.read, { params: { clientId, certificateId } })
const check = (hash: string, accept = 'application/json') =>
  app.http.inject({ url: `/api/certificates/${hash}`, headers: { accept } })

test('[TRUST-14] a certificate is a record: subject, verdict, when and by whom, and the SHA-256 of its canonical JSON', async () => {
  const { status, body } = await certify()
  expect([status, body]).toEqual([
    201,
    {
      Id: expect.any(String),
      Subject: 'tieOut',
      SubjectKey: `${runId}/${period}`,
      Title: 'Tie-out of Quay Ltd, 2026-10',
      Period: period,
      Verdict: 'green',
      ConnectorId: connectorId,
      Hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      CheckAddress: `${app.services.config.publicUrl}/api/certificates/${body.Hash}`,
      IssuedAtUtc: new Date(app.clock.now()).toISOString(),
      IssuedById: app.idOf('user'),
      IssuedBy: expect.any(String),
    },
  ])
  const { Document, ...rest } = (await read(app.as.user, body.Id)).body
  expect(rest).toEqual(body)
  expect(createHash('sha256').update(Document).digest('hex')).toBe(body.Hash)
  const facts = JSON.parse(Document) as Readonly<Record<string, unknown>>
  expect(facts).toMatchObject({
    certificate: body.Id,
    subject: 'tieOut',
    verdict: 'green',
    period,
    run: runId,
    issuedAt: body.IssuedAtUtc,
    organisation: app.harbour.companyName,
    accounts: [
      { code: '200', name: 'Sales', computed: '-1234567890.12', reported: '-1234567890.12', difference: '0.00' },
      { code: '610', name: 'Debtors “Ø”', computed: '1.00' },
    ],
  })
  expect(Object.keys(facts)).toEqual(Object.keys(facts).toSorted())
  expect(Document).toBe(JSON.stringify(facts))
  expect(Document).not.toContain(app.idOf('user'))
  const event = { actorId: app.idOf('user'), organisationId: app.harbour.id, objectId: body.Id }
  for (const action of ['certificate.issued', 'certificate.downloaded'] as const)
    expect((await findAuditEvents(app.store, action)).at(-1)).toMatchObject(event)
})

test('[TRUST-14] a month of a run is certified once, also by two people at once; a later run gets another certificate', async () => {
  const both = await Promise.all([certify(), certify(app.as.admin)])
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  expect(both[0].body).toEqual(both[1].body)
  const former = { runId, period }
  runId = await insertTieOut(app, { connectorId, state: 'red' })
  const refused = await certify(app.as.user, former)
  expect([refused.status, (refused.body as { code?: string }).code]).toEqual([409, 'tieOutReplaced'])
  const { body } = await certify()
  expect([body.Verdict, body.Hash === both[0].body.Hash]).toEqual(['red', false])
  expect((await list(app.as.user)).map(({ Id }) => Id)).toEqual(expect.arrayContaining([body.Id, both[0].body.Id]))
  expect((await certify(app.as.user, { runId, period: '2026-09-01' })).status).toBe(404)
})

test('[TRUST-14] a certificate cannot be changed, not even by a statement of the server', async () => {
  const { body } = await certify()
  const change = app.store.within(app.harbour.id, (db) =>
    db.updateTable('certificate').set({ verdict: 'red' }).where('id', '=', body.Id).execute(),
  )
  await expect(change).rejects.toThrow('cannot be changed')
})

test('[TRUST-14] a visitor who has the hash learns that the certificate was issued, when, and its verdict: no name, no figure', async () => {
  const { body } = await certify()
  const reply = await check(body.Hash)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      IssuedAtUtc: body.IssuedAtUtc,
      Verdict: 'green',
      Meaning:
        'Every account of the month was equal to the trial balance that the source itself reported, to the cent.',
    },
  ])
  expect((await check(body.Hash.toUpperCase())).statusCode).toBe(200)
  const page = await check(body.Hash, 'text/html,application/xhtml+xml,*/*;q=0.8')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u)
  expect(page.body).toContain('This certificate was issued')
  for (const secret of ['Quay', app.harbour.companyName, '1234567890', connectorId, runId, body.Id, app.harbour.id])
    expect([secret, `${reply.body}${page.body}`.includes(secret)]).toEqual([secret, false])
})

test('[TRUST-14] an unknown hash and a malformed one get the same 404, as JSON and as a page', async () => {
  for (const hash of ['0'.repeat(64), 'nonsense', 'f'.repeat(63)]) {
    const reply = await check(hash)
    expect([hash, reply.statusCode, reply.json<{ code: string }>().code]).toEqual([hash, 404, 'certificateUnknown'])
    const page = await check(hash, 'text/html')
    expect([page.statusCode, page.body.includes('Unknown certificate')]).toEqual([404, true])
  }
})

test('[TRUST-14] checks of one address are limited', async () => {
  await using limited = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_VISITOR: '3' } })
  const statuses = []
  for (let call = 0; call < 5; call += 1)
    statuses.push((await limited.http.inject({ url: `/api/certificates/${'0'.repeat(64)}` })).statusCode)
  expect(statuses).toEqual([404, 404, 404, 429, 429])
})

test('[TRUST-14] certificates are read by those who see the connector, and by no other organisation', async () => {
  const { body } = await certify()
  const { admin, guest, otherAdmin, provideradmin, user, visitor } = app.as
  for (const who of [admin, user, provideradmin]) {
    expect((await list(who)).map(({ Id }) => Id)).toContain(body.Id)
    expect((await read(who, body.Id)).status).toBe(200)
  }
  expect(await list(guest)).toEqual([])
  expect([(await read(guest, body.Id)).status, (await certify(guest)).status]).toEqual([404, 404])
  expect((await certify(otherAdmin)).status).toBe(404)
  expect((await read(otherAdmin, body.Id)).status).toBe(404)
  expect((await read(otherAdmin, body.Id, app.summit.id)).status).toBe(404)
  expect((await read(visitor, body.Id)).status).toBe(401)
})

test('[TRUST-14] a verification and a mark are certified, once for each result, and their hashes are checked like others', async () => {
  const location = { organisationId: app.harbour.id, connectorId }
  const certifyVerification = (as: TestClient = app.as.user) => as.call(verifications.certify, { params: params() })
  expect((await certifyVerification()).status).toBe(404)
  const markId = await app.store.within(app.harbour.id, async (db) => {
    await insertStream(db, location, 'invoice')
    const verified = streamVerification('invoice', { method: 'sample', rows: 7 })
    const checkedRun = await storeVerifications(db, location, [verified])
    const mark = { name: 'May 2026', slug: 'may_2026', periodEnd: '2026-05-31', moment: '2026-06-03T06:00:00.000000Z' }
    const values = { ...location, ...mark, runId: checkedRun, createdBy: app.idOf('admin') }
    return (await db.insertInto('reportMark').values(values).returning('id').executeTakeFirstOrThrow()).id
  })
  const verified = (await certifyVerification()).body
  expect(verified).toMatchObject({ Subject: 'verification', Verdict: 'sampled', Period: null })
  expect((await certifyVerification(app.as.admin)).body.Id).toBe(verified.Id)
  const facts = JSON.parse((await read(app.as.user, verified.Id)).body.Document) as object
  expect(facts).toMatchObject({ tables: [{ table: 'invoice', state: 'identical', method: 'sample', rows: 7 }] })
  const certifyMark = (as: TestClient = app.as.user) =>
    as.call(reportMarks.certify, { params: { ...params(), markId } })
  const marked = (await certifyMark()).body
  expect(marked).toMatchObject({ Subject: 'mark', Verdict: 'kept', Period: '2026-05-01' })
  expect((await read(app.as.user, marked.Id)).body.Document).not.toContain(app.idOf('admin'))
  await app.as.admin.call(reportMarks.supersede, {
    params: { ...params(), markId },
    body: { reason: 'A late invoice' },
  })
  expect((await certifyMark()).body).toMatchObject({ Verdict: 'superseded' })
  for (const { Hash, Verdict } of [verified, marked])
    expect(JSON.parse((await check(Hash)).body)).toMatchObject({ Verdict, Meaning: expect.stringMatching(/\.$/u) })
  const { otherAdmin } = app.as
  expect([(await certifyVerification(otherAdmin)).status, (await certifyMark(otherAdmin)).status]).toEqual([404, 404])
})
