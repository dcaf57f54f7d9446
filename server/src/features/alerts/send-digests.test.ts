import { alertChannels, ownAlertChannels } from '@tributary/contract/alert-channels'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allAtOnce, type ChannelRig, daily, openChannelRig } from '@tributary/testing/server/alerts/channel-rig.ts'
import { cardTexts } from '@tributary/testing/server/alerts/simulated-teams.ts'
import { slackTexts } from '@tributary/testing/server/alerts/simulated-slack.ts'
import { sendDueDigests } from './send-digests.ts'

let rig: ChannelRig
beforeAll(async () => {
  rig = await openChannelRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const recover = () => rig.run({ status: 'COMPLETED' })
/** The hour of every digest has passed since. */
const nextDay = async () => {
  await rig.ageAlerts(25)
  await rig.poll()
}
const subjects = () => rig.slack.posted.map(({ text }) => text)
const lastTexts = () => slackTexts(rig.slack.posted.at(-1) ?? {}).join('\n')

test('[UX-ALERT-10] a daily channel gets nothing before its hour, and then all incidents in one message', async () => {
  await rig.addChannel(daily)
  await rig.addChannel({ ...rig.teamsInput, ...daily })
  await rig.addChannel({ service: 'webhook', address: rig.receiver.url, ...daily })
  await rig.fail()
  await rig.poll()
  await recover()
  await rig.poll()
  await rig.fail()
  await rig.poll()
  expect([subjects(), rig.teams.posted, rig.receiver.received]).toEqual([[], [], []])
  await nextDay()
  await rig.poll()
  expect(subjects()).toEqual(['Harbour Trading: 2 new problems, 1 solved'])
  expect(lastTexts()).toMatch(
    /Web shop had a problem from .* to .*: The source refused the password\. It works again\./u,
  )
  expect(lastTexts()).toMatch(/Web shop needs attention since .*: The source refused the password\./u)
  expect(lastTexts()).toContain('Times are in London time.')
  expect([rig.teams.posted.map((card) => cardTexts(card)[0]), rig.teams.failedRuns]).toEqual([subjects(), []])
  expect(rig.receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { Event: 'digest', Alerts: [{ Event: 'opened' }, { Event: 'recovered' }, { Event: 'opened' }] },
  ])
})

test('[UX-ALERT-10] each incident and its end are in one digest each, also on both sides of a boundary', async () => {
  await rig.addChannel(daily)
  await rig.fail()
  await rig.poll()
  await nextDay()
  expect(subjects()).toEqual(['Harbour Trading: 1 new problem'])
  await nextDay()
  await recover()
  await rig.poll()
  expect(subjects()).toHaveLength(1)
  await nextDay()
  expect(subjects()).toEqual(['Harbour Trading: 1 new problem', 'Harbour Trading: 1 solved'])
  expect(lastTexts()).toMatch(/Web shop works again since .* The problem was: The source refused the password\./u)
  await nextDay()
  expect(subjects()).toHaveLength(2)
})

/** Lets the newest alert have been waiting since a moment, and polls. */
async function waitSince(at: Date): Promise<void> {
  await rig.app.store.across((db) =>
    db.updateTable('alert').set({ createdAt: at }).where('sentAt', 'is', null).execute(),
  )
  await rig.poll()
}

test('[UX-ALERT-10] [UX-PREF-9] the hour and the times of a digest are those of the person’s zone, which it names', async () => {
  const hourMs = 3_600_000
  const thisHour = new Date(Math.floor(Date.now() / hourMs) * hourMs)
  // Auckland is 12 or 13 hours ahead of UTC, so its clock shows another hour.
  const timeZone = 'Pacific/Auckland'
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(thisHour),
  )
  await rig.app.as.admin.call(ownAlertChannels.saveMail, {
    params: rig.clientId,
    body: { choice: { ...daily, hour, timeZone } },
  })
  await rig.fail()
  await rig.watchConnectors()
  await waitSince(new Date(thisHour.getTime() + 1))
  expect(await rig.subjects()).toEqual([])
  await waitSince(new Date(thisHour.getTime() - 1))
  expect(await rig.subjects()).toEqual(['Harbour Trading: 1 new problem'])
  const [mail] = await rig.app.emailsTo('admin@demo.example')
  expect(mail?.paragraphs.join(' ')).toContain('Times are in Auckland time.')
  expect(mail?.footnote).toContain('You chose in your profile')
})

