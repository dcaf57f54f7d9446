import { ownAlertChannels, alertChannels } from '@tributary/contract/alert-channels'
import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allAtOnce, type ChannelRig, openChannelRig } from '@tributary/testing/server/alerts/channel-rig.ts'
import { cardTexts } from '@tributary/testing/server/alerts/simulated-teams.ts'

let rig: ChannelRig
beforeAll(async () => {
  rig = await openChannelRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const texts = () => rig.slack.posted.map(({ text }) => text)
const chooseMail = (role: 'admin' | 'user' | 'guest', choice: object) =>
  rig.app.as[role].call(ownAlertChannels.saveMail, { params: rig.clientId, body: { choice } })

describe('an incident', () => {
  test('[UX-ALERT-9] is reported once to each channel and recipient, and so is its end', async () => {
    await rig.addChannel()
    await rig.addChannel(rig.teamsInput)
    await rig.addChannel({ service: 'webhook', name: 'Pager', address: rig.receiver.url })
    await rig.addOwnChannel(rig.app.as.admin, { name: 'My own' })
    await rig.fail()
    for (let count = 0; count < 3; count += 1) await rig.poll()
    expect(texts()).toEqual(['Web shop needs attention', 'Web shop needs attention'])
    await rig.run({ status: 'COMPLETED' })
    for (let count = 0; count < 3; count += 1) await rig.poll()
    const [opened, recovered] = ['Web shop needs attention', 'Web shop works again']
    expect(texts().toSorted()).toEqual([opened, opened, recovered, recovered])
    expect(rig.teams.posted.map((card) => cardTexts(card)[0])).toEqual([opened, recovered])
    expect(rig.receiver.received.map(({ body }) => (JSON.parse(body) as { Event: string }).Event)).toEqual([
      'opened',
      'recovered',
    ])
    expect(await rig.subjects()).toEqual([opened, recovered])
    const [incident] = await rig.incidents()
    // Without the channel of a person.
    expect(incident?.Deliveries.map(({ Channel, Status }) => [Channel, Status]).toSorted()).toEqual(
      ['Data team', 'Finance', 'Pager'].flatMap((name) => [
        [name, 'DELIVERED'],
        [name, 'DELIVERED'],
      ]),
    )
    await rig.failAndRecover()
    expect(texts()).toHaveLength(8)
  })

  test('[UX-ALERT-1] goes only to channels that chose its kind and its connector', async () => {
    await rig.addChannel({ name: 'Kind', kinds: ['actionNeeded'] })
    await rig.addChannel({ name: 'Connector', connectors: [rig.connectorId] })
    await rig.addChannel({ name: 'Other kind', kinds: ['failed', 'stalled', 'tieOut'] })
    await rig.addChannel({ name: 'Never', frequency: 'never' })
    const elsewhere = await rig.app.store.within(rig.app.harbour.id, (db) =>
      db
        .insertInto('connector')
        .values({ organisationId: rig.app.harbour.id, key: 'other', type: 'postgres', name: 'O', originalName: 'O' })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await rig.addChannel({ name: 'Other connector', connectors: [elsewhere.id] })
    await rig.failAndRecover()
    const [incident] = await rig.incidents()
    expect(new Set(incident?.Deliveries.map(({ Channel }) => Channel))).toEqual(new Set(['Kind', 'Connector']))
    expect(rig.slack.posted).toHaveLength(4)
  })

  test('[UX-ALERT-2] is mailed as each person chose, and otherwise as the connector says', async () => {
    await rig.assign('user')
    await rig.assign('guest')
    await chooseMail('user', allAtOnce)
    await chooseMail('guest', { ...allAtOnce, kinds: ['tieOut'] })
    await rig.failAndRecover()
    const both = ['Web shop needs attention', 'Web shop works again']
    expect(await rig.subjects()).toEqual(both)
    expect(await rig.subjects('user@demo.example')).toEqual(both)
    expect(await rig.subjects('guest@demo.example')).toEqual([])
    const [mail] = await rig.app.emailsTo('user@demo.example')
    expect(mail?.footnote).toContain('You chose in your profile')
    await chooseMail('admin', { ...allAtOnce, frequency: 'never' })
    await rig.failAndRecover()
    expect(await rig.subjects()).toEqual(both)
  })

  test('[UX-ALERT-2] is not reported to people who may not see the connector, and to named ones as they chose', async () => {
    await chooseMail('user', allAtOnce)
    await rig.addOwnChannel(rig.app.as.user)
    await rig.failAndRecover()
    expect([await rig.subjects('user@demo.example'), texts()]).toEqual([[], []])
    const users = [rig.app.idOf('user')]
    await rig.app.as.admin.call(alerts.save, { params: rig.params, body: { users, webhook: null } })
    await rig.failAndRecover()
    expect(await rig.subjects('user@demo.example')).toHaveLength(2)
    expect(await rig.subjects()).toHaveLength(2)
  })

  test('[UX-ALERT-1] is mailed as the organisation chose to recipients who chose nothing', async () => {
    const save = (choice: object | null) =>
      rig.app.as.admin.call(alertChannels.saveMail, { params: rig.clientId, body: { choice } })
    await save({ ...allAtOnce, frequency: 'never' })
    await rig.failAndRecover()
    expect(await rig.subjects()).toEqual([])
    await save({ ...allAtOnce, kinds: ['stalled'] })
    await rig.failAndRecover()
    expect(await rig.subjects()).toEqual([])
    await save(null)
    await rig.failAndRecover()
    expect(await rig.subjects()).toHaveLength(2)
  })

  test('[UX-ALERT-9] whose opening a recipient was not told of does not report its end to them', async () => {
    await rig.fail()
    await rig.poll()
    await rig.addChannel()
    await rig.assign('user')
    await chooseMail('user', allAtOnce)
    await rig.run({ status: 'COMPLETED' })
    await rig.poll()
    expect([texts(), await rig.subjects('user@demo.example')]).toEqual([[], []])
    expect(await rig.subjects()).toEqual(['Web shop needs attention', 'Web shop works again'])
  })

  test('[UX-ALERT-9] of an earlier version, which recorded no alerts, reports its end', async () => {
    await rig.fail()
    await rig.poll()
    await rig.app.store.across(async (db) => {
      await db.deleteFrom('alert').execute()
      await db.updateTable('incident').set({ recordsAlerts: false }).execute()
    })
    await rig.run({ status: 'COMPLETED' })
    await rig.poll()
    expect(await rig.subjects()).toEqual(['Web shop needs attention', 'Web shop works again'])
  })

  test('[UX-ALERT-9] of a channel that was removed is not sent', async () => {
    const channelId = await rig.addChannel()
    await rig.fail()
    await rig.watchConnectors()
    await rig.app.as.admin.call(alertChannels.remove, { params: { ...rig.clientId, channelId } })
    await rig.poll()
    expect(texts()).toEqual([])
  })

  test('[UX-ALERT-9] that ends because the connector is disconnected is reported no further', async () => {
    await rig.addChannel()
    await rig.fail()
    await rig.poll()
    await rig.app.as.admin.call(connectors.disconnectAll, { params: rig.clientId })
    await rig.poll()
    expect(texts()).toEqual(['Web shop needs attention'])
  })
})
