/** Descriptions of the catalogue in the workbench of the portal. */
import { readFileSync } from 'node:fs'
import { workbench } from '@tributary/contract/workbench'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.as.superadmin.signIn()
})
afterAll(() => app[Symbol.asyncDispose]())

const textOf = (name: string) => readFileSync(`engine/src/apis/catalogue/${name}.yaml`, 'utf8')

test('[SRC-10] where people sign in, the form says why they cannot at a draft, and what to enter instead', async () => {
  const { body } = await app.as.superadmin.call(workbench.check, { body: { text: textOf('quickbooks') } })
  expect(body.Problems).toEqual([])
  expect(body.Settings?.Fields.map(({ Key, Kind, Help }) => [Key, Kind, Help])).toEqual(
    expect.arrayContaining([
      [
        'accessToken',
        'secret',
        expect.stringMatching(/^People cannot sign in here: .* would receive the sign-in\. Get an access token in /u),
      ],
      ['company', 'text', expect.stringContaining('The id of the company')],
    ]),
  )
})

test.each([
  ['business-central', 'salesInvoices'],
  ['quickbooks', 'ledger'],
  ['e-conomic', 'period_total'],
])(
  '[SRC-10] %s, %s: the portal proves every check simulated, and kills processes for it',
  async (name, stream) => {
    const body = { text: textOf(name), stream, kind: 'simulated' } as const
    const { status, body: proofs } = await app.as.superadmin.call(workbench.prove, { body })
    expect([status, proofs.map(({ Check, Verdict }) => [Check, Verdict])]).toEqual([
      200,
      ['ties', 'lateCommits', 'deletes', 'cuts', 'kills'].map((check) => [check, 'provenSimulated']),
    ])
    expect(proofs.at(-1)?.Why).toMatch(/of which \d lost their process: it was killed \(SIGKILL\)/u)
  },
  120_000,
)