test('[UX-ALERT-10] an organisation’s choice of daily mails applies to recipients who chose nothing', async () => {
  await rig.app.as.admin.call(alertChannels.saveMail, { params: rig.clientId, body: { choice: daily } })
  await rig.fail()
  await rig.poll()
  expect(await rig.subjects()).toEqual([])
  await nextDay()
  expect(await rig.subjects()).toEqual(['Harbour Trading: 1 new problem'])
})

test('[UX-ALERT-10] alerts that wait are sent at once when the channel is no longer daily, and dropped when it is off', async () => {
  const channelId = await rig.addChannel(daily)
  const change = (frequency: 'immediately' | 'never') =>
    rig.app.as.admin.call(alertChannels.save, {
      params: { ...rig.clientId, channelId },
      body: { ...rig.slackInput, frequency },
    })
  await rig.fail()
  await rig.watchConnectors()
  await recover()
  await rig.watchConnectors()
  await change('immediately')
  await rig.poll()
  expect(subjects()).toEqual(['Harbour Trading: 1 new problem, 1 solved'])
  await rig.app.as.admin.call(alertChannels.save, {
    params: { ...rig.clientId, channelId },
    body: { ...rig.slackInput, ...daily },
  })
  await rig.fail()
  await rig.watchConnectors()
  await change('never')
  await rig.poll()
  await change('immediately')
  await rig.poll()
  expect(subjects()).toHaveLength(1)
})

test('[UX-ALERT-10] the end of an incident waits for the digest that reports its opening', async () => {
  const channelId = await rig.addChannel(daily)
  await rig.fail()
  await rig.watchConnectors()
  await rig.app.as.admin.call(alertChannels.save, {
    params: { ...rig.clientId, channelId },
    body: { ...rig.slackInput, ...allAtOnce },
  })
  await recover()
  await rig.watchConnectors()
  await rig.poll()
  expect(subjects()).toEqual(['Harbour Trading: 1 new problem, 1 solved'])
})

test('[UX-ALERT-10] a digest leaves out what a person may no longer see, and is not sent to people who are locked', async () => {
  await rig.assign('user')
  await rig.app.as.user.call(ownAlertChannels.saveMail, { params: rig.clientId, body: { choice: daily } })
  await rig.addOwnChannel(rig.app.as.user, daily)
  await rig.fail()
  await rig.poll()
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db.deleteFrom('connectorUser').where('userId', '=', rig.app.idOf('user')).execute(),
  )
  await nextDay()
  expect([await rig.subjects('user@demo.example'), subjects()]).toEqual([[], []])
})

test('[UX-ALERT-10] the digests of an archived organisation are dropped', async () => {
  await rig.addChannel(daily)
  await rig.fail()
  await rig.poll()
  const archive = (archivedAt: Date | null) =>
    rig.app.store.across((db) =>
      db.updateTable('organisation').set({ archivedAt }).where('id', '=', rig.app.harbour.id).execute(),
    )
  await archive(new Date())
  await nextDay()
  await archive(null)
  await rig.poll()
  expect(subjects()).toEqual([])
})

test('[UX-ALERT-10] a digest that fails stays to be sent, and does not stop the others', async () => {
  await rig.addChannel(daily)
  await rig.app.as.admin.call(ownAlertChannels.saveMail, { params: rig.clientId, body: { choice: daily } })
  await rig.fail()
  await rig.poll()
  await rig.ageAlerts(25)
  const { mailer } = rig.app.services
  const enqueue = () => Promise.reject(new Error('no mail'))
  await expect(sendDueDigests({ ...rig.app.services, mailer: { ...mailer, enqueue } })).rejects.toThrow('no mail')
  await rig.poll()
  expect([subjects(), await rig.subjects()]).toEqual([
    ['Harbour Trading: 1 new problem'],
    ['Harbour Trading: 1 new problem'],
  ])
})
