/** Alert channels: the page of the administrators and the notifications of the profile. */
import type { Page } from '@playwright/test'
import { startSlack } from '../server/alerts/simulated-slack.ts'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

const slackPort = Number(process.env['TRIBUTARY_E2E_SLACK_PORT'])

/** Removes the channels that a test has added, whose service stops with it. */
async function deleteChannels(page: Page): Promise<void> {
  for (;;) {
    const button = page.getByRole('button', { name: /^Delete / }).first()
    if ((await button.count()) === 0) return
    await button.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog).toHaveCount(0)
  }
}

test('[UX-ALERT-12] [UX-ALERT-8] by keyboard alone an administrator adds a channel to Slack and tests it', async ({
  page,
  portal,
}) => {
  await using slack = await startSlack(slackPort)
  await portal.signIn('admin', '/admin/alerts')
  const press = (...keys: string[]) =>
    keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve())
  await page.getByRole('button', { name: 'Add a channel' }).focus()
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a channel' })
  await expect(dialog.getByRole('radio', { name: 'Slack' })).toBeFocused()
  await press('Tab')
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toBeFocused()
  await page.keyboard.type(slack.url)
  await press('Tab')
  await page.keyboard.type('#data-alerts')
  await press('Tab', 'ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Once a day' })).toBeChecked()
  await expect(dialog.getByText('In the time zone of the organisation: London time.')).toBeVisible()
  await press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Slack. All kinds, all connectors, daily at 08:00 (London time)')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test: #data-alerts' }).focus()
  await press('Enter')
  await expect(page.getByText('Slack has posted the test message.')).toBeVisible()
  expect(slack.posted).toMatchObject([{ text: 'Test message from Tributary' }])
  slack.faults.push({ status: 404, body: 'no_service' })
  await press('Enter')
  await expect(page.getByText(/removed or switched off in Slack \(no_service\)/)).toBeVisible()
  await deleteChannels(page)
})

test('[UX-ALERT-2] a person chooses the mails that they get, in their own time zone', async ({ page, portal }) => {
  await portal.signIn('guest', '/profile')
  const panel = page.getByRole('region', { name: 'Notifications' })
  await expect(panel.getByText('Mails to guest@demo.example')).toBeVisible()
  await panel.getByRole('button', { name: 'Change mails' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mails' })
  await dialog.getByRole('radio', { name: 'As I choose here' }).check()
  await dialog.getByRole('radio', { name: 'Once a day' }).check()
  await dialog.getByLabel('Hour').selectOption('17:00')
  await dialog.getByRole('radio', { name: 'Only those ticked' }).first().check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Tick at least one kind of alert.')
  await dialog.getByRole('checkbox', { name: 'A run failed' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(panel.getByText(/^A run failed, all connectors, daily at 17:00 \(.+\)$/)).toBeVisible()
  await panel.getByRole('button', { name: 'Change mails' }).click()
  await dialog.getByRole('radio', { name: 'As the administrators chose' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText(/^As the administrators chose/)).toBeVisible()
})

test('/admin/alerts with channels, their tests and their dialogs have no accessibility violation', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('admin', '/admin/alerts')
  await page.getByRole('button', { name: 'Add a channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${slackPort}/services/nowhere`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('#data-alerts')
  await dialog.getByRole('radio', { name: 'Once a day' }).check()
  for (const scope of ['Which alerts', 'Which connectors'])
    await dialog.getByRole('group', { name: scope }).getByRole('radio', { name: 'Only those ticked' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectAccessible(page, () => expect(dialog.getByRole('alert')).toBeVisible())
  await dialog.getByRole('checkbox', { name: 'A run failed' }).check()
  await dialog.getByRole('group', { name: 'Which connectors' }).getByRole('radio', { name: /^All/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Send a test: #data-alerts' }).click()
  // Another test may have started the service; either way it does not accept the message.
  await expectAccessible(page, () => expect(page.locator('[data-tone=error]')).toBeVisible())
  await page.getByRole('button', { name: 'Change #data-alerts' }).click()
  await expectAccessible(page, () => expect(dialog.getByRole('button', { name: 'Replace Address' })).toBeVisible())
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change mails' }).click()
  await expectAccessible(page, () => expect(dialog.getByText('Which mails are sent')).toBeVisible())
  await page.keyboard.press('Escape')
  await deleteChannels(page)
})
