/** The official inspector of the Model Context Protocol lists and calls every tool. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenForAssistants, storeToken } from '../../server/access/assistant.ts'
import { openAssistantFixture, switchAssistants } from '../../server/access/assistant-fixture.ts'
import { findConnectorId, plantRecords } from '../../server/access/assistant-records.ts'
import type { TestApp } from '../../server/app/test-app.ts'

const inspector = join(process.env['TRIBUTARY_MCP_INSPECTOR'] ?? '', 'node_modules', '.bin', 'mcp-inspector')

let app: TestApp
let target: readonly string[]
beforeAll(async () => {
  app = (await openAssistantFixture()).app
  await plantRecords(app, { connectorId: await findConnectorId(app, 'Shop'), text: 'invoice' })
  await switchAssistants(app, true)
  const secret = await storeToken(app, { userId: app.idOf('admin') })
  const address = `${await listenForAssistants(app)}/mcp`
  target = ['--cli', address, '--transport', 'http', '--header', `Authorization: Bearer ${secret}`]
})
afterAll(() => app[Symbol.asyncDispose]())

async function inspect(...options: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(inspector, [...target, ...options], { maxBuffer: 16 * 1_048_576 })
  return JSON.parse(stdout) as Record<string, unknown>
}

const names = ['status', 'failures', 'freshness', 'tie_out', 'dictionary', 'query', 'what_changed']

test('[SEE-13] the inspector lists every tool', async () => {
  const { tools } = (await inspect('--method', 'tools/list')) as {
    readonly tools: readonly { readonly name: string }[]
  }
  expect(tools.map(({ name }) => name)).toEqual(names)
})

test.each(names)('[SEE-13] the inspector calls %s and gets its result with provenance', async (name) => {
  const input = name === 'query' ? ['--tool-arg', 'sql=SELECT id, number FROM shop.invoice ORDER BY id LIMIT 2'] : []
  const result = await inspect('--method', 'tools/call', '--tool-name', name, ...input)
  expect(result['isError'] ?? false).toBe(false)
  expect(result['structuredContent']).toMatchObject({ provenance: { organisation: 'Harbour Trading', tool: name } })
  if (name === 'query')
    expect(result['structuredContent']).toMatchObject({
      rows: [
        ['1', 'INV-1'],
        ['2', 'INV-2'],
      ],
    })
})
