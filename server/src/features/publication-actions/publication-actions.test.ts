import { publicationActionLimits, secretMask } from '@tributary/contract/limits'
import { publicationActions, type PublicationActionInput } from '@tributary/contract/publication-actions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { type ActionRig, openActionRig } from '@tributary/testing/server/publishing/action-rig.ts'

let rig: ActionRig
beforeAll(async () => {
  rig = await openActionRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const list = async () => (await rig.app.as.admin.call(publicationActions.list, { params: rig.clientId })).body
const target = (actionId: string) => ({ params: { ...rig.clientId, actionId } })
const create = (body: PublicationActionInput, as = rig.app.as.admin) =>
  as.call(publicationActions.create, { params: rig.clientId, body })

describe('the actions of an organisation', () => {
  test('[TRUST-13] are added, changed and removed by its administrators, and never return a secret', async () => {
    const webhook = await create(rig.webhookInput)
    expect([webhook.status, webhook.body]).toMatchObject([
      201,
      {
        Kind: 'webhook',
        Name: 'Our program',
        IsOn: true,
        Webhook: { Address: `${new URL(rig.receiver.url).origin}/${secretMask}` },
        PowerBi: null,
        Dbt: null,
        LastRun: null,
        SigningSecret: expect.stringMatching(/^whsec_/u),
      },
    ])
    const { clientSecret, ...powerBi } = rig.powerBiInput.powerBi
    expect((await create(rig.powerBiInput)).body).toMatchObject({
      Kind: 'powerBi',
      PowerBi: {
        TenantId: powerBi.tenantId,
        ApplicationId: powerBi.applicationId,
        WorkspaceId: powerBi.workspaceId,
        DatasetId: powerBi.datasetId,
        Capacity: 'shared',
      },
      SigningSecret: null,
    })
    const { token, ...dbt } = rig.dbtInput.dbt
    expect((await create(rig.dbtInput)).body).toMatchObject({
      Kind: 'dbt',
      Dbt: { Host: dbt.host, AccountId: dbt.accountId, JobId: dbt.jobId },
    })
    const id = webhook.body.Id
    const change = { ...rig.webhookInput, name: 'Renamed', webhook: { address: webhook.body.Webhook?.Address ?? '' } }
    expect((await rig.app.as.admin.call(publicationActions.save, { ...target(id), body: change })).body).toMatchObject({
      Name: 'Renamed',
      Webhook: webhook.body.Webhook,
      SigningSecret: null,
    })
    expect((await rig.app.as.admin.call(publicationActions.remove, target(id))).status).toBe(204)
    expect((await list()).map(({ Kind }) => Kind)).toEqual(['powerBi', 'dbt'])
    const event = { actorId: rig.app.idOf('admin'), organisationId: rig.app.harbour.id, objectId: id }
    for (const action of [
      'publication_action.created',
      'publication_action.updated',
      'publication_action.deleted',
    ] as const) {
      const events = await findAuditEvents(rig.app.store, action)
      expect(events.filter(({ objectId }) => objectId === id).at(-1)).toMatchObject(event)
    }
    const stored = await rig.everythingStored()
    for (const hidden of [clientSecret, token, new URL(rig.receiver.url).pathname, webhook.body.SigningSecret ?? ''])
      expect(stored).not.toContain(hidden)
  })

  test('[TRUST-13] are hidden from other roles and from other organisations', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (const role of ['user', 'guest'] as const) {
      const as = rig.app.as[role]
      expect((await as.call(publicationActions.list, { params: rig.clientId })).status).toBe(403)
      expect((await as.call(publicationActions.test, target(id))).status).toBe(403)
      expect((await create(rig.powerBiInput, as)).status).toBe(403)
    }
    for (const role of ['provideradmin', 'superadmin'] as const)
      expect((await rig.app.as[role].call(publicationActions.list, { params: rig.clientId })).body).toHaveLength(1)
    const { otherAdmin } = rig.app.as
    const theirs = { params: { clientId: rig.app.summit.id, actionId: id } }
    expect((await otherAdmin.call(publicationActions.list, { params: rig.clientId })).status).toBe(404)
    for (const route of ['test', 'run', 'runs', 'remove'] as const)
      expect([route, (await otherAdmin.call(publicationActions[route], theirs)).status]).toEqual([route, 404])
    expect((await otherAdmin.call(publicationActions.save, { ...theirs, body: rig.powerBiInput })).status).toBe(404)
    await rig.publish({ organisationId: rig.app.summit.id })
    expect(await rig.runs(id)).toEqual([])
    expect(rig.powerBi.received).toEqual([])
  })

  test('[TRUST-13] accept only what they can send, and only to the hosts of the services', async () => {
    const { webhook, ...none } = rig.webhookInput
    const { powerBi } = rig.powerBiInput
    const { dbt } = rig.dbtInput
    const refused: readonly (readonly [object, string, number])[] = [
      [none, 'webhook', 400],
      [{ ...none, webhook, powerBi }, 'webhook', 400],
      [{ ...none, webhook: { address: 'no address' } }, 'webhook.address', 400],
      [{ ...none, webhook: { address: `https://hooks.example.com/${secretMask}` } }, 'webhook.address', 400],
      [{ ...none, webhook: { address: 'http://127.0.0.1:1/' } }, 'webhook.address', 422],
      [{ ...none, powerBi: { ...powerBi, tenantId: 'contoso' } }, 'powerBi.tenantId', 400],
      [{ ...none, powerBi: { ...powerBi, capacity: 'endless' } }, 'powerBi.capacity', 400],
      [{ ...none, powerBi: { ...powerBi, clientSecret: secretMask } }, 'powerBi.clientSecret', 400],
      [{ ...none, dbt: { ...dbt, accountId: '1/../2' } }, 'dbt.accountId', 400],
      ...['127.0.0.1', 'dbt.com.evil.example', 'evil.example', 'cloud.getdbt.com@evil.example', 'evil.dbt.com'].map(
        (host) => [{ ...none, dbt: { ...dbt, host } }, 'dbt.host', 422] as const,
      ),
    ]
    for (const [body, field, status] of refused) {
      const reply = await rig.app.as.admin.send<{ fields?: object }>(
        'POST',
        `/api/tributary/clients/${rig.app.harbour.id}/publication-actions`,
        { body },
      )
      expect([body, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([body, status, [field]])
    }
    for (const host of ['emea.dbt.com', 'au.dbt.com', 'ab123.us1.dbt.com', 'Cloud.getdbt.com'])
      expect([host, (await create({ ...rig.dbtInput, dbt: { ...dbt, host } })).status]).toEqual([host, 201])
  })

  test('[TRUST-13] ask for the secret again before it is used for another account', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    const { powerBi } = rig.powerBiInput
    const kept = { ...powerBi, clientSecret: secretMask }
    const save = (body: PublicationActionInput) =>
      rig.app.as.admin.call(publicationActions.save, { ...target(id), body })
    const moved = await save({ ...rig.powerBiInput, powerBi: { ...kept, tenantId: rig.powerBi.datasetId } })
    expect([moved.status, moved.body]).toMatchObject([422, { code: 'secretNeeded' }])
    expect((await save({ ...rig.powerBiInput, powerBi: { ...kept, capacity: 'premium' } })).status).toBe(200)
    expect((await rig.test(id)).Works).toBe(true)
    expect((await save(rig.dbtInput)).status).toBe(400)
    const job = await rig.add(rig.dbtInput)
    const dbt = { ...rig.dbtInput.dbt, token: secretMask, host: 'emea.dbt.com' }
    const elsewhere = await rig.app.as.admin.call(publicationActions.save, {
      ...target(job.id),
      body: { ...rig.dbtInput, dbt },
    })
    expect(elsewhere.body).toMatchObject({ code: 'secretNeeded' })
  })

  test('[TRUST-13] are limited in number', async () => {
    const organisationId = rig.app.harbour.id
    const action = {
      organisationId,
      kind: 'dbt',
      name: 'One of many',
      isOn: false,
      settings: '{}',
      secret: 'sealed',
    } as const
    const rows = Array.from({ length: publicationActionLimits.actionsMax }, () => action)
    await rig.app.store.within(organisationId, (db) => db.insertInto('publicationAction').values(rows).execute())
    expect((await create(rig.dbtInput)).status).toBe(400)
  })
})

describe('the test of an action', () => {
  test('[TRUST-13] posts nothing to an address that became private after it was saved', async () => {
    const { id } = await rig.add(rig.webhookInput)
    const location = { organisationId: rig.app.harbour.id, table: 'publication_action', column: 'secret', row: id }
    await rig.app.store.within(rig.app.harbour.id, async (db) => {
      const secret = await rig.app.services.secrets.encrypt(db, location, 'http://127.0.0.1:1/x')
      await db.updateTable('publicationAction').set({ secret }).where('id', '=', id).execute()
    })
    expect(await rig.test(id)).toMatchObject({ Works: false, Notice: expect.stringContaining('TRIBUTARY_ALLOW_HOSTS') })
  })

  test('[TRUST-13] posts a signed message, and refreshes or runs nothing elsewhere', async () => {
    const { id } = await rig.add(rig.webhookInput)
    expect(await rig.test(id)).toEqual({ Works: true, Notice: 'The webhook accepted the message.' })
    expect(rig.receiver.received).toHaveLength(1)
    const { id: reportId } = await rig.add(rig.powerBiInput)
    expect(await rig.test(reportId)).toMatchObject({
      Works: true,
      Notice: expect.stringContaining('Nothing was refreshed'),
    })
    expect(rig.powerBi.refreshes).toEqual([])
    const { id: jobId } = await rig.add(rig.dbtInput)
    expect(await rig.test(jobId)).toMatchObject({ Works: true, Notice: expect.stringContaining('Nothing was run') })
    expect(rig.dbt.runs).toEqual([])
  })

  test('[TRUST-13] says in words what the service refuses, and nothing else of its answer', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    const answers: string[] = []
    const check = async () => answers.push((await rig.test(id)).Notice)
    rig.powerBi.hasExpiredSecret = true
    await check()
    rig.powerBi.hasExpiredSecret = false
    rig.powerBi.isMember = false
    await check()
    rig.powerBi.isMember = true
    rig.powerBi.faults.push({ status: 401, body: '<html>canary</html>' }, { status: 302, headers: { location: '/' } })
    await check()
    await check()
    rig.powerBi.faults.push({ status: 429, headers: { 'retry-after': '120' } })
    await check()
    expect(answers).toEqual([
      'The client secret has expired. Create another one in Microsoft Entra and enter it.',
      expect.stringContaining('no such dataset in the workspace'),
      expect.stringContaining('must allow service principals'),
      'Power BI answered 302.',
      expect.stringContaining('follows in 2 minutes'),
    ])
    const wrong = await rig.add({
      ...rig.powerBiInput,
      powerBi: { ...rig.powerBiInput.powerBi, clientSecret: 'wrong' },
    })
    expect((await rig.test(wrong.id)).Notice).toContain('refuses the client secret')
    const { id: jobId } = await rig.add({ ...rig.dbtInput, dbt: { ...rig.dbtInput.dbt, token: 'wrong' } })
    expect(await rig.test(jobId)).toEqual({
      Works: false,
      Notice: 'dbt refuses the token (401). Create a service token that may run jobs, and enter it.',
    })
    expect(JSON.stringify(answers) + (await rig.everythingStored())).not.toMatch(/canary of the service|canary</u)
  })
})
