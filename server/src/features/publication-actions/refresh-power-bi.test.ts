import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ActionRig, openActionRig } from '@tributary/testing/server/publishing/action-rig.ts'

let rig: ActionRig
beforeAll(async () => {
  rig = await openActionRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

describe('a refresh of Power BI', () => {
  test('[TRUST-13] begins after the publication and reports its result, although each token expires meanwhile', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    await rig.publish()
    await rig.work()
    expect(rig.powerBi.refreshes).toMatchObject([{ refreshType: 'ViaApi', status: 'Unknown' }])
    expect(await rig.latestRun(id)).toMatchObject({
      Status: 'RUNNING',
      Attempts: 1,
      Notice: 'Power BI accepted the refresh.',
    })
    rig.powerBi.expireTokens()
    await rig.workLater()
    await rig.workLater()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'RUNNING', Notice: 'The refresh is under way.' })
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    expect(await rig.latestRun(id)).toMatchObject({
      Status: 'COMPLETED',
      DueAtUtc: null,
      Log: [
        { Status: 202, Notice: 'Power BI accepted the refresh.', DurationMs: expect.any(Number) },
        { Status: 200, Notice: 'The refresh is under way.' },
        { Status: 200, Notice: 'Power BI has refreshed the dataset.' },
      ],
    })
    expect(rig.powerBi.refreshes).toHaveLength(1)
  })

  test('[TRUST-13] never exceeds the 8 refreshes of 24 hours, whoever began them, and waits for the next free time', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (const hoursAgo of [23, 20, 16, 12, 8, 6, 4]) rig.powerBi.addRefresh('Scheduled', hoursAgo)
    // Neither counts: the first is too old, the second on demand.
    rig.powerBi.addRefresh('Scheduled', 25)
    rig.powerBi.addRefresh('OnDemand', 2)
    await rig.publish()
    await rig.work()
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'COMPLETED' })
    await rig.publish()
    await rig.work()
    const waiting = await rig.latestRun(id)
    expect(waiting).toMatchObject({
      Status: 'WAITING',
      Attempts: 0,
      Notice: expect.stringContaining('8 refreshes of 24 hours'),
    })
    const waitHours = (Date.parse(waiting?.DueAtUtc ?? '') - Date.now()) / 3_600_000
    expect([waitHours > 0.9, waitHours < 1.1]).toEqual([true, true])
    const posted = () =>
      rig.powerBi.received.filter(({ method, path }) => method === 'POST' && path.includes('refreshes'))
    expect(posted()).toHaveLength(1)
    // The oldest leaves the 24 hours.
    const oldest = rig.powerBi.refreshes.findLast(
      ({ startTime }) => Date.parse(startTime) > Date.now() - 24 * 3_600_000,
    )
    if (oldest !== undefined) oldest.startTime = new Date(Date.now() - 24.1 * 3_600_000).toISOString()
    await rig.workLater()
    expect([(await rig.latestRun(id))?.Status, posted().length]).toEqual(['RUNNING', 2])
  })

  test('[TRUST-13] may begin 48 times in 24 hours in Premium', async () => {
    const premium = { ...rig.powerBiInput.powerBi, capacity: 'premium' as const }
    const { id } = await rig.add({ ...rig.powerBiInput, powerBi: premium })
    rig.powerBi.limit = 48
    for (let count = 0; count < 47; count += 1) rig.powerBi.addRefresh('ViaApi', 0.4 * count + 0.1)
    await rig.publish()
    await rig.work()
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    await rig.publish()
    await rig.work()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['WAITING', 'COMPLETED'])
  })

  test('[TRUST-13] counts refreshes that the history of Power BI does not show yet', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) {
      await rig.publish()
      await rig.work()
      rig.powerBi.endRefresh('Completed')
      await rig.workLater()
    }
    rig.powerBi.refreshes.length = 0
    await rig.publish()
    await rig.work()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'WAITING', Notice: expect.stringContaining('used up') })
  })

  test('[TRUST-13] that waits gives way to a newer publication, and its log says so', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) rig.powerBi.addRefresh('Scheduled', count + 1)
    await rig.publish()
    await rig.work()
    await rig.publish()
    await rig.work()
    expect((await rig.runs(id)).map(({ Status, Notice }) => [Status, Notice])).toEqual([
      ['WAITING', expect.stringContaining('used up')],
      ['DROPPED', 'A newer publication replaced it before it began.'],
    ])
    rig.powerBi.refreshes.length = 0
    await rig.workLater()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['RUNNING', 'DROPPED'])
  })

  test('[TRUST-13] waits for one that is under way, and as long as Power BI asks', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    rig.powerBi.addRefresh('Scheduled', 0)
    Object.assign(rig.powerBi.refreshes[0] ?? {}, { status: 'Unknown', endTime: undefined })
    await rig.publish()
    await rig.work()
    expect(await rig.latestRun(id)).toMatchObject({
      Status: 'WAITING',
      Attempts: 0,
      Notice: expect.stringContaining('under way'),
    })
    rig.powerBi.endRefresh('Completed')
    rig.powerBi.faults.push({ status: 429, headers: { 'retry-after': '600' } })
    await rig.workLater()
    const waiting = await rig.latestRun(id)
    const waitMs = Date.parse(waiting?.DueAtUtc ?? '') - Date.now()
    expect([waiting?.Attempts, waitMs > 500_000, waitMs <= 600_000]).toEqual([0, true, true])
    await rig.workLater()
    expect((await rig.latestRun(id))?.Status).toBe('RUNNING')
    await rig.publish()
    await rig.workLater()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['WAITING', 'RUNNING'])
  })

  test('[TRUST-13] is tried again after a problem of the service, and not after a refusal', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    rig.powerBi.faults.push({ status: 503 })
    await rig.publish()
    await rig.work()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'WAITING', Attempts: 1, Notice: 'Power BI answered 503.' })
    await rig.workLater()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'RUNNING', Attempts: 2 })
    rig.powerBi.endRefresh('Failed', 'ModelRefreshFailed_CredentialsNotSpecified')
    await rig.workLater()
    expect(await rig.latestRun(id)).toMatchObject({
      Status: 'FAILED',
      Notice: expect.stringContaining('ModelRefreshFailed_CredentialsNotSpecified'),
    })
    rig.powerBi.isMember = false
    await rig.publish()
    await rig.work()
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'FAILED', Attempts: 1 })
  })
})
