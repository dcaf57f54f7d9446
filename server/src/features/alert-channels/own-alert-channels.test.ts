import { alertChannels, ownAlertChannels } from '@tributary/contract/alert-channels'
import { privacy } from '@tributary/contract/privacy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allAtOnce, type ChannelRig, daily, openChannelRig } from '@tributary/testing/server/alerts/channel-rig.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'

let rig: ChannelRig
beforeAll(async () => {
  rig = await openChannelRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const params = () => rig.clientId
const list = async () => (await rig.app.as.admin.call(alertChannels.list, { params: params() })).body
const ownList = async (as: TestClient) => (await as.call(ownAlertChannels.list, { params: params() })).body

describe('the alerts of a person', () => {
  const choose = (as: TestClient, choice: object | null) =>
    as.call(ownAlertChannels.saveMail, { params: params(), body: { choice } })

  test('[UX-ALERT-2] are chosen by each role for itself, and seen by no one else', async () => {
    const { admin, user, guest, provideradmin, superadmin, otherAdmin } = rig.app.as
    for (const as of [admin, user, guest, provideradmin, superadmin]) {
      expect(await ownList(as)).toEqual({ Mail: null, Channels: [] })
      expect((await choose(as, { ...daily, timeZone: 'Pacific/Auckland' })).body.Mail).toMatchObject({
        Frequency: 'daily',
        TimeZone: 'Pacific/Auckland',
      })
    }
    const channelId = await rig.addOwnChannel(user)
    const target = { params: { ...params(), channelId } }
    for (const as of [admin, guest, superadmin]) {
      expect((await ownList(as)).Channels).toEqual([])
      expect((await as.call(ownAlertChannels.save, { ...target, body: rig.slackInput })).status).toBe(404)
      expect((await as.call(ownAlertChannels.remove, target)).status).toBe(404)
      expect((await as.call(ownAlertChannels.test, target)).status).toBe(404)
    }
    expect((await admin.call(alertChannels.remove, target)).status).toBe(404)
    expect(await list()).toEqual({ Mail: null, Channels: [] })
    expect((await otherAdmin.call(ownAlertChannels.list, { params: params() })).status).toBe(404)
    expect((await choose(user, null)).body).toMatchObject({ Mail: null, Channels: [{ Id: channelId }] })
    expect((await ownList(guest)).Mail).not.toBeNull()
  })

  test('[UX-ALERT-2] name only connectors that the person may see', async () => {
    const choice = { ...allAtOnce, connectors: [rig.connectorId] }
    expect((await choose(rig.app.as.user, choice)).status).toBe(400)
    await rig.app.store.within(rig.app.harbour.id, (db) =>
      db
        .insertInto('connectorUser')
        .values({ organisationId: rig.app.harbour.id, connectorId: rig.connectorId, userId: rig.app.idOf('user') })
        .execute(),
    )
    expect((await choose(rig.app.as.user, choice)).body.Mail?.Connectors).toEqual([rig.connectorId])
  })

  test('[UX-ALERT-2] prefer the time zone of the preferences to that of the browser', async () => {
    await rig.app.store.across((db) =>
      db.updateTable('portalUser').set({ timeZone: 'Asia/Tokyo' }).where('id', '=', rig.app.idOf('user')).execute(),
    )
    expect((await choose(rig.app.as.user, { ...daily, timeZone: 'Europe/Berlin' })).body.Mail?.TimeZone).toBe(
      'Asia/Tokyo',
    )
  })

  test('[UX-ALERT-2] [UX-ALERT-5] are exported without addresses', async () => {
    await rig.addOwnChannel(rig.app.as.user)
    const { Tables } = (await rig.app.as.user.call(privacy.ownExport, { query: {} })).body
    expect(Tables['alert_channel']).toMatchObject([{ name: 'Data team', origin: rig.slack.origin }])
    expect(JSON.stringify(Tables)).not.toContain('trb1.')
  })
})
