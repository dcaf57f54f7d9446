import { alertChannels, type AlertChannelInput, ownAlertChannels } from '@tributary/contract/alert-channels'
import { alertChannelLimits, secretMask } from '@tributary/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChannelRig, daily, openChannelRig } from '@tributary/testing/server/alerts/channel-rig.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'

let rig: ChannelRig
beforeAll(async () => {
  rig = await openChannelRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const params = () => rig.clientId
const list = async () => (await rig.app.as.admin.call(alertChannels.list, { params: params() })).body
const create = (input: Partial<AlertChannelInput> = {}, as = rig.app.as.admin) =>
  as.call(alertChannels.create, { params: params(), body: { ...rig.slackInput, ...input } })

describe('the channels of an organisation', () => {
  test('[UX-ALERT-1] are added, changed and removed by its administrators', async () => {
    expect(await list()).toEqual({ Mail: null, Channels: [] })
    const { status, body } = await create({ ...daily, kinds: ['failed', 'failed'], connectors: [rig.connectorId] })
    const shown = {
      Service: 'slack',
      Name: 'Data team',
      Address: `${rig.slack.origin}/${secretMask}`,
      Kinds: ['failed'],
      Connectors: [rig.connectorId],
      Frequency: 'daily',
      Hour: 8,
      TimeZone: 'Europe/London',
      LastDelivery: null,
      Secret: null,
    }
    expect([status, body]).toEqual([201, { ...shown, Id: expect.any(String) }])
    const target = { params: { ...params(), channelId: body.Id } }
    const change = {
      ...rig.slackInput,
      name: 'Finance',
      address: body.Address,
      kinds: ['tieOut', 'tieOut'],
      connectors: [rig.connectorId],
    } satisfies AlertChannelInput
    expect((await rig.app.as.admin.call(alertChannels.save, { ...target, body: change })).body).toMatchObject({
      Name: 'Finance',
      Kinds: ['tieOut'],
      Connectors: [rig.connectorId],
      Frequency: 'immediately',
    })
    expect((await list()).Channels).toMatchObject([{ Name: 'Finance', Address: shown.Address }])
    expect((await rig.app.as.admin.call(alertChannels.remove, target)).status).toBe(204)
    expect(await list()).toEqual({ Mail: null, Channels: [] })
    const event = { actorId: rig.app.idOf('admin'), organisationId: rig.app.harbour.id, objectId: body.Id }
    for (const action of ['alert_channel.created', 'alert_channel.updated', 'alert_channel.deleted'] as const)
      expect((await findAuditEvents(rig.app.store, action)).at(-1)).toMatchObject(event)
  })

  test('[UX-ALERT-1] are hidden from other roles and from other organisations', async () => {
    const channelId = await rig.addChannel()
    for (const role of ['user', 'guest'] as const) {
      expect((await rig.app.as[role].call(alertChannels.list, { params: params() })).status).toBe(403)
      expect((await create({}, rig.app.as[role])).status).toBe(403)
    }
    for (const role of ['provideradmin', 'superadmin'] as const)
      expect((await rig.app.as[role].call(alertChannels.list, { params: params() })).body.Channels).toHaveLength(1)
    const { otherAdmin } = rig.app.as
    const theirs = { clientId: rig.app.summit.id, channelId }
    expect((await otherAdmin.call(alertChannels.list, { params: params() })).status).toBe(404)
    expect((await otherAdmin.call(alertChannels.save, { params: theirs, body: rig.slackInput })).status).toBe(404)
    expect((await otherAdmin.call(alertChannels.remove, { params: theirs })).status).toBe(404)
    expect((await otherAdmin.call(alertChannels.test, { params: theirs })).status).toBe(404)
    expect(rig.slack.received).toEqual([])
  })

  test('[UX-ALERT-1] accept only what they can deliver', async () => {
    const refused: readonly (readonly [object, string, number])[] = [
      [{ connectors: [rig.app.summit.id] }, 'connectors', 400],
      [{ connectors: [] }, 'connectors', 400],
      [{ kinds: ['everything'] }, 'kinds.0', 400],
      [{ hour: 24 }, 'hour', 400],
      [{ name: 'two\nlines' }, 'name', 400],
      [{ service: 'mail' }, 'service', 400],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone', 400],
      [{ address: 'no address' }, 'address', 400],
      [{ address: `https://hooks.slack.com/${secretMask}` }, 'address', 400],
      [{ address: 'https://app.slack.com/client/T0/C0' }, 'address', 422],
      [{ address: 'https://harbour.slack.com/archives/C0' }, 'address', 422],
      [{ address: 'https://hooks.slack.com/workflows/T0/A0' }, 'address', 422],
      [{ service: 'teams', address: 'https://harbour.webhook.office.com/webhookb2/1' }, 'address', 422],
      [{ service: 'teams', address: 'https://outlook.office.com/webhook/1' }, 'address', 422],
    ]
    for (const [change, field, status] of refused) {
      const reply = await rig.app.as.admin.send<{ fields?: object }>(
        'POST',
        `/api/tributary/clients/${rig.app.harbour.id}/alert-channels`,
        { body: { ...rig.slackInput, ...change } },
      )
      expect([change, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([change, status, [field]])
    }
    expect((await list()).Channels).toEqual([])
  })

  test('[UX-ALERT-1] are limited in number', async () => {
    const { channelsMax } = alertChannelLimits
    await rig.app.store.within(rig.app.harbour.id, (db) =>
      db
        .insertInto('alertChannel')
        .values(
          Array.from({ length: channelsMax }, () => ({
            organisationId: rig.app.harbour.id,
            service: 'slack' as const,
            address: 'sealed',
            frequency: 'never' as const,
            hour: 8,
          })),
        )
        .execute(),
    )
    expect((await create()).status).toBe(400)
  })

  test('[UX-ALERT-5] have addresses that are encrypted, masked, and in no log', async () => {
    const id = await rig.addChannel()
    await rig.addChannel(rig.teamsInput)
    const webhook = await create({ service: 'webhook', address: `${rig.receiver.url}/canaryPath` })
    expect(webhook.body.Secret).toMatch(/^whsec_.{40,}$/u)
    for (const { Id } of (await list()).Channels)
      await rig.app.as.admin.call(alertChannels.test, { params: { ...params(), channelId: Id } })
    await rig.fail()
    await rig.poll()
    const change = { ...rig.slackInput, address: `${rig.slack.origin}/services/canarySlackToken0000001` }
    await rig.app.as.admin.call(alertChannels.save, { params: { ...params(), channelId: id }, body: change })
    const texts = [await rig.everythingStored(), JSON.stringify(await list())]
    for (const secret of ['canarySlack', 'canaryTeams', 'canaryPath', webhook.body.Secret ?? ''])
      expect([secret, texts.map((text) => text.includes(secret))]).toEqual([secret, [false, false]])
    const [stored] = await rig.app.store.within(rig.app.harbour.id, (db) =>
      db.selectFrom('alertChannel').select('address').execute(),
    )
    expect(rig.app.services.secrets.isEncrypted(stored?.address ?? '')).toBe(true)
  })

  test('[UX-ALERT-5] keep an address that is sent masked, but not for another service', async () => {
    const channelId = await rig.addChannel()
    const target = { params: { ...params(), channelId } }
    const address = (await list()).Channels[0]?.Address ?? ''
    const masked = { ...rig.slackInput, name: 'Renamed', address }
    expect((await rig.app.as.admin.call(alertChannels.save, { ...target, body: masked })).status).toBe(200)
    expect((await rig.app.as.admin.call(alertChannels.test, target)).body.Delivered).toBe(true)
    const moved = { ...masked, service: 'webhook' } as const
    expect((await rig.app.as.admin.call(alertChannels.save, { ...target, body: moved })).status).toBe(400)
  })

  test('[UX-ALERT-5] whose address can no longer be decrypted say so', async () => {
    const channelId = await rig.addChannel()
    await rig.app.store.within(rig.app.harbour.id, (db) =>
      db.updateTable('alertChannel').set({ address: 'trb1.broken' }).where('id', '=', channelId).execute(),
    )
    const reply = await rig.app.as.admin.call(alertChannels.test, { params: { ...params(), channelId } })
    expect(reply).toMatchObject({
      status: 422,
      body: { fields: { address: expect.stringContaining('Enter it again') } },
    })
  })

  test.each([
    'http://169.254.169.254/latest',
    'http://127.0.0.1:1/hook',
    'http://[::1]:1/hook',
    'http://10.0.0.1/hook',
  ])('[UX-ALERT-6] refuse the private address %s', async (address) => {
    for (const service of ['slack', 'teams', 'webhook'] as const)
      expect(await create({ service, address })).toMatchObject({
        status: 422,
        body: { fields: { address: expect.stringContaining('internal address') } },
      })
  })

  test('[UX-ALERT-6] post nothing to an address that became private after it was saved', async () => {
    const channelId = await rig.addChannel()
    const location = { organisationId: rig.app.harbour.id, table: 'alert_channel', column: 'address', row: channelId }
    await rig.app.store.within(rig.app.harbour.id, async (db) => {
      const address = await rig.app.services.secrets.encrypt(db, location, 'http://127.0.0.1:1/services/x')
      await db.updateTable('alertChannel').set({ address }).where('id', '=', channelId).execute()
    })
    const { body } = await rig.app.as.admin.call(alertChannels.test, { params: { ...params(), channelId } })
    expect(body).toMatchObject({ Delivered: false, Notice: expect.stringContaining('TRIBUTARY_ALLOW_HOSTS') })
  })
})

describe('the test of a channel', () => {
  const sendTest = async (channelId: string) =>
    (await rig.app.as.admin.call(alertChannels.test, { params: { ...params(), channelId } })).body

  test('[UX-ALERT-8] posts a message to each service, and reports its acceptance', async () => {
    expect(await sendTest(await rig.addChannel())).toEqual({
      Delivered: true,
      Notice: 'Slack has posted the test message.',
    })
    expect(await sendTest(await rig.addChannel(rig.teamsInput))).toMatchObject({ Delivered: true })
    expect(await sendTest(await rig.addChannel({ service: 'webhook', address: rig.receiver.url }))).toMatchObject({
      Delivered: true,
    })
    expect(rig.slack.posted).toMatchObject([{ text: 'Test message from Tributary' }])
    expect([rig.teams.posted.length, rig.teams.failedRuns]).toEqual([1, []])
    expect(rig.receiver.received).toMatchObject([{ headers: { 'tributary-signature': expect.any(String) } }])
    // Only webhooks are signed.
    for (const { headers } of [...rig.slack.received, ...rig.teams.received])
      expect(Object.keys(headers).filter((name) => name.startsWith('tributary'))).toEqual([])
  })

  test('[UX-ALERT-8] [UX-ALERT-6] shows the answer of the service in words, and nothing else of it', async () => {
    const slackId = await rig.addChannel()
    const { faults } = rig.slack
    faults.push(
      { status: 404, body: 'no_service' },
      { status: 410, body: 'channel_is_archived' },
      { status: 429, headers: { 'retry-after': '30' }, body: 'canary' },
      { status: 302, headers: { location: `${rig.slack.url}/elsewhere` } },
      { status: 200, body: 'canary'.repeat(400_000) },
      { status: 500, body: 'canary' },
    )
    const notices = []
    for (let count = faults.length; count > 0; count -= 1) notices.push(await sendTest(slackId))
    expect(notices.map(({ Delivered }) => Delivered)).toEqual(notices.map(() => false))
    const words = [
      'no_service',
      'archived',
      'no more messages',
      'redirect, which is not followed',
      'did not answer',
      '500',
    ]
    for (const [at, word] of words.entries()) expect(notices[at]?.Notice).toContain(word)
    expect(JSON.stringify(notices)).not.toContain('canary')
    expect(rig.slack.received).toHaveLength(6)

    const teamsId = await rig.addChannel(rig.teamsInput)
    rig.teams.state = 'off'
    expect((await sendTest(teamsId)).Notice).toContain('switched off')
    rig.teams.state = 'deleted'
    expect((await sendTest(teamsId)).Notice).toContain('no longer exists')
    const unsigned = await rig.addChannel({ ...rig.teamsInput, address: rig.teams.url.replace(/&sig=.*/u, '') })
    rig.teams.state = 'on'
    expect((await sendTest(unsigned)).Notice).toContain('Who can trigger the flow')
  })

  test('[UX-ALERT-8] is limited', async () => {
    const channelId = await rig.addChannel()
    const statuses = []
    for (let count = 0; count < 25; count += 1)
      statuses.push(
        (await rig.app.as.otherAdmin.call(ownAlertChannels.testMail, { params: { clientId: rig.app.summit.id } }))
          .status,
      )
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
    expect((await sendTest(channelId)).Delivered).toBe(true)
  })

  test('[UX-ALERT-8] of mails sends one to the caller', async () => {
    const { body } = await rig.app.as.user.call(ownAlertChannels.testMail, { params: params() })
    expect(body).toEqual({ Delivered: true, Notice: expect.stringContaining('/mailbox') })
    expect(await rig.subjects('user@demo.example')).toEqual(['Test message from Tributary'])
  })
})
