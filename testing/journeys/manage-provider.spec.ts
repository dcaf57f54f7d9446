import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { addDemo } from './manage.ts'
import { expect, fillSignIn, password, test } from './portal.ts'

test('[MAN-8] a superadmin sees key and all licences, picks a schedule and sees its next runs, and sees the signing secret of a webhook once', async ({
  page,
  portal,
}) => {
  const receiver = await startReceiver()
  await portal.signIn('superadmin')
  await page.goto('/connectors/postgres/manage?new=true')
  await addDemo(page, 'Kept by the superadmin')
  await page.goto('/connectors/postgres/manage')
  const card = page.getByRole('article', { name: 'Kept by the superadmin' })
  await card.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('kept-by-the-superadmin')).toBeVisible()
  await dialog.getByLabel('Runs', { exact: true }).selectOption('On days of the week')
  await dialog.getByLabel('At', { exact: true }).fill('07:30')
  await expect(dialog.getByText(/^Weekdays at 07:30, time zone Europe\/London\./)).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'The next runs' }).getByRole('listitem')).toHaveText(
    Array(5).fill(/07:30$/),
  )
  await dialog.getByRole('heading', { name: 'Licences' }).click()
  await expect(dialog.getByLabel('Everything')).toBeDisabled()
  await dialog.getByRole('heading', { name: 'Alerts' }).click()
  await dialog.getByLabel('Webhook').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const secretDialog = page.getByRole('dialog', { name: 'The secret of the webhook' })
  await expect(secretDialog.getByRole('button', { name: 'Copy secret' })).toBeVisible()
  const secret = await secretDialog.getByRole('definition').getByRole('code').textContent()
  await secretDialog.getByRole('button', { name: 'I have copied it' }).click()
  await expect(card).toContainText('Weekdays at 07:30')

  await card.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('heading', { name: 'Alerts' }).click()
  await expect(dialog.getByLabel('Webhook')).toHaveValue(receiver.url)
  await dialog.getByRole('button', { name: 'Send a test message' }).click()
  await expect.poll(() => receiver.received.length).toBe(1)
  const [{ signature, body } = { signature: '', body: '' }] = receiver.received
  const [, sentAt = '', digest = ''] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? []
  expect(digest).toBe(
    createHmac('sha256', secret ?? '')
      .update(`${sentAt}.${body}`)
      .digest('hex'),
  )
  await receiver.close()
})

test('[MAN-8] a licence that a superadmin ticks is granted', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('superadmin')
  await page.goto('/connectors/uniconta/manage?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username', { exact: true }).fill('reader')
  await dialog.getByLabel('Password', { exact: true }).fill('not-a-real-one')
  await dialog.getByLabel('Name', { exact: true }).fill('Books')
  await page.route('**/process', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/connectors\/uniconta\/refresh/)
  const edit = async () => {
    await page.goto('/connectors/uniconta/manage')
    await page.getByRole('article', { name: 'Books' }).getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('heading', { name: 'Licences' }).click()
  }
  await edit()
  await dialog.getByLabel('Ledger', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await edit()
  await expect(dialog.getByLabel('Ledger', { exact: true })).toBeChecked()
  await expect(dialog.getByLabel('Sales', { exact: true })).not.toBeChecked()
})

test('[ROLE-1] a connector that the provider shares is visible to the other organisation, but cannot be edited there', async ({
  page,
  portal,
  browser,
}) => {
  await portal.signIn('provideradmin')
  await page.goto('/connectors/postgres/manage?new=true')
  await addDemo(page, 'Seen by others')
  await page.goto('/connectors/postgres/manage')
  await page.getByRole('article', { name: 'Seen by others' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Sharing' }).click()
  await dialog.getByRole('checkbox', { name: 'Summit Foods' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)

  const other = await browser.newPage()
  await signInElsewhere(other)
  await other.goto('/connectors/postgres/manage')
  const card = other.getByRole('article', { name: 'Seen by others' })
  await expect(card).toContainText('Shared by Harbour Trading')
  await expect(card.getByRole('button')).toHaveCount(0)
  await other.close()
})

async function signInElsewhere(page: Page): Promise<void> {
  await page.goto('/home')
  await fillSignIn(page, 'admin@other.example', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
}

/** Starts a webhook receiver at an address that the server may reach. */
async function startReceiver() {
  const port = Number(process.env['TRIBUTARY_E2E_HOOK_PORT'])
  const received: { signature: string; body: string }[] = []
  const server = createServer((request, response) => void take(request, response))
  async function take(request: IncomingMessage, response: ServerResponse) {
    received.push({ signature: String(request.headers['tributary-signature']), body: await text(request) })
    response.end()
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
